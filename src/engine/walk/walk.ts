import type { Block, RoleRun, Step } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import { Variables } from '../../language/scope.js';
import { isHalted, layersText, type StepEnd } from '../batch/batch_state.js';
import { Handlers } from '../batch/handlers.js';
import type { Barrier } from '../batch/strategy.js';
import { connectController, type ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { BLOCK_PARTS, inside, OUTERMOST, type PlayContext, type WalkFrame } from './play_context.js';
import { walkMeta } from './walk_meta.js';
import { walkInclude, walkTask } from './walk_task.js';
import { firstVariables, isRefused, NotifiedHandlers, type Walker, WalkJournal, WalkVariables } from './walker.js';

/** Runs the steps of the context on one controller; the caller handles the result. */
export async function walkThrough(context: PlayContext, state: ControllerState, barrier: Barrier): Promise<StepEnd> {
  const turn = context.run.control.loopYielder.yieldLoop();
  if (turn !== undefined) await turn;
  const variables = await firstVariables(context, state);
  if (variables instanceof Variables) {
    const walk = new ControllerWalk(withOwnHandlers(context, barrier), state, barrier, variables);
    const end = await walk.steps(context.steps, { ...OUTERMOST, siblings: context.steps });
    // `stopped` also if only the last task must run again.
    if (walk.journal.isCutOff && (end === 'completed' || end === 'left')) return 'stopped';
    // What ends the play in an `always`, or keeps it from running, does not undo the failure.
    return (end === 'left' || end === 'halted') && context.batchState.isLost(state.name) ? 'failed' : end;
  }
  if (variables.status === 'interrupted') return 'stopped';
  const { failBeforeSteps } = await import('./broken_step.js');
  return failBeforeSteps(context, state, barrier, variables);
}

/** Each controller knows which handlers it included itself. */
function withOwnHandlers(context: PlayContext, { lockstep }: Barrier): PlayContext {
  return { ...context, handlers: new Handlers(context.play.definition.handlers, context.handlers, lockstep) };
}

/** One controller's walk through one play, step by step. */
class ControllerWalk implements Walker {
  readonly connections: ControllerConnections;
  readonly variables: WalkVariables;
  readonly notified: NotifiedHandlers;
  readonly journal: WalkJournal;
  performed = 0;
  refusedAt: StepPosition | undefined;
  /** Keys of the roles that were walked through. */
  #completedRoles: Set<string> | undefined;

  /** @param variables what the controller sees before any task adds to it */
  constructor(
    readonly context: PlayContext,
    readonly state: ControllerState,
    readonly barrier: Barrier,
    variables: Variables,
  ) {
    this.connections = connectController(context, state, variables);
    this.variables = new WalkVariables(context, state, variables);
    this.notified = new NotifiedHandlers(context, state, this.variables);
    this.journal = new WalkJournal(context, state.name, barrier);
  }

  async steps(steps: readonly Step[], frame: WalkFrame): Promise<StepEnd> {
    for (const [index, step] of steps.entries()) {
      const end = await this.#step(step, inside(frame, index));
      if (end !== 'completed') return end;
    }
    return 'completed';
  }

  refusal(frame: WalkFrame): StepEnd | undefined {
    const { cleanup, position } = frame;
    const { run, batchState } = this.context;
    const { ending, journal } = batchState;
    const continues = journal?.mayFinish(this.state.name, position) === true;
    if (ending.ended !== undefined && !continues) return 'left';
    if (run.control.stopSignals.blocks(cleanup === 'always')) return this.#refuseAt(position, 'stopped');
    if (cleanup !== 'none' || continues) return undefined;
    // Before the interrupt, a halt that was taken back meanwhile kept the controller from this step.
    const wasKept = journal?.wasHalted === true && this.journal.hasLeftBehind(frame);
    if (!wasKept && !isHalted(ending, this.barrier.opening, position)) return undefined;
    return this.#refuseAt(position, 'halted');
  }

  #refuseAt(position: StepPosition, why: 'halted' | 'stopped'): StepEnd {
    this.refusedAt = position;
    return why;
  }

  #step(step: Step, frame: WalkFrame): Promise<StepEnd> {
    if (step.type === 'task') return walkTask(this, step, frame);
    if (step.type === 'include') return walkInclude(this, step, frame);
    if (step.type === 'block') return walkBlock(this, step, frame);
    return step.type === 'role' ? this.#role(step, frame) : walkMeta(this, step, frame);
  }

  /**
   * A role runs once for each controller and play, unless it may be repeated. A role whose tasks were all skipped has not run, nor has one
   * that failed, as in Ansible.
   */
  async #role(role: RoleRun, frame: WalkFrame): Promise<StepEnd> {
    const key = roleKey(role, frame);
    if (!role.repeatable && this.#completedRoles?.has(key) === true) return 'completed';
    const before = this.performed;
    const end = await this.steps(role.steps, frame);
    if (end !== 'completed' && end !== 'role ended') return end;
    if (this.performed > before) (this.#completedRoles ??= new Set()).add(key);
    return 'completed';
  }
}

