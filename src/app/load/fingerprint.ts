import { createHmac } from 'node:crypto';
import path from 'node:path';
import * as Type from 'typebox';
import type { Static } from 'typebox';
import { recordOf } from '../../module/record.js';
import type { LoadedRun } from './load_run.js';

const digests = recordOf(Type.String());

/** The inputs of a run, so that a resume can tell whether they changed. Contains digests, no content. */
export const FINGERPRINT = Type.Object({
  /** The version of evenkeel. */
  version: Type.String(),
  /** Keyed digests of the content, by file (relative to the working directory if inside). */
  files: digests,
  /** By command line, those of what was printed: inventories that are programs. */
  programs: digests,
  /** Those of the inventory, in its order. */
  controllers: Type.Array(Type.String()),
  /** Keyed digests of what each play is called and whom it is for, in their order. */
  plays: Type.Optional(Type.Array(Type.String())),
});

export type Fingerprint = Static<typeof FINGERPRINT>;

interface Taking {
  readonly version: string;
  readonly cwd: string;
  /** Two fingerprints can be compared if they were taken with the same. */
  readonly key: string;
}

/** Files that only a controller's variables name (`include_tasks` with a template) are not part of it: it is taken before the run. */
export function fingerprintOf({ target, reads, playbooks }: LoadedRun, { version, cwd, key }: Taking): Fingerprint {
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
