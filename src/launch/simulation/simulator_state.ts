import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { whyFailed } from '../../core/files/file_error.js';
import { makeFolder } from '../../core/files/folders.js';
import type { LoadKinds } from '../../kinds/kind_table.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import { readOrMakeKey } from '../../record/journal/disk/key_file.js';
import { Sealer } from '../../record/journal/disk/sealer.js';
import { Simulator } from '../../simulator/simulator.js';

/** The state folder of simulated controllers. */
function simulatorFolder(stateDirectory: string): string {
  return path.join(stateDirectory, 'simulator');
}

/**
 * Simulated controllers that keep their state sealed, because objects contain passwords; without a folder, they keep it
 * in memory.
 *
 * @throws JournalError if the state cannot be stored there, or cannot be sealed
 */
export function startSimulator(stateDirectory: string | undefined, kinds: LoadKinds): Promise<Simulator> {
  if (stateDirectory === undefined) return Simulator.start({ log: false, kinds });
  const folder = simulatorFolder(stateDirectory);
  return storingIn(folder, async () => {
    await makeFolder(folder);
    const seal = new Sealer(await readOrMakeKey(stateDirectory), 'simulator');
    return Simulator.start({ stateDirectory: folder, seal, log: false, kinds });
  });
}

/**
 * Stores the certificate of the authority that clients of simulated controllers must trust. Returns its file.
 *
 * @throws JournalError if it cannot be written
 */
export function writeAuthority(stateDirectory: string, ca: string): Promise<string> {
  const folder = simulatorFolder(stateDirectory);
  const file = path.join(folder, 'ca.pem');
  return storingIn(folder, async () => {
    await writeFile(file, ca, { mode: 0o600 });
    return file;
  });
}

/**
 * Stops the simulated controllers after their state is on disk.
 *
 * @throws JournalError if it cannot be written
 */
export function closeSimulator(simulator: Simulator, stateDirectory: string | undefined): Promise<void> {
  if (stateDirectory === undefined) return simulator.close();
  return storingIn(simulatorFolder(stateDirectory), () => simulator.close());
}

async function storingIn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(
      `cannot keep the state of simulated controllers in ${folder}: ${whyFailed(error)}`,
      'state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder',
    );
  }
}
