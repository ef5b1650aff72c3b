import { chown } from 'node:fs/promises';
import type { Context } from 'mocha';

/** Another user of the machine: `nobody` on most systems. */
export const ANOTHER_USER = 65_534;

/** Only root can give files to other users. Reports tests that cannot run, so that they do not count as passed. */
export function needsRoot(test: Context): void {
  if (process.geteuid?.() === 0) return;
  process.stderr.write(`\nSKIPPED, it needs root: ${test.test?.fullTitle() ?? ''}\n`);
  test.skip();
}

/** Gives files or folders to another user. */
export async function giveAway(...names: readonly string[]): Promise<void> {
  for (const name of names) await chown(name, ANOTHER_USER, ANOTHER_USER);
}
