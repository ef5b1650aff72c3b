import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newRunId } from '../journal/run_id.js';

/** Older lists are removed. */
const MOST_LISTS = 50;

/**
 * Keeps names of controllers for `--limit @FILE`, and gives the file as it is to be typed in `cwd`. Undefined if it cannot
 * be written: then there is nothing to copy.
 */
export function retryList(stateDirectory: string, cwd: string): (controllers: readonly string[]) => string | undefined {
  const folder = path.join(stateDirectory, 'retry');
  return (controllers) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeOld(folder);
      const file = path.join(folder, newRunId());
      writeFileSync(file, `${controllers.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
      return path.relative(cwd, file);
    } catch {
      return undefined;
    }
  };
}

/** Their names sort by time. */
function removeOld(folder: string): void {
  const names = readdirSync(folder).sort();
  for (const name of names.slice(0, Math.max(0, names.length - MOST_LISTS + 1))) rmSync(path.join(folder, name));
}
