import { count } from '../../report/text/words.js';
import { wantWord, type Objection } from '../terminal/confirm.js';
import type { CommandContext } from '../context.js';
import type { Target } from '../../app/load/target.js';
import type { RollbackPlan } from '../../app/rollback/plan.js';

/**
 * Asks whether it shall be done, once it was shown; undefined if it shall, else why not. What `require_plan` wants a plan for is here
 * already: all that will be written was shown, and what was changed since is left alone.
 */
export async function consentToRollback(
  { undos }: RollbackPlan,
  { environment }: Pick<Target, 'environment'>,
  context: CommandContext,
): Promise<Objection | undefined> {
  const objects = [...undos.values()].reduce((sum, own) => sum + own.length, 0);
  const word = environment !== undefined && (environment.confirm || environment.requirePlan) ? environment.name : 'yes';
  const what = `put back ${count(objects, 'object')} on ${count(undos.size, 'controller')}`;
  const nobody = 'a rollback needs confirmation, but stdin is not a terminal: pass --yes, or run it in a terminal';
  return wantWord(word, what, nobody, context);
}
