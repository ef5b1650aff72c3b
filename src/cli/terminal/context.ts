import type { Workspace } from '../../app/request/workspace.js';
import type { Secrets } from '../../secrets/secrets.js';

/** What a command needs from its process. Only `process.ts`, which creates it, uses `process` itself. */
export interface CommandContext extends Pick<Workspace, 'cwd' | 'env'> {
  /** What the user typed after the program's name. */
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly version: string;
  /** Known secrets, which no output may contain. */
  readonly secrets: Secrets;
  readonly signals: Signals;
}

interface Signals {
  /** First interrupt: nothing new starts, writes in flight finish. */
  readonly drain: AbortSignal;
  /** Second interrupt: requests are canceled. */
  readonly abort: AbortSignal;
  /**
   * Registers what must happen if the process exits early; returns how to unregister it. Absent: it does not exit
   * early.
   */
  readonly atExit?: (act: () => void) => () => void;
  /** Handles SIGTERM, SIGHUP and SIGQUIT in place of the process; returns how to stop that. */
  readonly onTermination?: (act: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process immediately. */
  readonly exit?: (code: number) => never;
  /** The command did its work: output that is lost from now on does not change the exit code. */
  readonly workDone?: () => void;
}

/** What is needed to ask a question. */
export type Terminal = Pick<CommandContext, 'stdin' | 'stderr'> & { readonly signals: Pick<Signals, 'drain'> };
