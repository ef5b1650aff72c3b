import type { Handler, Step } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { renderTitle } from '../keywords/rendered_keywords.js';
import type { PlayContext, WalkFrame } from './play_context.js';
import type { WalkJournal } from './walk_journal.js';
import type { WalkVariables } from './walk_variables.js';

/** One controller's walk through one play, as steps see it. */
export interface Walker {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly connections: ControllerConnections;
  readonly variables: WalkVariables;
  readonly notified: NotifiedHandlers;
  readonly journal: WalkJournal;
  /** Number of tasks that were carried out, not skipped. */
  performed: number;
  /** The step that a halt of the batch kept the controller from. */
  readonly haltedAt: StepPosition | undefined;
  /** The controller reaches a shared step inside a loop or a flush. Returns how often it has. */
  visit(shared: string): number;
  /** Why nothing more may start on this controller; undefined if it may. */
  refusal(frame: WalkFrame): StepEnd | undefined;
  steps(steps: readonly Step[], frame: WalkFrame): Promise<StepEnd>;
}

const NO_HANDLERS: ReadonlyMap<Handler, undefined> = new Map();

/** The handlers that a controller must still run in its play. */
export class NotifiedHandlers {
  #pending: Map<Handler, string | undefined> | undefined;
  /** A handler failed, and no `rescue` handled the failure. */
  haveFailed = false;

  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly variables: WalkVariables,
  ) {}

  /** Notified, and not run yet. The values tell handlers apart (`#identity`): rendering all names again at each notification takes long. */
  get pending(): ReadonlyMap<Handler, string | undefined> {
    return this.#pending ?? NO_HANDLERS;
  }

  /**
   * A role that is used again has its handlers again. Of those with the same name, only the latest runs, as in ansible-core since 2.16.
   * @param novelty notifications from before the interrupt are already `reported`
   */
  notify(handlers: readonly Handler[], novelty: 'new' | 'reported'): void {
    const { run, play } = this.context;
    const before = [...this.pending];
    for (const handler of handlers) {
      if (this.pending.has(handler)) continue;
      const identity = this.#identity(handler);
      const [earlier] = before.find(([, one]) => identity !== undefined && one === identity) ?? [];
      if (earlier !== undefined) this.remove(earlier);
      (this.#pending ??= new Map()).set(handler, identity);
      if (novelty === 'reported' || earlier !== undefined) continue;
      const title = this.#title(handler, this.state.used());
      run.emit({ type: 'handler-notified', play: play.name, handler: title, controller: this.state.name });
    }
  }

  /** The name is unmasked, because different ones could look the same. Handlers without a name all run, as in Ansible. */
  #identity(handler: Handler): string | undefined {
    return handler.name && `${placeText(handler.source)} ${this.#title(handler, undefined)}`;
  }

  #title(handler: Handler, used: UsedVariables | undefined): string {
    return renderTitle(handler, () => this.variables.scope(handler.layers), used);
  }

  /** The handler was run. */
  remove(handler: Handler): void {
    this.#pending?.delete(handler);
  }
}
