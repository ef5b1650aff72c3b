import { readHeader, type RunHeader } from '../../journal/disk/run_header.js';
import { listRuns } from '../../journal/disk/run_folders.js';

/** The id of the newest rollback of a run; undefined if there was none. What was only looked at or rehearsed has put nothing back. */
export async function rollbackOf(
  stateDirectory: string,
  { id, simulated }: Pick<RunHeader, 'id' | 'simulated'>,
): Promise<string | undefined> {
  for (const later of await listRuns(stateDirectory)) {
    if (later <= id) return undefined;
    const header = await readHeader(stateDirectory, later).then(
      (file) => file.header,
      () => undefined,
    );
    if (header?.undoes === id && !header.check && header.simulated === simulated) return later;
  }
  return undefined;
}
