import { count, someOf } from '../report/words.js';
import type { CommandContext } from './context.js';
import { ask } from './prompt.js';

const MOST_NAMES = 5;

/** What is about to be touched, for the question of an environment with `confirm`. */
export interface Target {
  readonly environment: string;
  readonly playbooks: readonly string[];
  readonly controllers: readonly string[];
}

export type Consent = { readonly status: 'given' } | { readonly status: 'refused'; readonly message: string };

/** Shows what is targeted and wants the environment's name typed. */
export async function confirm(target: Target, context: CommandContext): Promise<Consent> {
  const { environment, playbooks, controllers } = target;
  context.stderr.write(
    `About to run ${playbooks.join(', ')} on ${count(controllers.length, 'controller')} of ${environment}: ${someOf(controllers, MOST_NAMES)}\n`,
  );
  const answer = await ask(`Type "${environment}" to go on: `, context);
  if (answer === environment) return { status: 'given' };
  if (answer === undefined && !context.stdin.isTTY) {
    return {
      status: 'refused',
      message: `${environment} wants to be confirmed and nobody is there to type its name: pass --yes, or run in a terminal`,
    };
  }
  return { status: 'refused', message: `not confirmed: nothing was contacted` };
}
