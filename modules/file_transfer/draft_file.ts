import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

/** A download that does not grow ends much earlier. */
const ABANDONED_MS = 3_600_000;

/**
 * Creates a temporary file in a folder beside its target, whose name names this process. A folder of its own, because
 * looking through the target's, with a file for each of 10,000 controllers, would take longer than the downloads.
 */
export async function openDraft(
  dest: string,
  mode: number,
): Promise<{ readonly file: string; readonly handle: FileHandle }> {
  const folder = path.join(path.dirname(dest), `.${path.basename(dest).slice(0, 100)}.part`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder);
  const file = path.join(folder, `${machineName()}-${process.pid}-${randomUUID()}`);
  try {
    return { file, handle: await open(file, 'ax', mode) };
  } catch (error) {
    // Another run may have ended its download to this target, and removed the folder.
    if (hasCode(error, 'ENOENT')) return openDraft(dest, mode);
    throw error;
  }
}

export async function removeDraft(file: string): Promise<void> {
  await rm(file, { force: true });
  // Another run may use the folder.
  await rmdir(path.dirname(file)).catch(() => undefined);
}

/** Machines may share the folder, and their process ids mean nothing to each other. */
function machineName(): string {
  return hash('sha256', hostname()).slice(0, 8);
}

/** Removes what killed runs left of earlier downloads. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, machine, pid] = /^([0-9a-f]{8})-(\d+)-/.exec(name) ?? [];
    const file = path.join(folder, name);
    const written = await stat(file).catch(() => undefined);
    if (written === undefined) continue;
    const isEnded = machine === machineName() && !isRunning(Number(pid));
    if (isEnded || Date.now() - written.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is running, too.
    return !hasCode(error, 'ESRCH');
  }
}

/** Whether it is an error of the system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly unknown[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
