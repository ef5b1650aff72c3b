import { existsSync } from 'node:fs';
import { runFolder } from '../journal/run_folders.js';
import type { WayOn } from '../report/options.js';

/** The command that goes on with a run; undefined if nothing was kept of it. */
export function commandToGoOn(stateDirectory: string, id: string): (way: WayOn) => string | undefined {
  return (way) => {
    if (!existsSync(runFolder(stateDirectory, id))) return undefined;
    return way === 'rerun' ? `evenkeel run --rerun ${id}` : `evenkeel ${way} ${id}`;
  };
}
