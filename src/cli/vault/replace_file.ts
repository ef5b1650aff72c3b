import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** What holds secrets, encrypted or not, is for its owner alone. */
const PRIVATE = 0o600;

/**
 * Replaces a file atomically: writes a new file beside it, syncs, and renames. Keeps mode, owner and a symbolic link. A new file is
 * readable by its owner only.
 */
export async function replaceFile(name: string, content: Buffer | string): Promise<void> {
  const file = await realpath(name).catch(() => name);
  const before = await stat(file).catch(() => undefined);
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(beside, 'wx', PRIVATE);
    try {
      await handle.writeFile(content);
      if (before !== undefined) {
        // Only the superuser can give a file away; anybody else owns the new one.
        await handle.chown(before.uid, before.gid).catch(() => undefined);
        await handle.chmod(before.mode & 0o7777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}
