import { createHmac } from 'node:crypto';
import path from 'node:path';
import type { Fingerprint } from '../request/invocation.js';
import type { LoadedRun } from './load_run.js';

interface FingerprintOptions {
  readonly version: string;
  readonly cwd: string;
  /** Only fingerprints with the same key can be compared. */
  readonly key: string;
}

/**
 * Does not include files whose names depend on a controller's variables (`include_tasks` with a template), because it
 * is computed before the run.
 */
export function takeFingerprint(
  { target, reads, playbooks }: LoadedRun,
  { version, cwd, key }: FingerprintOptions,
): Fingerprint {
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const keyed = (of: readonly (readonly [string, string])[]): Record<string, string> =>
    Object.fromEntries(of.map(([name, plain]) => [name, digest(plain)]));
  const { inventory } = target;
  return {
    version,
    files: keyed([...reads.files].map(([file, digest]) => [shown(file, cwd), digest])),
    programs: keyed([...reads.programs]),
    controllers: [...inventory.controllers.keys()],
    plays: playbooks.flatMap(({ plays }) =>
      plays.map(({ name, hosts }) => digest(JSON.stringify([name ?? null, hosts.value]))),
    ),
  };
}

function shown(file: string, cwd: string): string {
  return file.startsWith(cwd + path.sep) ? path.relative(cwd, file) : file;
}
