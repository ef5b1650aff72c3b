import type { Handler, Located } from '../../model/playbook/step.js';
import type { VariableLayer } from '../../model/values/variables.js';

/**
 * Handlers, variables and roles that the steps of a play or an include add to the whole play. Filled while the steps
 * load.
 */
export class PlayParts {
  /** Handlers of imported roles, which are added to the play's. */
  readonly handlers: Handler[] = [];
  /** Variables of imported roles, which the whole play sees. */
  readonly layers: VariableLayer[] = [];
  /** Names of the roles in `roles` and imports, with repetitions. */
  readonly roles: string[] = [];
  /** Names of their dependencies. */
  readonly dependencies: string[] = [];
  readonly notified: Located<string>[] = [];
  /** Handlers that includes add during the run, as far as they are known before it. */
  readonly expected: Handler[] = [];
  /** Whether an include may add handlers that are unknown before the run. */
  mayAddHandlers = false;

  /** @param roleHandlers handlers of roles that were read for the same play, by the role's key */
  constructor(readonly roleHandlers = new Map<string, readonly Handler[]>()) {}

  /** The parts of an include in the same play. */
  ofInclude(): PlayParts {
    return new PlayParts(this.roleHandlers);
  }

  /** Adds the notifications of an include, and the handlers that it will add. */
  expectFrom(parts: PlayParts): void {
    for (const note of parts.notified) this.notified.push(note);
    for (const handler of [...parts.handlers, ...parts.expected]) this.expected.push(handler);
    this.mayAddHandlers ||= parts.mayAddHandlers;
  }
}
