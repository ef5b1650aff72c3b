import type { Handler, Step } from '../../model/playbook.js';
import type { VariableLayer } from '../../model/variables.js';
import type { Variables } from '../../template/scope.js';
import { layersSince } from '../fleet/controller_layers.js';
import type { ControllerState } from '../fleet/controller_state.js';
import { inside, OUTERMOST, type Frame } from './frame.js';
import { LazySession } from '../fleet/lazy_session.js';
import type { PlayContext } from '../play/play_context.js';
import type { StepEnd } from './step_end.js';
import type { Gate } from '../play/strategy.js';
import { titleOf } from './title.js';
import { walkBlock } from './walk_block.js';
import { walkInclude } from './walk_include.js';
import { walkMeta } from './walk_meta.js';
import { walkRole } from './walk_role.js';
import { walkTask } from './walk_task.js';
import type { Walker } from './walker.js';

/** One controller's way through one play: its steps one after the other. */
export class Walk implements Walker {
  readonly pending = new Set<Handler>();
  readonly completedRoles = new Set<string>();
  readonly session: LazySession;
  performed = 0;
  handlerFailed = false;
  /** What included roles made public. */
  #published: readonly VariableLayer[] = [];

  /** @param variables what the controller sees before any task adds to it */
  constructor(
    readonly context: PlayContext,
    readonly state: ControllerState,
    readonly gate: Gate,
    private readonly variables: Variables,
  ) {
    const open = () => context.run.sessions.open(state.controller, (name) => this.scope([]).get(name));
    this.session = new LazySession(open, this.context.run.breather);
  }

  toTheEnd(): Promise<StepEnd> {
    return this.steps(this.context.steps, OUTERMOST);
  }

  async steps(steps: readonly Step[], frame: Frame): Promise<StepEnd> {
    for (const [index, step] of steps.entries()) {
      const end = await this.#step(step, inside(frame, index));
      if (end !== 'completed') return end;
    }
    return 'completed';
  }

  refusal({ shelter }: Frame): StepEnd | undefined {
    const { run, batchState } = this.context;
    if (batchState.ended !== undefined) return 'left';
    if (run.brake.stops(shelter === 'always')) return 'stopped';
    return batchState.halted !== undefined && shelter === 'none' ? 'halted' : undefined;
  }

  scope(layers: readonly VariableLayer[]): Variables {
    return this.variables.child([...this.#published, ...layers, ...layersSince(this.context, this.state)]);
  }

  publish(layers: readonly VariableLayer[]): void {
    const others = this.#published.filter((layer) => !layers.includes(layer));
    this.#published = [...others, ...layers];
  }

  notify(handlers: readonly Handler[]): void {
    const { run, name: play } = this.context;
    for (const handler of handlers) {
      if (this.pending.has(handler)) continue;
      this.pending.add(handler);
      const title = titleOf(handler, () => this.scope(handler.layers));
      run.emit({ type: 'handler-notified', play, handler: title, controller: this.state.name });
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
