import { count, someOf } from '../../report/text/words.js';
import { EXIT, type CommandContext } from '../context.js';
import { ask } from './prompt.js';

const MOST_NAMES = 5;

/** What is about to be touched, for the question of an environment with `confirm`. */
export interface Target {
  readonly environment: string;
  readonly playbooks: readonly string[];
  readonly controllers: readonly string[];
}

/** Why something is not done, and the exit code that says so. */
export interface Objection {
  readonly message: string;
  readonly exitCode: number;
}

/** Shows what is targeted and wants the environment's name typed; undefined if it was. */
export async function confirm(target: Target, context: CommandContext): Promise<Objection | undefined> {
  const { environment, playbooks, controllers } = target;
  context.stderr.write(
    `About to run ${playbooks.join(', ')} on ${count(controllers.length, 'controller')} of ${environment}: ${someOf(controllers, MOST_NAMES)}\n`,
  );
  const nobody = `${environment} needs confirmation, but stdin is not a terminal: pass --yes, or run in a terminal`;
  return wantWord(environment, 'go on', nobody, context);
}

/** Asks the user to type a word; undefined if they did. `nobody`: the message if stdin is not a terminal. */
export async function wantWord(
  word: string,
  purpose: string,
  nobody: string,
  context: CommandContext,
): Promise<Objection | undefined> {
  const answer = await ask(`Type "${word}" to ${purpose}: `, context);
  if (answer === word) return undefined;
  if (answer !== undefined) return { message: 'not confirmed: nothing was contacted', exitCode: EXIT.usage };
  return context.stdin.isTTY
    ? { message: 'interrupted: nothing was contacted', exitCode: EXIT.interrupted }
    : { message: nobody, exitCode: EXIT.usage };
}
