import type { Event } from '../../core/model/run/event.js';
import type { RunUser, TypedCredentials } from '../../engine/input/run_input.js';
import type { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import type { Owners } from '../../engine/preflight/addresses.js';
import type { RunPorts } from '../load/ports.js';
import type { RunLock } from '../lock/lock_controllers.js';

/** What a run must obtain before it starts. */
export interface Permission {
  readonly id: string;
  /** Released by its owner. */
  readonly lock: RunLock;
  /** Writes of earlier runs whose outcome is unknown. Absent: there are none. */
  readonly unsettled?: UnsettledWrites | undefined;
  readonly credentials: TypedCredentials;
  readonly owners: Owners;
}

/** The ports that a permitted run needs. */
export interface ExecutePorts
  extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'caller' | 'signals' | 'meter'>, RunUser {
  /** Each event as it happens. */
  readonly emit: (event: Event) => void;
}