/** Roles with the same key run once. A role that a loop includes runs for each item; the roles that it depends on do not. */
function roleKey({ key }: RoleRun, { itemLayers, siblings }: WalkFrame): string {
  const last = siblings.at(-1);
  const isIncluded = last?.type === 'role' && last.key === key;
  return isIncluded && itemLayers !== undefined ? `${key} ${layersText(itemLayers)}` : key;
}

/** `block`, `rescue` and `always`; with a loop (ours) the whole of it for each item, until one fails. */
async function walkBlock(walk: Walker, block: Block, frame: WalkFrame): Promise<StepEnd> {
  const { loop } = block;
  if (loop === undefined) return walkOnce(walk, block, frame);
  const { walkRounds } = await import('./block_loop.js');
  return walkRounds(walk, { ...block, loop }, frame, (around) => walkOnce(walk, block, around));
}

/** After these, not even an `always` around runs. */
const SKIPPING_ALWAYS: ReadonlySet<StepEnd> = new Set(['unreachable', 'stale', 'role ended', 'left']);

async function walkOnce(walk: Walker, block: Block, frame: WalkFrame): Promise<StepEnd> {
  const end = await walkRescued(walk, block, frame);
  if (block.always.length === 0 || SKIPPING_ALWAYS.has(end)) return end;
  // There is nothing to clean up.
  if (isRefused(walk, end, frame)) return end;
  const { batchState } = walk.context;
  const { errorClears } = batchState.ending;
  // A resume continues inside the block, so its `always` must run again then.
  if (isCutOff(walk, end)) walk.journal.isCutOff = true;
  const cleaned = await walkPart(walk, block.always, frame, { part: BLOCK_PARTS.always, cleanup: 'always' });
  // `end_role` ends the `always`, and not the failure.
  if (cleaned !== 'completed' && (cleaned !== 'role ended' || end === 'completed')) return cleaned;
  if (batchState.ending.errorClears === errorClears) return end;
  // After `clear_host_errors`, the controller continues after the block, as in Ansible.
  const isTakenBack = batchState.takeBack(frame.position);
  return end === 'failed' || (end === 'halted' && isTakenBack) ? cleaned : end;
}

/** Whether the run was stopped inside the block. */
function isCutOff({ journal, context: { run } }: Walker, end: StepEnd): boolean {
  return journal.isCutOff || end === 'stopped' || (end === 'halted' && run.control.stopSignals.isStopping);
}

async function walkRescued(walk: Walker, block: Block, frame: WalkFrame): Promise<StepEnd> {
  const canRescue = block.rescue.length > 0;
  const own = { ...frame, rescuable: canRescue || frame.rescuable };
  const end = await walkPart(walk, block.steps, own, { part: BLOCK_PARTS.steps, cleanup: frame.cleanup });
  if (end !== 'failed' || !canRescue) return end;
  const cleanup = frame.cleanup === 'always' ? 'always' : 'rescue';
  const rescued = await walkPart(walk, block.rescue, frame, { part: BLOCK_PARTS.rescue, cleanup });
  if (rescued === 'completed') walk.notified.haveFailed = false;
  return rescued;
}

function walkPart(
  walk: Walker,
  steps: readonly Step[],
  frame: WalkFrame,
  { part, cleanup }: { readonly part: number; readonly cleanup: WalkFrame['cleanup'] },
): Promise<StepEnd> {
  return walk.steps(steps, { ...inside(frame, part), cleanup });
}
