import type { Handler, Located } from '../../model/playbook/step.js';
import type { VariableLayer } from '../../model/values/variables.js';

/**
 * What loading the steps of a play, or of an include, finds out besides the steps. Filled while they load.
 */
export class PlayParts {
  /** Of imported roles: they join the play's. */
  readonly handlers: Handler[] = [];
  /** Of imported roles: the whole play sees them. */
  readonly layers: VariableLayer[] = [];
  /** Names of the roles that `roles` and imports name, as often as they do. */
  readonly roles: string[] = [];
  /** Names of what those depend on. */
  readonly dependencies: string[] = [];
  readonly notified: Located<string>[] = [];
  /** Handlers that includes bring during the run, as far as they can be known. */
  readonly awaited: Handler[] = [];
  /** Whether an include may bring handlers that are unknown before the run. */
  open = false;

  /** @param roleHandlers handlers of roles that were read for the same play, by the role's key: each is there once */
  constructor(readonly roleHandlers = new Map<string, readonly Handler[]>()) {}

  /** Those of what an include brings to the same play. */
  ofInclude(): PlayParts {
    return new PlayParts(this.roleHandlers);
  }

  /** Counts in what an include is going to bring. */
  await(parts: PlayParts): void {
    for (const note of parts.notified) this.notified.push(note);
    for (const handler of [...parts.handlers, ...parts.awaited]) this.awaited.push(handler);
    this.open ||= parts.open;
  }
}
