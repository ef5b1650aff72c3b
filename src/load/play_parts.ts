import type { Handler, Located } from '../model/playbook.js';
import type { VariableLayer } from '../model/variables.js';

/**
 * What is known of a play, or of what an include brings, once its steps are loaded, beside the steps: filled on the way.
 */
export class PlayParts {
  /** Of imported roles: they join the play's. */
  readonly handlers: Handler[] = [];
  /** Of imported roles: the whole play sees them. */
  readonly layers: VariableLayer[] = [];
  /** Names of imported roles. */
  readonly roles: string[] = [];
  readonly notified: Located<string>[] = [];
  /** Handlers that includes bring during the run, as far as they can be known. */
  readonly awaited: Handler[] = [];
  /** An include may bring handlers that nobody knows yet. */
  open = false;

  /** Counts in what an include is going to bring. */
  await(parts: PlayParts): void {
    this.notified.push(...parts.notified);
    this.awaited.push(...parts.handlers, ...parts.awaited);
    this.open ||= parts.open;
  }
}
