import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandContext } from '../cli/context.js';
import { whyFailed } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import { mayExecute, programs } from '../core/programs/programs.js';

/** What a shell ends with if there is no such program. */
const NOT_FOUND = 127;

/** Shows a text in `$PAGER`, or in less if installed; not on a terminal, just writes it. Returns whether a signal ended it. */
export async function page(content: Buffer, context: CommandContext): Promise<boolean> {
  const { stdout, env, cwd, stdin } = context;
  if (stdout.isTTY && mayExecute(env)) {
    const pager = env['PAGER'] === '' ? 'less' : (env['PAGER'] ?? 'less');
    const termination = new Termination(context);
    const end = await run(pager, { text: content }, { cwd, stdin, env: { LESS: 'FRX', ...env } }, termination);
    termination.unwatch?.();
    if (termination.signal !== undefined) return true;
    if (end !== NOT_FOUND && !(end instanceof Error)) return false;
  }
  stdout.reveal(content);
  return false;
}

type Edited =
  | { readonly status: 'ok'; readonly content: Buffer }
  | { readonly status: 'failed'; readonly message: string; readonly hint?: string; readonly exitCode: number };

/** Milliseconds that an editor or pager has to restore the terminal after a signal. */
const GRACE = 2000;

/**
 * Lets the user edit a text in `$EDITOR` (else `$VISUAL`, else vi), in a private folder that is removed afterwards,
 * also after a signal (except SIGKILL). If the editor fails, its text is discarded.
 *
 * @param name of the file: editors choose a syntax by its extension
 */
export async function edit(content: Buffer, name: string, context: CommandContext): Promise<Edited> {
  if (!mayExecute(context.env)) return failed('--no-exec does not start an editor');
  try {
    return await editCopy(content, name, context);
  } catch (error) {
    return failed(`cannot write or read the copy for the editor in ${tmpdir()}: ${whyFailed(error)}`);
  }
}

async function editCopy(content: Buffer, name: string, context: CommandContext): Promise<Edited> {
  const { env } = context;
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-vault-'));
  const stay = context.signals.atExit?.(() => rmSync(folder, { recursive: true, force: true }));
  // While the text is on disk, handle SIGQUIT: it would end this process and leave the text there.
  const termination = new Termination(context);
  try {
    const file = path.join(folder, `content${path.extname(name)}`);
    await writeFile(file, content, { mode: 0o600 });
    const editor = [env['EDITOR'], env['VISUAL']].find((one = '') => one !== '') ?? 'vi';
    const end = await run(editor, { file }, context, termination);
    const endedBy = termination.signal;
    if (endedBy !== undefined)
      return failed(`${endedBy} ended the editor (${editor})`, 128 + constants.signals[endedBy]);
    if (end === NOT_FOUND)
      return { ...failed(`there is no editor "${editor}"`), hint: 'set EDITOR, such as: EDITOR=nano' };
    const failure = howFailed(end);
    if (failure !== undefined) return failed(`the editor (${editor}) ${failure}`);
    return { status: 'ok', content: await readFile(file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
    stay?.();
    termination.unwatch?.();
  }
}

function failed(message: string, exitCode: number = EXIT.usage): Extract<Edited, { readonly status: 'failed' }> {
  return { status: 'failed', message, exitCode };
}

/** The first signal that this process gets to end it, and what to do then. */
class Termination {
  signal: NodeJS.Signals | undefined;
  readonly unwatch: (() => void) | undefined;
  #act = (): void => undefined;

  constructor({ signals }: CommandContext) {
    this.unwatch = signals.onTermination?.((signal) => {
      this.signal ??= signal;
      this.#act();
    });
  }

  do(act: () => void): void {
    this.#act = act;
    if (this.signal !== undefined) act();
  }
}

/** How a program ended: with an exit code, by a signal, or not even started. */
type ProgramEnd = number | NodeJS.Signals | Error;

function howFailed(end: ProgramEnd): string | undefined {
  if (end instanceof Error) return `cannot be started: ${end.message}`;
  if (typeof end === 'string') return `was ended by signal ${end}`;
  return end === 0 ? undefined : `ended with exit code ${end}`;
}

/** Gives the terminal to an editor of a file or to a pager of a text. Uses the shell, because of options: `code --wait`. */
function run(
  command: string,
  given: { readonly file: string } | { readonly text: Buffer },
  context: Pick<CommandContext, 'cwd' | 'env' | 'stdin'>,
  termination: Termination,
): Promise<ProgramEnd> {
  const { cwd, env } = context;
  const { spawn } = programs(mayExecute(env));
  // A simple command: `exec` replaces the shell, so signals reach the program itself.
  const exec = /^[\w./-]+(?: [\w./=-]+)*$/.test(command) ? 'exec ' : '';
  const words = 'file' in given ? [`${exec}${command} "$@"`, command, given.file] : [`${exec}${command}`];
  const terminal = context.stdin.isTTY ? openTerminal(env) : undefined;
  return new Promise((resolve) => {
    const [stdin, stderr] = 'file' in given ? (['inherit', 'inherit'] as const) : (['pipe', 'ignore'] as const);
    const child = spawn('/bin/sh', ['-c', ...words], { cwd, env, stdio: [stdin, 'inherit', stderr] });
    let timer: NodeJS.Timeout | undefined;
    termination.do(() => {
      child.kill('SIGTERM');
      timer ??= setTimeout(() => child.kill('SIGKILL'), GRACE);
    });
    const end = (how: ProgramEnd): void => {
      clearTimeout(timer);
      termination.do(() => undefined);
      if (termination.signal !== undefined) terminal?.restore();
      resolve(how);
    };
    child.on('error', end);
    child.on('close', (code, signal) => end(signal ?? code ?? EXIT.usage));
    // Who leaves the pager early has seen enough.
    if ('text' in given) child.stdin?.on('error', () => undefined).end(given.text);
  });
}

/** The current terminal settings, to restore if the program is killed. Undefined where there is no `stty`. */
function openTerminal(env: CommandContext['env']): { restore(): void } | undefined {
  const stty = (...args: readonly string[]): string | undefined => {
    try {
      const stdio: ['inherit', 'pipe', 'ignore'] = ['inherit', 'pipe', 'ignore'];
      return programs(mayExecute(env)).execFileSync('stty', args, { env, stdio }).toString().trim();
    } catch {
      return undefined;
    }
  };
  const settings = stty('-g');
  return settings === undefined ? undefined : { restore: () => void stty(settings) };
}
