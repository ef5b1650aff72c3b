import type { Event } from '../../model/run/event.js';
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

/** There are no workers for the run; the hint says what to do. Nothing was contacted. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
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
