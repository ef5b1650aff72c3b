import type { Position } from '../../core/model/playbook/step_place.js';
import type { RoleRun, Step } from '../../core/model/playbook/step.js';
import type { Variables } from '../../language/scope.js';
import { isHalted, type StepEnd } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';
import { connectionsOf, type ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { inside, OUTERMOST, type Frame } from './frame.js';
import { NotifiedHandlers } from './notified_handlers.js';
import type { PlayContext } from './play_context.js';
import { walkBlock } from './walk_block.js';
import { walkInclude } from './walk_include.js';
import { WalkJournal } from './walk_journal.js';
import { walkMeta } from './walk_meta.js';
import { walkTask } from './walk_task.js';
import { WalkVariables } from './walk_variables.js';
import type { Walker } from './walker.js';

/** One controller's walk through one play, step by step. */
export class Walk implements Walker {
  readonly connections: ControllerConnections;
  readonly variables: WalkVariables;
  readonly notified: NotifiedHandlers;
  readonly journal: WalkJournal;
  performed = 0;
  haltedAt: Position | undefined;
  /** Keys of the roles that were walked through. */
  readonly #completedRoles = new Set<string>();

  /** @param variables what the controller sees before any task adds to it */
  constructor(
    readonly context: PlayContext,
    readonly state: ControllerState,
    readonly barrier: Barrier,
    variables: Variables,
  ) {
    this.connections = connectionsOf(context, state, variables);
    this.variables = new WalkVariables(context, state, variables);
    this.notified = new NotifiedHandlers(context, state, this.variables);
    this.journal = new WalkJournal(context, state.name, barrier);
  }

  /** `stopped` also if only the last task must run again. */
  async toTheEnd(): Promise<StepEnd> {
    const { steps } = this.context;
    const end = await this.steps(steps, { ...OUTERMOST, siblings: steps });
    return this.journal.isCutOff && (end === 'completed' || end === 'left') ? 'stopped' : end;
  }

  async steps(steps: readonly Step[], frame: Frame): Promise<StepEnd> {
    for (const [index, step] of steps.entries()) {
      const end = await this.#step(step, inside(frame, index));
      if (end !== 'completed') return end;
    }
    return 'completed';
  }

  refusal(frame: Frame): StepEnd | undefined {
    const { shelter, position } = frame;
    const { run, batchState } = this.context;
    const { ending, journal } = batchState;
    const goesOn = journal?.mayFinish(this.state.name, position) === true;
    if (ending.ended !== undefined && !goesOn) return 'left';
    if (run.control.stopSignals.blocks(shelter === 'always')) return 'stopped';
    if (shelter !== 'none' || goesOn) return undefined;
    // Before the interrupt, a halt that was taken back meanwhile kept the controller from this step.
    const wasKept = journal?.wasHalted === true && this.journal.hasLeftBehind(frame);
    if (!wasKept && !isHalted(ending, this.barrier.round)) return undefined;
    this.haltedAt = position;
    return 'halted';
  }

  #step(step: Step, frame: Frame): Promise<StepEnd> {
    switch (step.type) {
      case 'task':
        return walkTask(this, step, frame);
      case 'include':
        return walkInclude(this, step, frame);
      case 'block':
        return walkBlock(this, step, frame);
      case 'role':
        return this.#role(step, frame);
      case 'meta':
        return walkMeta(this, step, frame);
      default:
        return step satisfies never;
    }
  }

  /**
   * A role runs once for each controller and play, unless it may be repeated. A role whose tasks were all skipped has not run, as in Ansible.
   */
  async #role(role: RoleRun, frame: Frame): Promise<StepEnd> {
    if (!role.repeatable && this.#completedRoles.has(role.key)) return 'completed';
    const before = this.performed;
    const end = await this.steps(role.steps, frame);
    if (this.performed > before) this.#completedRoles.add(role.key);
    return end;
  }
}
