import { entry, type Mapping } from '../../model/values/value.js';
import { plain } from '../../report/text/plain.js';
import type { Question, Reply, Respond } from '../../app/load/answers.js';
import type { CommandContext } from '../context.js';
import { ask, askSecret } from './prompt.js';

/** How often somebody may fail to type the same thing twice. */
const MOST_TRIES = 3;

type Terminal = Pick<CommandContext, 'stdin' | 'stderr' | 'drain'>;

/** Asks on the terminal. Hides private input, and asks for confirmation until both inputs match. */
export function fromTerminal(terminal: Terminal): Respond {
  return async (question) => {
    if (!terminal.stdin.isTTY) return { type: 'nobody' };
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

/** Uses the answers of a program, by the names of the variables. */
export function fromMapping(answers: Mapping): Respond {
  return ({ name }) => {
    const answer = entry(answers, name);
    const reply: Reply = answer === undefined ? { type: 'nobody' } : { type: 'answered', answer };
    return Promise.resolve(reply);
  };
}
