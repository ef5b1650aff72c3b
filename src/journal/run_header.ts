import type { ProcessIdentity } from '../model/run/process_identity.js';
import type { RunFinished } from '../model/run/event.js';
import type { Mapping } from '../model/values/value.js';

/** Raised when a journal of before cannot be read in the same way. */
export const JOURNAL_VERSION = 1;

/** What is known of a run before its first event. */
export interface RunStart {
  /** The version of evenkeel. */
  readonly evenkeel: string;
  /** `run`, `task`, `rollback`. */
  readonly command: string;
  /** What the user typed after the program's name, without secrets. Of a run that a program made: empty. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly check: boolean;
  readonly simulated: boolean;
  readonly environment: string | null;
  /** As they were given; of a single task: none. */
  readonly playbooks: readonly string[];
  readonly process: ProcessIdentity;
  /** Of a rollback: the run that it undoes. */
  readonly undoes?: string | undefined;
  /** What a resume needs to make the same run again. Sealed on disk: it may hold passwords. */
  readonly invocation?: Mapping | undefined;
  /** What the run was made from, for a resume to compare. Holds no secret. */
  readonly fingerprint?: Mapping | undefined;
}

/** `run.json`. */
export interface RunHeader extends Omit<RunStart, 'invocation'> {
  readonly schemaVersion: typeof JOURNAL_VERSION;
  readonly id: string;
  /** When the run began: ISO 8601, by the clock of the machine, which may have been set back since. */
  readonly time: string;
  /** Which key it was sealed with. */
  readonly key: string;
  /** How it ended. Absent while it runs, and where it was cut off. */
  readonly end?: RunEnd | undefined;
}

/** How a run ended, so that a list of runs need not read whole journals. */
export interface RunEnd extends Pick<RunFinished, 'status' | 'exitCode' | 'seconds'> {
  /** ISO 8601. */
  readonly time: string;
  readonly controllers: number;
  /** Whether anything was about to be written. Absent in the runs of earlier versions: nobody knows. */
  readonly wrote?: boolean | undefined;
}
