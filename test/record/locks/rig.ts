import { type LockHolder, LockFolder } from '../../../src/record/locks/lock_folder.js';
import { Locks, type LocksOptions } from '../../../src/record/locks/locks.js';
import { ownIdentity } from '../../../src/record/locks/process_identity.js';

export function holder(run: string, process: Partial<LockHolder['process']> = {}): LockHolder {
  const since = new Date().toISOString();
  return { run, process: { ...ownIdentity(), ...process }, user: 'alice', command: 'evenkeel run site.yml', since };
}

/** The locks of a run, as if it were a separate process. */
export async function locksOf(folder: string, run: string, options: Partial<LocksOptions> = {}): Promise<Locks> {
  const opened = await LockFolder.open(folder, { own: false });
  return new Locks({ folder: opened, holder: holder(run), ...options });
}
