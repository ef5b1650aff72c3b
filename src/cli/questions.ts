import { setImmediate } from 'node:timers/promises';
import type { Ask, ConfirmTask } from '../engine/input/run_input.js';
import type { Question, Respond } from '../launch/load/answers.js';
import type { Objection, RunConfirmation } from '../launch/load/ports.js';
import type { Picture } from '../reporting/output/options.js';
import { oneLine, plain } from '../reporting/text/plain.js';
import { count, nameSome } from '../reporting/text/words.js';
import type { CommandContext, Terminal } from './context.js';
import { ask, askSecret, required } from './prompt.js';

/** Attempts to type the same answer twice. */
const MOST_TRIES = 3;

/** Asks on the terminal. A private answer is not echoed; one with `confirm` must be typed twice. */
export function fromTerminal(terminal: Terminal): Respond {
  return async (question) => {
    if (!terminal.stdin.isTTY) return { type: 'unanswered' };
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const first = await askOnce(question, '', terminal);
      const second = question.confirm && first !== undefined ? await askOnce(question, 'confirm ', terminal) : first;
      if (first === undefined || second === undefined) return { type: 'unanswered' };
      if (first === second) return { type: 'answered', answer: first };
      terminal.stderr.write('the two answers differ\n');
    }
    return { type: 'refused' };
  };
}

async function askOnce(
  { text, private: hidden }: Question,
  before: string,
  terminal: Terminal,
): Promise<string | undefined> {
  return required(await (hidden ? askSecret : ask)(plain(`${before}${text}`), terminal), terminal);
}

const MOST_NAMES = 5;

/** Shows what will be run, and asks for the environment's name. Undefined if the user typed it. */
export async function confirmEnvironment(
  { environment, label, controllers, delegates }: RunConfirmation,
  context: CommandContext,
): Promise<Objection | undefined> {
  context.stderr.write(
    `About to run ${label} on ${count(controllers.size, 'controller')} of ${environment}: ${nameSome([...controllers], MOST_NAMES)}\n`,
  );
  const { known, unknown } = delegates;
  if (known.length > 0) context.stderr.write(`Its tasks also act on ${nameSome(known.map(oneLine), MOST_NAMES)}\n`);
  if (unknown.length > 0)
    context.stderr.write(
      `Tasks of files that are chosen during the run may act on others, too: ${nameSome(unknown.map(oneLine), MOST_NAMES)}\n`,
    );
  const unattended = `${environment} needs confirmation, but stdin is not a terminal: pass --yes, or run in a terminal`;
  return confirmWord(environment, 'continue', unattended, context);
}

/**
 * Asks the user to type a word; undefined if it was typed.
 *
 * @param unattended the message if stdin is not a terminal
 */
export async function confirmWord(
  word: string,
  purpose: string,
  unattended: string,
  terminal: Terminal,
): Promise<Objection | undefined> {
  const answer = await ask(`Type "${word}" to ${purpose}: `, terminal);
  if (answer === word) return undefined;
  if (answer !== undefined) return { status: 'declined', message: 'not confirmed: nothing was contacted' };
  return terminal.stdin.isTTY
    ? { status: 'interrupted', message: 'interrupted: nothing was contacted' }
    : { status: 'declined', message: unattended };
}

/**
 * `--step`: asks before each task, in Ansible's words; any answer but yes and continue skips it.
 *
 * @param stop ends the run; called when the question is interrupted
 */
export function askBeforeTasks(terminal: Terminal, stop: () => void): ConfirmTask {
  return async (title) => {
    // The output of the last task comes first.
    await setImmediate();
    const answer = await ask(`Perform task: ${oneLine(title)} (N)o/(y)es/(c)ontinue: `, terminal);
    if (answer === undefined) stop();
    return meant(answer ?? '');
  };
}

function meant(answer: string): Awaited<ReturnType<ConfirmTask>> {
  switch (answer.trim().toLowerCase()) {
    case 'y':
    case 'yes':
      return 'run';
    case 'c':
    case 'continue':
      return 'continue';
    default:
      return 'skip';
  }
}

/**
 * Asks the questions of `pause` tasks, one after the other.
 *
 * @param stop ends the run: called when a question is interrupted
 */
export function askInRun(terminal: Terminal, stop: () => void, picture: Picture): Ask {
  let last: Promise<unknown> = Promise.resolve();
  const put: Ask = async ({ question, hidden }, signal) => {
    // The output of the last task comes first.
    await setImmediate();
    if (!terminal.stdin.isTTY || signal.aborted) return undefined;
    const text = `${plain(question)} `;
    const paintAgain = await picture.giveWay?.();
    let answer: string | undefined;
    try {
      await forgetTyped(terminal.stdin);
      answer = await (hidden ? askSecret : ask)(text, { ...terminal, signals: { drain: signal } });
    } finally {
      paintAgain?.();
    }
    if (answer === undefined) stop();
    return answer;
  };
  return (question, signal) => {
    const answer = last.then(() => put(question, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}

/** What was typed before a question is no answer to it, such as Return to see whether the run lives. */
async function forgetTyped(stdin: Terminal['stdin']): Promise<void> {
  // Else each read has one line.
  stdin.setRawMode(true);
  stdin.resume();
  // The first may come before a read.
  await setImmediate();
  await setImmediate();
  stdin.pause();
}
