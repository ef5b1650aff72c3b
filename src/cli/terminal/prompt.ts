import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from '../context.js';

/** What a question needs. */
type Terminal = Pick<CommandContext, 'stdin' | 'stderr' | 'drain'>;

/** Asks on the terminal, on stderr because stdout is for data. Undefined without a terminal. */
export async function ask(question: string, context: Terminal): Promise<string | undefined> {
  return prompt(question, context.stderr, context);
}

/** As `ask`, for what must not be seen: the answer is not echoed. */
export async function askSecret(question: string, context: Terminal): Promise<string | undefined> {
  const silent = new Writable({ write: swallow });
  const answer = await prompt('', silent, context, () => context.stderr.write(question));
  if (context.stdin.isTTY) context.stderr.write('\n');
  return answer;
}

/** @param onReady called when the terminal has stopped to echo what is typed */
async function prompt(
  question: string,
  output: Writable,
  context: Terminal,
  onReady?: () => void,
): Promise<string | undefined> {
  if (!context.stdin.isTTY) return undefined;
  const lines = createInterface({ input: context.stdin, output, terminal: true });
  onReady?.();
  // In raw mode Ctrl-C is a key, not a signal; Ctrl-D ends the input.
  const interrupted = new AbortController();
  const giveUp = (): void => {
    interrupted.abort();
  };
  lines.on('SIGINT', giveUp).on('close', giveUp);
  try {
    return await lines.question(question, { signal: AbortSignal.any([interrupted.signal, context.drain]) });
  } catch (error) {
    if (interrupted.signal.aborted || context.drain.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}

function swallow(_chunk: unknown, _encoding: string, done: () => void): void {
  done();
}
