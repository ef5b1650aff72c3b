import type { Writable } from 'node:stream';
import type { Secrets } from '../../model/secrets.js';

/** `resume` finishes a run; `rerun` starts it anew for the controllers that did not make it; `rollback` undoes it. */
export type WayOn = 'resume' | 'rerun' | 'rollback';

/** An object that a controller had written to it, or to another one in its place. */
export interface WrittenBefore {
  readonly controller: string;
  /** `cloud "edge"` */
  readonly object: string;
}

type OutputName = 'live' | 'lines' | 'json' | 'quiet';

/** Standard output or error: a terminal knows its size, a pipe or a file does not. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

export interface ReporterOptions {
  /** `live` falls back to `lines` where stdout is no terminal. */
  readonly output: OutputName;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Decided by the caller from `NO_COLOR`, `--no-color`, `CI` and the terminal. */
  readonly colour: boolean;
  /** How many `-v`: 1 ok tasks and values, 2 timing and skipped tasks, 3 requests, 4 their bodies. */
  readonly verbosity: number;
  readonly secrets: Secrets;
  /** Paths below it are shown relative to it. */
  readonly cwd: string;
  /** Diffs of the tasks that ask for them: below each change, or equal ones together at the end of the play. Default `host`. */
  readonly diff?: 'host' | 'fleet' | undefined;
  /** In a GitHub Actions job (`GITHUB_ACTIONS=true`): the folder that annotations are relative to (`GITHUB_WORKSPACE`). */
  readonly github?: { readonly workspace: string } | undefined;
  /** The command to go on with, for the end of a run that did not come to the end of everything; undefined if there is none. */
  readonly commandToGoOn?: ((way: WayOn) => string | undefined) | undefined;
  /** What the run had written before it was gone on with. Absent: it is a new one. */
  readonly writtenBefore?: readonly WrittenBefore[] | undefined;
}
