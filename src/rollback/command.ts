import type { CommandContext } from '../cli/context.js';
import { confirmWord } from '../cli/questions.js';
import { reportOutcome, runPorts } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { EXIT } from '../core/model/exit_code.js';
import { timeText } from '../launch/history/listed_run.js';
import type { Objection } from '../launch/load/ports.js';
import { runOptions } from '../launch/request/run_request.js';
import { isEmpty } from '../launch/undo/plan.js';
import { plain } from '../reporting/text/plain.js';
import { count } from '../reporting/text/words.js';
import { rollBack, type RollbackProposal } from './roll_back.js';
import { planText } from './text.js';

export interface RollbackOptions extends ExecutionOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  readonly allowLockout?: boolean | undefined;
}

/** `evenkeel rollback RUN`: shows what will be restored, asks, and restores it. */
export async function rollbackCommand(options: RollbackOptions, context: CommandContext): Promise<number> {
  const { run, allowLockout, verbosity } = options;
  const { outcome, isPartial, cwd } = await rollBack(
    { ...runOptions(options), run, allowLockout },
    await runPorts(context, options, verbosity),
    (proposal) => review(proposal, context),
  );
  const code = outcome.status === 'ended' ? EXIT.ok : await reportOutcome(outcome, options, context, cwd);
  return isPartial && (code === EXIT.ok || code === EXIT.changes) ? EXIT.failed : code;
}

/** Shows the plan. Starts it at once if it writes nothing, otherwise after the user confirms. */
async function review(
  { plan, loaded, undone: { header }, request }: RollbackProposal,
  context: CommandContext,
): Promise<'start' | 'end' | Objection> {
  const say = (text: string): void => {
    context.stderr.write(plain(text));
  };
  if (isEmpty(plan)) {
    const within = request.limit === undefined ? '' : ` on "${request.limit}"`;
    say(`evenkeel: nothing to roll back: run ${header.id} changed nothing${within}\n`);
    return 'end';
  }
  say(`Rollback of ${header.id} (evenkeel ${header.command}, started ${timeText(header.time)} UTC)\n`);
  say(planText(plan, loaded.target.secrets));
  if (plan.undos.size === 0) {
    say('evenkeel: nothing can be restored; nothing was contacted\n');
    return 'end';
  }
  const isSafe = request.check === true || request.simulate === true || request.yes === true;
  return isSafe ? 'start' : ((await confirmRollback({ plan, loaded }, context)) ?? 'start');
}

/**
 * Asks whether to start the rollback. This satisfies `require_plan`: the changes were shown, and objects that have
 * changed since are left alone.
 */
async function confirmRollback(
  { plan: { undos }, loaded }: Pick<RollbackProposal, 'plan' | 'loaded'>,
  context: CommandContext,
): Promise<Objection | undefined> {
  const { environment } = loaded.target;
  const objects = [...undos.values()].reduce((sum, own) => sum + own.length, 0);
  const word = environment !== undefined && (environment.confirm || environment.requirePlan) ? environment.name : 'yes';
  const purpose = `restore ${count(objects, 'object')} on ${count(undos.size, 'controller')}`;
  const unattended = 'a rollback needs confirmation, but stdin is not a terminal: pass --yes, or run it in a terminal';
  return confirmWord(word, purpose, unattended, context);
}
