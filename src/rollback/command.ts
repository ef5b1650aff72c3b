import type { CommandContext } from '../cli/context.js';
import { confirmWord } from '../cli/questions.js';
import { reportNothing, reportOutcome, runPorts } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { EXIT } from '../core/model/exit_code.js';
import type { Change } from '../core/model/run/result.js';
import { groupBy } from '../core/model/values/groups.js';
import { valueAt, type Mapping } from '../core/model/values/value.js';
import { maskChange } from '../core/secrets/mask_event.js';
import { maskText } from '../core/secrets/mask_text.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { timeText } from '../launch/history/listed_run.js';
import type { Objection } from '../launch/load/ports.js';
import { runOptions } from '../launch/request/run_request.js';
import { isEmpty, type GroupedUndos } from '../launch/undo/rollback_playbook.js';
import type { FieldNames } from '../module/comparison/comparison.js';
import { diffLines } from '../reporting/diff/diff_text.js';
import { plain } from '../reporting/text/plain.js';
import { count, nameControllers } from '../reporting/text/words.js';
import { createdFrom } from '../undo/plan_undo.js';
import { withFields, type Undo } from '../undo/undo.js';
import { rollBack, type NothingToDo, type RollbackProposal } from './roll_back.js';

export interface RollbackCommandOptions extends ExecutionOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  readonly allowLockout?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** `evenkeel rollback RUN`: shows what will be restored, asks, and restores it. */
export async function rollbackCommand(options: RollbackCommandOptions, context: CommandContext): Promise<number> {
  const { run, allowLockout, force, verbosity } = options;
  const { outcome, isPartial, cwd } = await rollBack(
    { ...runOptions(options), run, allowLockout, force },
    await runPorts(context, options, verbosity),
    (proposal) => review(proposal, context),
  );
  if (outcome.status !== 'ended') return reportOutcome(outcome, options, context, cwd);
  const why = { severity: 'warning', message: outcome.message } as const;
  return reportNothing([why], isPartial ? EXIT.failed : EXIT.ok, options, { ...context, cwd });
}

/** Shows the plan. Starts it at once if it writes nothing, otherwise after the user confirms. */
async function review(
  { plan, loaded, undone: { header }, request }: RollbackProposal,
  context: CommandContext,
): Promise<'start' | NothingToDo | Objection> {
  const say = (text: string): void => context.stderr.write(plain(text));
  const end = (message: string): NothingToDo => {
    say(`evenkeel: ${message}\n`);
    return { status: 'ended', message };
  };
  if (isEmpty(plan)) {
    const within = request.limit === undefined ? '' : ` on "${request.limit}"`;
    return end(`nothing to roll back: run ${header.id} changed nothing${within}`);
  }
  const environment = header.environment === null ? '' : ` for ${header.environment}`;
  const what = `evenkeel ${header.command}${environment}${header.simulated ? ', simulated' : ''}`;
  say(`Rollback of ${header.id} (${what}, started ${timeText(header.time)} UTC)\n`);
  say(rollbackText(plan, loaded.target.secrets));
  if (plan.undos.size === 0) return end('nothing can be restored; nothing was contacted');
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

const MOST_NAMES = 5;
/** Limits for one object, and for different changes. The diff of a check shows everything. */
const MOST_LINES = 20;
const MOST_CHANGES = 20;

/**
 * What a rollback would do, with secrets masked. What it cannot undo comes first. Equal lines of many controllers are
 * printed once.
 *
 *     Cannot be undone:
 *       cloud "edge-1" was created: a rollback deletes nothing (2 controllers: lb1, lb2)
 *     To restore:
 *       cloud "edge-2" (3 controllers: lb1, lb2, lb3)
 *         - mtu: 9000
 *         + mtu: 1500
 */
export function rollbackText({ final, skipped, undos }: GroupedUndos, secrets: Secrets): string {
  const all = [...undos.values()].flat().map((undo) => ({ undo, controller: undo.restorer.target }));
  const refused = all.flatMap(({ controller, undo: { refusal } }) =>
    refusal === undefined ? [] : [{ controller, text: maskText(refusal, secrets) }],
  );
  const open = all
    .filter(({ undo }) => undo.refusal === undefined)
    .map(({ controller, undo }) => ({ controller, text: undoText(undo, secrets) }));
  return [
    section(
      'Cannot be undone:',
      final.map(({ controller, object, reason }) => ({ controller, text: maskText(`${object} ${reason}`, secrets) })),
    ),
    section('Left alone:', [
      ...[...skipped].map(([controller, reason]) => ({ controller, text: `the controller ${reason}` })),
      ...refused,
    ]),
    section('To restore:', open, MOST_CHANGES),
  ].join('');
}

interface PlanLine {
  readonly controller: string;
  /** Its first line names what it is about. */
  readonly text: string;
}

function section(title: string, lines: readonly PlanLine[], most = Infinity): string {
  if (lines.length === 0) return '';
  // Objects of one name in different clouds have equal lines, too.
  const groups = groupBy(lines, ({ text }) => text);
  const all = [...groups].map(([text, equal]) => {
    const [first = '', ...others] = plain(text).split('\n');
    const names = nameControllers([...new Set(equal.map((one) => one.controller))], MOST_NAMES);
    return `  ${first} (${names})\n${others.map((line) => `    ${line}\n`).join('')}`;
  });
  const more = all.length - most;
  const rest = more > 0 ? `  … and ${count(more, 'more change')}: --check --diff shows all\n` : '';
  return `${title}\n${(more > 0 ? all.slice(0, most) : all).join('')}${rest}`;
}

function undoText(undo: Undo, secrets: Secrets): string {
  const { object, isDeleted, neverShown, masked } = undo;
  if (masked) return `${maskText(object, secrets)}, which was written under no_log`;
  const lines = diffLines(maskChange(toChange(undo), secrets), true);
  const more = lines.length - MOST_LINES;
  const shown = more > 1 ? [...lines.slice(0, MOST_LINES), `… ${more} more lines: --check --diff shows all`] : lines;
  return [
    ...shown,
    ...(isDeleted === true ? ['! it gets a new uuid'] : []),
    ...neverShown.map((path) => `! ${path} cannot be restored: the controller never showed it`),
  ].join('\n');
}

function toChange({ object, isDeleted, fields, before, left }: Undo): Change {
  if (isDeleted === true) return { kind: 'create', object, before: null, after: createdFrom(before) };
  const [now] = left;
  return { kind: 'update', object, before: only(fields, now?.object ?? {}), after: only(fields, before) };
}

function only(fields: readonly FieldNames[], object: Mapping): Mapping {
  const values = fields.map((path) => [path, valueAt(object, path)] as const);
  return withFields({}, values);
}
