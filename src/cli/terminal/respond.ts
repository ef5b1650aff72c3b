import { plain } from '../../report/text/plain.js';
import type { Question, Respond } from '../../app/load/answers.js';
import type { Terminal } from '../context.js';
import { ask, askSecret } from './prompt.js';

/** Attempts to type the same answer twice. */
const MOST_TRIES = 3;

/** Asks on the terminal. A private answer is not echoed; one with `confirm` must be typed twice. */
export function fromTerminal(terminal: Terminal): Respond {
  return async (question) => {
    if (!terminal.stdin.isTTY) return { type: 'unanswered' };
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const first = await askOnce(question, '', terminal);
      const second = question.confirm && first !== undefined ? await askOnce(question, 'confirm ', terminal) : first;
      if (first === undefined || second === undefined) return { type: 'refused' };
      if (first === second) return { type: 'answered', answer: first };
      terminal.stderr.write('the two answers differ\n');
    }
    return { type: 'refused' };
  };
}

function askOnce({ text, private: hidden }: Question, before: string, terminal: Terminal): Promise<string | undefined> {
  const shown = plain(`${before}${text}`);
  return hidden ? askSecret(shown, terminal) : ask(shown, terminal);
}
