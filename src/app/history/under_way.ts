import type { RunHeader } from '../../journal/disk/run_header.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';

/** Why a run that another process is at work with is neither gone on with, nor begun anew, nor undone. */
export function underWay({ id, process }: Pick<RunHeader, 'id' | 'process'>): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} is still running (process ${process.pid} on ${process.host}): nothing was contacted`,
    hint: 'wait until it is done, or end it with Ctrl-C',
  };
}
