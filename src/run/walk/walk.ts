import { comparePositions, type Position } from '../../model/playbook/position.js';
import type { Handler, Include, RoleRun, Step, Task } from '../../model/playbook/step.js';
import { cleanupArea, placeIn, positionIn } from '../../model/playbook/step_place.js';
import type { StepRef } from '../../model/run/journal.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Variables } from '../../template/scope.js';
import { connectionsOf, type ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { StepKeys } from '../journal/step_keys.js';
import { StepJournal } from '../journal/step_journal.js';
import type { PlayContext } from './play_context.js';
import type { Barrier } from '../batch/strategy.js';
import { type Frame, inside, OUTERMOST } from './frame.js';
import type { StepEnd } from '../batch/batch_state.js';
import { titleOf } from './title.js';
import { walkBlock } from './walk_block.js';
import { walkInclude } from './walk_include.js';
import { walkMeta } from './walk_meta.js';
import { walkTask } from './walk_task.js';
import type { Walker } from './walker.js';

/** One controller's walk through one play, step by step. */
export class Walk implements Walker {
  readonly pending = new Set<Handler>();
  readonly completedRoles = new Set<string>();
  readonly connections: ControllerConnections;
  performed = 0;
  handlerFailed = false;
  isCutOff = false;
  /** Variables that included roles made public. */
  #published: readonly VariableLayer[] = [];
  /** The last step before the interrupt, until the controller has passed it. */
  #last: Position | undefined;
  /** How often the controller has reached each of several equal steps. */
  readonly #counts = new Map<string, number>();

  /** @param variables what the controller sees before any task adds to it */
  constructor(
    readonly context: PlayContext,
    readonly state: ControllerState,
    readonly barrier: Barrier,
    private readonly variables: Variables,
  ) {
    this.connections = connectionsOf(context, state, variables);
    const last = context.run.input.record.past?.reached(state.name, context.area);
    this.#last = last === undefined ? undefined : positionIn(context.area, last);
  }

  /** `stopped` also if only the last task must run again. */
  async toTheEnd(): Promise<StepEnd> {
    const { steps } = this.context;
    const end = await this.steps(steps, { ...OUTERMOST, siblings: steps });
    return this.isCutOff && (end === 'completed' || end === 'left') ? 'stopped' : end;
  }

  async steps(steps: readonly Step[], frame: Frame): Promise<StepEnd> {
    for (const [index, step] of steps.entries()) {
      const end = await this.#step(step, inside(frame, index));
      if (end !== 'completed') return end;
    }
    return 'completed';
  }

  hasPassed({ position }: Frame): boolean {
    return this.#last !== undefined && comparePositions(position, this.#last) <= 0;
  }

  arriveAt(frame: Frame): Promise<void> | undefined {
    if (this.#last === undefined || this.hasPassed(frame)) return undefined;
    this.#last = undefined;
    return this.barrier.startNew();
  }

  stepJournal(frame: Frame, step: Task | Include): StepJournal | undefined {
    const { run, area } = this.context;
    const { journal, past } = run.input.record;
    if (run.keys === undefined) return undefined;
    const [own, known] = this.isCutOff ? [cleanupArea(area), undefined] : [area, past];
    return new StepJournal(journal, known, this.#refOf(run.keys, own, frame, step));
  }

  /** Of steps that are written alike, the first one that it comes by is the first one whenever it is walked again. */
  #refOf(keys: StepKeys, area: string, frame: Frame, step: Task | Include): StepRef {
    const { position, within, siblings } = frame;
    const kind = `${area}${within}${keys.of(step)}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const alike = keys.groupSize(step, siblings);
    return {
      controller: this.state.name,
      place: placeIn(area, position),
      key: `${kind}~${count}`,
      ...(alike !== undefined && { alike }),
      ...(step.loop !== undefined && { list: keys.list(step.loop) }),
    };
  }

  refusal({ shelter, position }: Frame): StepEnd | undefined {
    const { run, batchState } = this.context;
    const { ended, journal } = batchState;
    const goesOn = journal?.mayFinish(this.state.name, position) === true;
    if (ended !== undefined && !goesOn) return 'left';
    if (run.control.stopSignals.blocks(shelter === 'always')) return 'stopped';
    return shelter === 'none' && !goesOn && batchState.isHalted(this.barrier.round) ? 'halted' : undefined;
  }

  scope(layers: readonly VariableLayer[]): Variables {
    return this.variables.child([...this.#published, ...layers, ...layersSince(this.context, this.state)]);
  }

  publish(layers: readonly VariableLayer[]): void {
    const others = this.#published.filter((layer) => !layers.includes(layer));
    this.#published = [...others, ...layers];
  }

  notify(handlers: readonly Handler[], novelty: 'new' | 'reported'): void {
    const { run, play } = this.context;
    for (const handler of handlers) {
      if (this.pending.has(handler)) continue;
      this.pending.add(handler);
      if (novelty === 'reported') continue;
      const title = titleOf(handler, () => this.scope(handler.layers), this.state.used());
      run.emit({ type: 'handler-notified', play: play.name, handler: title, controller: this.state.name });
    }
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
        return walkRole(this, step, frame);
      case 'meta':
        return walkMeta(this, step, frame);
      default:
        return step satisfies never;
    }
  }
}

/**
 * Variables that a controller got since its walk through the play began, lowest precedence first within a level: facts,
 * results, `include_vars`, and the groups that `group_by` and `add_host` added.
 */
function layersSince({ play: { variables } }: PlayContext, state: ControllerState): readonly VariableLayer[] {
  return state.isRegrouped ? [...variables.ofInventory(state.controller), ...state.layers] : state.layers;
}

/**
 * A role runs once for each controller and play, unless it may be repeated. A role whose tasks were all skipped has not run, as in Ansible.
 */
async function walkRole(walk: Walker, role: RoleRun, frame: Frame): Promise<StepEnd> {
  if (!role.repeatable && walk.completedRoles.has(role.key)) return 'completed';
  const before = walk.performed;
  const end = await walk.steps(role.steps, frame);
  if (walk.performed > before) walk.completedRoles.add(role.key);
  return end;
}
