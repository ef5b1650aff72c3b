import type { Handler } from '../../core/model/playbook/step.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { renderTitle } from '../keywords/title.js';
import type { PlayContext } from './play_context.js';
import type { WalkVariables } from './walk_variables.js';

/** The handlers that a controller must still run in its play. */
export class NotifiedHandlers {
  /** Notified, and not run yet. */
  readonly pending = new Set<Handler>();
  /** A handler failed, and no `rescue` handled the failure. */
  haveFailed = false;

  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly variables: WalkVariables,
  ) {}

  /** @param novelty notifications from before the interrupt are already `reported` */
  notify(handlers: readonly Handler[], novelty: 'new' | 'reported'): void {
    const { run, play } = this.context;
    for (const handler of handlers) {
      if (this.pending.has(handler)) continue;
      this.pending.add(handler);
      if (novelty === 'reported') continue;
      const title = renderTitle(handler, () => this.variables.scope(handler.layers), this.state.used());
      run.emit({ type: 'handler-notified', play: play.name, handler: title, controller: this.state.name });
    }
  }
}
