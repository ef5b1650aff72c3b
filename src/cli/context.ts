import type { Secrets } from '../core/secrets/secrets.js';
import type { RunSignals } from '../launch/load/ports.js';
import type { Workspace } from '../launch/request/invocation.js';
import type { MaskedStream } from './masked_stream.js';

/** What a command needs from its process. */
export interface CommandContext extends Pick<Workspace, 'cwd' | 'env'> {
  /** What the user typed after the program's name. */
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: MaskedStream;
  readonly stderr: MaskedStream;
  readonly version: string;
  /** Known secrets, which no output may contain. */
  readonly secrets: Secrets;
  readonly signals: Signals;
  /**
   * Says that a file beside the output could not be written. The command continues, and exits with 1 if nothing else is
   * wrong.
   */
  readonly lostFile: (option: string, error: unknown) => void;
}

/** The same with the streams themselves. Only `process.ts`, which creates it, uses `process` itself. */
export interface ProcessContext extends Omit<CommandContext, 'stdout' | 'stderr' | 'lostFile'> {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

interface Signals extends RunSignals {
  /** Takes over while a question is asked; returns how to let go. Without a listener, Node aborts if the terminal is gone. */
  readonly duringQuestion?: () => () => void;
  /**
   * While another program has the terminal: handles SIGTERM, SIGHUP and SIGQUIT in place of the process, and leaves Ctrl-C to that
   * program; returns how to stop that.
   */
  readonly onTermination?: (act: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process immediately. */
  readonly exit?: (code: number) => never;
  /** The command did its work: output that is lost from now on does not change the exit code. */
  readonly workDone?: () => void;
}

/** What is needed to ask a question. */
export type Terminal = Pick<CommandContext, 'stdin' | 'stderr' | 'secrets'> & {
  /** Where something may be written meanwhile. */
  readonly stdout?: Pick<CommandContext['stdout'], 'isTTY' | 'unmasked'>;
  readonly signals: Pick<Signals, 'drain' | 'duringQuestion'>;
};

/** The user ended a question with Ctrl-C or Ctrl-D, or closed the terminal. `main` turns it into the exit code. */
export class PromptInterrupted extends Error {
  override readonly name = 'PromptInterrupted';
}
