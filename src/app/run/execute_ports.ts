import { errorMessage } from '../../model/error_message.js';
import type { Event } from '../../model/run/event.js';
import type { Source } from '../../model/source/source.js';
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

/** Why the workers of a site cannot do their part of a run, with the place in a file that causes it. */
export class SiteProblem extends Error {
  override readonly name = 'SiteProblem';

  constructor(
    message: string,
    readonly source: Source | undefined,
    readonly hint: string | undefined,
  ) {
    super(message);
  }
}

/** The run cannot get workers. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError';
  readonly hint: string | undefined;
  readonly source: Source | undefined;

  constructor(cause: unknown) {
    super(`${errorMessage(cause)}: nothing was contacted`, { cause });
    this.hint = cause instanceof Error && 'hint' in cause && typeof cause.hint === 'string' ? cause.hint : undefined;
    this.source = cause instanceof SiteProblem ? cause.source : undefined;
  }
}

/** Of the ports, what is needed once the run may begin. */
export interface ExecutePorts
  extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'caller' | 'signals' | 'meter'>, RunUser {
  /** Passwords that were asked for, for workers that load the run again. */
  readonly asked?: User['asked'];
  /** A line of text before the run. Absent: nothing shows it. */
  readonly notice?: RunReport['notice'];
  /** Each event as it happens, secrets masked. */
  readonly emit: (event: Event) => void;
}
