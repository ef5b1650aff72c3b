import type { Writable } from 'node:stream';
import type { OutputName } from '../../core/model/run/choices.js';
import type { RunFinished } from '../../core/model/run/event.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import type { Palette } from '../text/palette.js';
import type { HasChanged } from '../text/source_files.js';

/**
 * `resume` continues an interrupted run, `rerun` repeats it for the controllers that failed, `plan` plans anew what a plan
 * left undone, `rollback` undoes the run, `unstarted` repeats it only for controllers that did not start.
 */
export type NextStep = 'resume' | 'rerun' | 'plan' | 'rollback' | 'unstarted';

/** An object that a task of this controller wrote, on the controller itself or on its delegate. */
export interface HasWritten {
  readonly controller: string;
  /** `cloud "edge"` */
  readonly object: string;
}

/** Returns the arguments of the task at a position in a file, as written; undefined if they are unknown. */
export type WrittenArguments = (source: Source) => Value | undefined;

/** Standard output or error. Only a terminal has a size. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** What is painted on the terminal again and again. */
export interface Picture {
  /**
   * Lets a question be seen: nothing is painted until the returned function is called. Absent: nothing is painted.
   */
  giveWay?: () => Promise<() => void>;
}

export interface ReporterOptions {
  /** `live` falls back to `grouped` if stdout is not a terminal. */
  readonly output: OutputName;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The caller decides by `NO_COLOR`, `--no-color`, `CI` and the terminal. */
  readonly colour: boolean;
  /** Absent: as stdout. */
  readonly stderrColour?: boolean | undefined;
  /** The number of `-v`: 1 shows ok tasks and retries, 2 values, timing and skipped tasks, 3 requests, 4 their bodies. */
  readonly verbosity: number;
  readonly secrets: Secrets;
  /** Paths inside it are shown relative to it. */
  readonly cwd: string;
  /**
   * Where to print diffs: below each change (`host`, the default), or equal ones together at the end of the play (`fleet`), in an `outline`
   * only those of the first tasks.
   */
  readonly diff?: 'host' | 'fleet' | 'outline' | undefined;
  /** Show only what would change, and why something cannot be planned: for `evenkeel plan`. */
  readonly plan?: boolean | undefined;
  /** Show what tasks returned: for `evenkeel task`. */
  readonly results?: boolean | undefined;
  /** For equal diffs: where values differ between controllers, the template of the task is shown. Absent: unknown. */
  readonly writtenArguments?: WrittenArguments | undefined;
  /** In a GitHub Actions job (`GITHUB_ACTIONS=true`): the folder that annotations are relative to (`GITHUB_WORKSPACE`). */
  readonly github?: { readonly workspace: string } | undefined;
  /** Returns the command that continues, repeats or undoes a run that ended so; undefined if there is none. */
  readonly commandFor?: ((way: NextStep, finished?: RunFinished) => string | undefined) | undefined;
  /** Whether a plan has to be made for what a run that ended so left undone. Absent: the run has nothing to do with a plan. */
  readonly needsPlan?: ((finished: RunFinished) => boolean) | undefined;
  /** Lines about where the time went, above the recap. Absent: none. */
  readonly profile?: ((finished: RunFinished, palette: Palette) => readonly string[]) | undefined;
  /** Absent: unknown, so files are shown as they are. */
  readonly hasChanged?: HasChanged | undefined;
  /** What the live output paints, which gives way to the questions of a run. */
  readonly picture?: Picture | undefined;
  /** What the run had written before it was resumed. Absent for a new run. */
  readonly writtenBefore?: readonly HasWritten[] | undefined;
}
