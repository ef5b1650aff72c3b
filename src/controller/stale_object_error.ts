import { ControllerError } from './controller_error.js';
import type { Call } from './exchange.js';

/**
 * 412: the object changed between the read and the write. The engine reads and plans again, a few times at most.
 * `uncertain` is true when an earlier attempt of the same write lost its reply: then that write may be what changed it.
 */
export class StaleObjectError extends ControllerError {
  override readonly name = 'StaleObjectError';

  constructor(call: Call, uncertain: boolean) {
    super('changed by someone else since it was read (412)', {
      outcome: 'failed',
      method: call.method,
      path: call.path,
      status: 412,
      hint: 'run again to read the object again',
      uncertain,
    });
  }
}
