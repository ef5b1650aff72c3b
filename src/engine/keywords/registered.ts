import type { RunTaskResult } from '../../core/model/run/result.js';
import { joined } from '../../core/model/values/stored.js';
import type { Mapping } from '../../core/model/values/value.js';

/**
 * A result as `register` stores it, in Ansible's shape: `changed`, `failed`, `skipped` (only if skipped), `unreachable` (only if
 * unreachable), `msg` (if there is one), and the values of the module.
 */
export function registered(result: RunTaskResult): Mapping {
  switch (result.status) {
    case 'ok':
    case 'changed':
      return joined(
        { changed: result.status === 'changed', failed: false, ...messageValue(result.message) },
        result.values,
      );
    case 'skipped':
      return joined({ changed: false, failed: false, skipped: true, skip_reason: result.message }, result.values);
    case 'interrupted':
      return joined(joined({ changed: false, msg: result.message }, result.values), { failed: true });
    case 'failed':
      return joined(joined({ changed: false, msg: result.failure.message }, result.values), { failed: true });
    case 'unreachable':
      return joined(joined({ changed: false, msg: result.failure.message }, result.values), { unreachable: true });
  }
}

function messageValue(message: string | undefined): Mapping {
  return message === undefined ? {} : { msg: message };
}
