import type { RunHeader } from '../../journal/disk/run_header.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';

/** Why an active run can be neither resumed, nor rerun, nor rolled back. */
export function underWay({ id, process }: Pick<RunHeader, 'id' | 'process'>): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} is still running (process ${process.pid} on ${process.host}): nothing was contacted`,
    hint: 'wait until it is done, or end it with Ctrl-C',
  };
}
