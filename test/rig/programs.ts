import { existsSync } from 'node:fs';
import path from 'node:path';

/** The path of an installed program; undefined if there is none. */
export function installed(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/bin', '/usr/local/sbin'];
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Whether all of them are installed. If not, says so, because a suite that is skipped must be noticed. */
export function haveAll(suite: string, ...names: readonly string[]): boolean {
  const missing = names.filter((name) => installed(name) === undefined);
  if (missing.length > 0) process.stderr.write(`\nSKIPPED: ${suite}: not installed: ${missing.join(', ')}\n`);
  return missing.length === 0;
}
