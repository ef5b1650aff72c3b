import { errorHint, errorMessage } from '../../model/error_message.js';
import type { Event } from '../../model/run/event.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Credentials, RunUser } from '../../run/input/run_input.js';
import type { RunPorts, RunReport, User } from '../load/ports.js';
import type { RunLock } from '../lock/run_lock.js';

/** What a run must obtain before it starts. */
export interface Permission {
  readonly id: string;
  /** Released by its owner. */
  readonly lock: RunLock;
  readonly credentials: Credentials;
}

/** Why the workers of a site cannot do their part of a run. */
export type Objection = Pick<Diagnostic, 'message' | 'source' | 'hint'>;

/** The workers of sites cannot do their part of a run. */
export class SiteProblem extends Error {
  override readonly name = 'SiteProblem';

  constructor(readonly objections: readonly Objection[]) {
    super(objections.map(({ message }) => message).join('; '));
  }
}

/** The run cannot get workers. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
    const objections =
      cause instanceof SiteProblem ? cause.objections : [{ message: this.message, hint: errorHint(cause) }];
    this.diagnostics = objections.map((one) => ({
      severity: 'error',
      ...one,
      message: `${one.message}: nothing was contacted`,
    }));
  }
}

/** The ports that a permitted run needs. */
export interface ExecutePorts
  extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'caller' | 'signals' | 'meter'>, RunUser {
  /** Typed passwords, for workers that load the run again. */
  readonly asked?: User['asked'];
  /** Prints a line of text before the run. Absent: not shown. */
  readonly notice?: RunReport['notice'];
  /** Each event as it happens. */
  readonly emit: (event: Event) => void;
}
