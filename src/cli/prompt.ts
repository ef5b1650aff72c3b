import type { Key } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { maskText } from '../core/secrets/mask_text.js';
import type { LoadingWorkspace } from '../launch/load/target.js';
import type { AskSecret } from '../launch/load/vault_passwords.js';
import { PromptInterrupted, type CommandContext, type Terminal } from './context.js';

/** Asks on the terminal (on stderr: stdout is for data). Undefined if stdin is not a terminal, or when interrupted. */
export async function ask(question: string, terminal: Terminal): Promise<string | undefined> {
  return prompt(maskText(question, terminal.secrets), terminal.stderr.unmasked, terminal);
}

/** As `ask`, without echoing the answer. */
export async function askSecret(question: string, terminal: Terminal): Promise<string | undefined> {
  const silent = new Writable({ write: swallow });
  const answer = await prompt('', silent, terminal, () => terminal.stderr.write(question));
  if (terminal.stdin.isTTY) terminal.stderr.write('\n');
  return answer;
}

/** The answer to a question without which the command cannot begin. Undefined if stdin is not a terminal. */
export function required(answer: string | undefined, terminal: Terminal): string | undefined {
  if (answer === undefined && terminal.stdin.isTTY) throw new PromptInterrupted('interrupted');
  return answer;
}

/** @param onReady called when the terminal no longer echoes what is typed */
async function prompt(
  question: string,
  output: Writable,
  terminal: Terminal,
  onReady?: () => void,
): Promise<string | undefined> {
  if (!terminal.stdin.isTTY) return undefined;
  const letGo = terminal.signals.duringQuestion?.();
  const lines = createInterface({ input: terminal.stdin, output, terminal: true });
  onReady?.();
  // In raw mode Ctrl-C is a key, not a signal; Ctrl-D ends the input; a closed terminal is an error of a read.
  const interrupted = new AbortController();
  const giveUp = (): void => interrupted.abort();
  // Ctrl-\ is a key, too.
  const quit = (_text: unknown, { sequence }: Key): void => {
    if (sequence !== QUIT) return;
    lines.close();
    process.kill(process.pid, 'SIGQUIT');
  };
  terminal.stdin.on('keypress', quit);
  lines.on('SIGINT', giveUp).on('close', giveUp).on('error', giveUp);
  // After Ctrl-Z and `fg`, readline stays paused until it is resumed.
  lines.on('SIGCONT', () => {
    lines.resume();
    onReady?.();
  });
  try {
    return await lines.question(question, { signal: AbortSignal.any([interrupted.signal, terminal.signals.drain]) });
  } catch (error) {
    if (interrupted.signal.aborted || terminal.signals.drain.aborted) return undefined;
    throw error;
  } finally {
    terminal.stdin.off('keypress', quit);
    lines.close();
    letGo?.();
  }
}

const QUIT = '\u001c';

function swallow(_chunk: unknown, _encoding: string, done: () => void): void {
  done();
}

/** Asks for a secret without which the command cannot begin. */
export function requiredSecret(terminal: Terminal): AskSecret {
  return async (question) => required(await askSecret(question, terminal), terminal);
}

/** What is needed to read an inventory. Asks for vault passwords on the terminal. */
export function loadingPorts(
  context: CommandContext,
): LoadingWorkspace & { readonly secrets: CommandContext['secrets']; readonly askSecret: AskSecret } {
  const { cwd, env, secrets } = context;
  return { cwd, env, secrets, askSecret: requiredSecret(context) };
}
