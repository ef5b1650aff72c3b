import path from 'node:path';
import type { Secrets } from '../secrets/secrets.js';
import type { Invocation } from '../app/request/invocation.js';

/** The world as a command sees it; `main` makes the real one, and nothing below touches `process` itself. */
export interface CommandContext {
  /** What the user typed after the program's name, for messages that say how to go on. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly version: string;
  /** What is known to be secret so far; nothing that is shown may hold it. */
  readonly secrets: Secrets;
  /**
   * Registers a synchronous function to call if the process ends before the command does; returns a function that removes it. Absent if
   * nothing can end the process.
   */
  readonly atExit?: (act: () => void) => () => void;
  /** Handles the signals that would end the process at once: SIGTERM, SIGHUP, SIGQUIT. Returns a function that removes the handlers. */
  readonly onTermination?: (act: (signal: NodeJS.Signals) => void) => () => void;
  /** The command did its work, whatever became of its output: its exit code says so. */
  readonly workDone?: () => void;
  /** First interrupt: nothing new starts, writes in flight finish. */
  readonly drain: AbortSignal;
  /** Second interrupt: requests are given up. */
  readonly abort: AbortSignal;
}

/** Where, with which project file and under which rules an earlier run was asked for; a project file that is named now wins. */
export function asBefore(
  context: CommandContext,
  { cwd, config, noExec }: Pick<Invocation, 'cwd' | 'config' | 'noExec'>,
): CommandContext {
  const { EVENKEEL_CONFIG: named = '' } = context.env;
  const EVENKEEL_CONFIG = named === '' ? config : path.resolve(context.cwd, named);
  const rules = noExec === true ? { EVENKEEL_NO_EXEC: '1' } : {};
  return { ...context, cwd, env: { ...context.env, EVENKEEL_CONFIG, ...rules } };
}

/** What a command ends with; see `docs/cli.md`. */
export const EXIT = {
  ok: 0,
  usage: 1,
  failed: 2,
  changes: 3,
  unreachable: 4,
  gated: 6,
  interrupted: 130,
  terminated: 143,
} as const;
