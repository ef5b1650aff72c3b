import type { Confirmation, Objection } from '../../app/load/ports.js';
import { count, someOf } from '../../report/text/words.js';
import type { CommandContext, Terminal } from '../context.js';
import { ask } from './prompt.js';

const MOST_NAMES = 5;

/** Shows what will be run, and asks for the environment's name; undefined if it was typed. */
export async function confirmEnvironment(
  { environment, label, controllers }: Confirmation,
  context: CommandContext,
): Promise<Objection | undefined> {
  context.stderr.write(
    `About to run ${label} on ${count(controllers.size, 'controller')} of ${environment}: ${someOf([...controllers], MOST_NAMES)}\n`,
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
