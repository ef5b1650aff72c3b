import { EXIT } from '../core/model/exit_code.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { RunSignals } from '../launch/load/ports.js';
import type { Workspace } from '../launch/request/invocation.js';
import { formatDiagnostics, withRelativeFiles } from '../reporting/diagnostics.js';
import { GithubCommands } from '../reporting/reporters/github.js';
import { colourWanted } from '../reporting/text/palette.js';
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

/** Prints the errors to stderr and returns the exit code for bad input. */
export function refuse(diagnostics: readonly Diagnostic[], context: CommandContext, color?: boolean): number {
  show(diagnostics, context, color);
  return EXIT.usage;
}

/** Shows errors and warnings with their code frames, on stderr. */
export function show(diagnostics: readonly Diagnostic[], context: CommandContext, color?: boolean): void {
  writeDiagnostics(diagnostics, context.stderr, context, { color });
  annotate(diagnostics, context);
}

/** Goes around the mask of the stream: the lines of code are masked more exactly, and a caret points into them. */
export function writeDiagnostics(
  diagnostics: readonly Diagnostic[],
  stream: MaskedStream,
  { env, cwd, secrets }: CommandContext,
  { color, rules }: { readonly color?: boolean | undefined; readonly rules?: boolean },
): void {
  const colour = colourWanted(stream, env, color);
  stream.unmasked.write(formatDiagnostics(diagnostics, { colour, cwd, secrets, rules }));
}

/** In a job of GitHub Actions, errors and warnings are shown at their lines in a pull request. */
export function annotate(diagnostics: readonly Diagnostic[], { stderr, env, cwd }: CommandContext): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  const github = new GithubCommands(env['GITHUB_WORKSPACE'] ?? cwd, cwd);
  const shown = (text: string): string => withRelativeFiles(text, cwd);
  for (const one of diagnostics) {
    const hint = one.hint && shown(one.hint);
    stderr.writeCommand(github.diagnostic({ ...one, message: shown(one.message), hint }));
  }
}
