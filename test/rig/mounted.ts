import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { inFolder } from './folder.js';

const run = promisify(execFile);

/** Uses a folder on a file system of its own. Skips the test, and says so, if this machine does not allow mounts. */
export async function mounted<T>(
  context: Mocha.Context,
  options: readonly string[],
  use: (folder: string) => Promise<T>,
): Promise<void> {
  await inFolder({ 'disk/.keep': '' }, async (folder) => {
    const disk = path.join(folder, 'disk');
    try {
      await run('mount', [...options, disk]);
    } catch (error) {
      process.stderr.write(`left out, since nothing can be mounted here: ${String(error)}\n`);
      context.skip();
    }
    try {
      await use(disk);
    } finally {
      await run('umount', [disk]);
    }
  });
}

/** Holds 64 KiB. */
export const SMALL = ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs'];
