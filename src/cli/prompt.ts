import { createInterface, type Key } from 'node:readline';
import { Writable } from 'node:stream';
import { PromptInterrupted } from '../core/model/exit_code.js';
import { maskText } from '../core/secrets/mask_text.js';
import type { LoadingWorkspace } from '../launch/load/target.js';
import type { AskSecret } from '../launch/load/vault_passwords.js';
import type { CommandContext, Terminal } from './context.js';

/** Asks on the terminal (on stderr: stdout is for data). Undefined if stdin is not a terminal, or when interrupted. */
export function ask(question: string, terminal: Terminal): Promise<string | undefined> {
  return prompt(maskText(question, terminal.secrets), terminal, false);
}

/** As `ask`, without echoing the answer. */
export function askSecret(question: string, terminal: Terminal): Promise<string | undefined> {
  return prompt(question, terminal, true);
}

/** The answer to a question without which the command cannot begin. Undefined if stdin is not a terminal. */
export function required(answer: string | undefined, terminal: Terminal): string | undefined {
  if (answer === undefined && terminal.stdin.isTTY) throw new PromptInterrupted('interrupted');
  return answer;
}

async function prompt(question: string, terminal: Terminal, isHidden: boolean): Promise<string | undefined> {
  const { stdin, stdout, stderr, signals } = terminal;
  if (!stdin.isTTY) return undefined;
  const letGo = signals.duringQuestion?.();
  const output = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr.unmasked;
  const lines = createInterface({ input: stdin, output, terminal: true });
  // The terminal no longer echoes what is typed.
  const show = (): void => {
    if (isHidden) stderr.write(question);
  };
  show();
  /** What was pasted behind the answer. */
  const typed = { isAnswered: false, rest: '' };
  const onKey = (_text: unknown, { sequence = '' }: Key): void => {
    if (typed.isAnswered) typed.rest += sequence;
    else if (sequence === QUIT) {
      // It is a key in raw mode.
      lines.close();
      process.kill(process.pid, 'SIGQUIT');
    }
  };
  stdin.on('keypress', onKey);
  // During a run, results of other controllers come behind the question.
  const written = (): number => (stdout?.isTTY === true ? stdout.unmasked.bytesWritten : 0);
  let seen = written();
  const look = setInterval(() => {
    if (written() === seen) return;
    seen = written();
    // It would erase as many rows as the question has, but these are lines of others now.
    Object.assign(lines, { prevRows: 0 });
    if (isHidden) show();
    else lines.prompt(true);
  }, LOOK);
  // After Ctrl-Z and `fg`, readline stays paused until it is resumed.
  lines.on('SIGCONT', () => {
    lines.resume();
    show();
  });
  let giveUp = (): void => undefined;
  try {
    return await new Promise((resolve) => {
      giveUp = () => resolve(undefined);
      // In raw mode Ctrl-C is a key, not a signal; Ctrl-D ends the input; a closed terminal is an error of a read.
      lines.on('SIGINT', giveUp).on('close', giveUp).on('error', giveUp);
      signals.drain.addEventListener('abort', giveUp);
      if (signals.drain.aborted) giveUp();
      else
        lines.question(isHidden ? '' : question, (answer) => {
          typed.isAnswered = true;
          resolve(answer);
          // Before it reads on: it would echo further lines that were pasted, even if they answer a hidden question.
          lines.close();
        });
    });
  } finally {
    clearInterval(look);
    signals.drain.removeEventListener('abort', giveUp);
    stdin.off('keypress', onKey);
    lines.close();
    letGo?.();
    if (isHidden || !typed.isAnswered) stderr.write('\n');
    if (typed.rest.trim() !== '') stderr.write('evenkeel: only the first line of what was pasted is the answer\n');
  }
}

/** Milliseconds. */
const LOOK = 300;
const QUIT = '\u001c';

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
