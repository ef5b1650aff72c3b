import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandContext } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import { mayExecute, programs } from '../core/programs/programs.js';

export type Edited =
  | { readonly status: 'ok'; readonly content: Buffer }
  | { readonly status: 'failed'; readonly message: string; readonly exitCode: number };

/** Milliseconds that an editor has to restore the terminal after a signal. */
const GRACE = 2000;

/**
 * Lets the user edit a text in `$EDITOR` (else `$VISUAL`, else vi), in a private folder that is removed afterwards,
 * also after a signal (except SIGKILL). If the editor fails, its text is discarded.
 *
 * @param name of the file: editors choose a syntax by its extension
 */
export async function edit(content: Buffer, name: string, context: CommandContext): Promise<Edited> {
  const { env } = context;
  if (!mayExecute(env)) return failed('--no-exec does not start an editor');
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-vault-'));
  const stay = context.signals.atExit?.(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  // While the text is on disk, handle SIGQUIT: it would end this process and leave the text there.
  const termination = new Termination(context);
  try {
    const file = path.join(folder, `content${path.extname(name)}`);
    await writeFile(file, content, { mode: 0o600 });
    const editor = [env['EDITOR'], env['VISUAL']].find((one = '') => one !== '') ?? 'vi';
    const failure = await run(editor, file, context, termination);
    const endedBy = termination.signal;
    if (endedBy !== undefined)
      return failed(`${endedBy} ended the editor (${editor})`, 128 + constants.signals[endedBy]);
    if (failure !== undefined) return failed(`the editor (${editor}) ${failure}`);
    return { status: 'ok', content: await readFile(file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
    stay?.();
    termination.unwatch?.();
  }
}

function failed(message: string, exitCode: number = EXIT.usage): Edited {
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

/**
 * Returns how the editor failed, or nothing. Uses the shell, because the command may have options: `code --wait`.
 */
function run(
  editor: string,
  file: string,
  { cwd, env, stdin }: CommandContext,
  termination: Termination,
): Promise<string | undefined> {
  const { spawn } = programs(mayExecute(env));
  // A simple command: `exec` replaces the shell, so signals reach the editor itself.
  const exec = /^[\w./-]+(?: [\w./=-]+)*$/.test(editor) ? 'exec ' : '';
  const terminal = stdin.isTTY ? openTerminal(env) : undefined;
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${exec}${editor} "$@"`, editor, file], { cwd, env, stdio: 'inherit' });
    let timer: NodeJS.Timeout | undefined;
    termination.do(() => {
      child.kill('SIGTERM');
      timer ??= setTimeout(() => child.kill('SIGKILL'), GRACE);
    });
    const end = (failure?: string): void => {
      clearTimeout(timer);
      termination.do(() => undefined);
      if (termination.signal !== undefined) terminal?.restore();
      resolve(failure);
    };
    child.on('error', (error) => {
      end(`cannot be started: ${error.message}`);
    });
    child.on('close', (code, signal) => {
      if (signal !== null) end(`was ended by signal ${signal}`);
      else end(code === 0 ? undefined : `ended with exit code ${code ?? 'unknown'}`);
    });
  });
}

/** The current terminal settings, to restore if the editor is killed. Undefined where there is no `stty`. */
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
