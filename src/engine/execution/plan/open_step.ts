import type { PlannedStep } from '../../../core/model/run/plan.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { hasLater, LATER, isMapping, type Value } from '../../../core/model/values/value.js';
import { KnownAfterApply } from '../../../language/runtime/errors.js';
import type { Variables } from '../../../language/scope.js';
import { coerce } from '../../../module/arguments/coercion.js';
import { property, schemaTypes } from '../../../module/schema.js';
import type { TaskRun } from '../../context/task_run.js';
import type { Connection } from '../../controllers/session_pool.js';
import type { TaskSession } from '../../controllers/task_session.js';
import { failed, type FailedResult } from '../../keywords/failed_result.js';
import { renderKnown } from '../../keywords/known_after_apply.js';
import { plannedConnection, whyElsewhere } from '../../resource/planned_connection.js';
import { connectionArguments } from '../task_arguments.js';

/**
 * A task that the plan could not decide writes only where the plan says. If it does not say where: on its own controller, or where other
 * tasks of the plan for its host act.
 *
 * @param deletes it deletes only on its own controller then: the plan does not show what it deletes
 */
export function movedOpen(
  run: TaskRun,
  session: TaskSession,
  connection: Connection | undefined,
  { decided }: PlannedStep,
  deletes: boolean,
): FailedResult | undefined {
  const { followed } = run.context.run;
  if (followed === undefined || connection === undefined || decided.type !== 'in place') return undefined;
  const { guide } = followed;
  const { settings } = connection;
  const what = run.stepJournal?.written === undefined ? 'is written' : 'more is written';
  if (decided.connection !== undefined) {
    const moved = decided.open === true ? whyElsewhere(guide, settings, decided.connection, 'address') : undefined;
    return moved === undefined ? undefined : goesElsewhere(moved, what);
  }
  if (!session.isDelegated && !connection.isElsewhere) return undefined;
  const { address } = plannedConnection((value) => guide.digest(value), settings);
  const there = guide.connections(settings.controller).filter((known) => known.address === address);
  const isThere = ({ decided: other }: PlannedStep): boolean =>
    other.type !== 'skipped' && there.some(({ id }) => id === other.connection);
  if (!deletes && guide.steps(run.state.name).some(isThere)) return undefined;
  const would = deletes ? 'delete' : 'write';
  const target = session.isDelegated ? settings.controller : address;
  return goesElsewhere(`the task would ${would} on ${target}, and the plan does not show that it acts there`, what);
}

/** As far as the arguments are known before a write. @throws if the address is not, or the module cannot make anything of them */
export function knownConnectionArguments(
  { task, module }: TaskRun,
  scope: Variables,
): ReturnType<typeof connectionArguments> {
  // What cannot be rendered may be set by then.
  const known = (value: Value): Value => orElse(LATER, () => renderKnown(value, scope, task.locate));
  const args = isMapping(task.args) ? task.args : known(task.args);
  let mayNameAddress = args === LATER && module.connection !== undefined;
  const asked = new Proxy(isMapping(args) ? args : {}, {
    get: (all, name) => {
      if (typeof name !== 'string' || !Object.hasOwn(all, name)) return undefined;
      // What comes out of a template is data, which is not rendered again.
      const rendered = isMapping(task.args) ? known({ [name]: all[name] ?? null }) : all;
      const value = isMapping(rendered) ? rendered[name] : LATER;
      const schema = property(module.args, name) ?? {};
      mayNameAddress ||= value === LATER && schemaTypes(schema).includes('object');
      return value === undefined ? undefined : coerce(schema, value, true);
    },
  });
  const given = connectionArguments(module, asked);
  const later = given.filter(([, value]) => hasLater(value));
  const address = given.find(([name]) => name === 'controller_url')?.[1];
  // What names an address may give only the port to one that has none.
  const hasPort = typeof address === 'string' && /:\d+(?:[/?#]|$)/.test(address);
  if (hasLater(address) || (mayNameAddress && !hasPort)) throw new KnownAfterApply('the address');
  return given.filter((one) => !later.includes(one));
}

/** @param what is not done there: it may have been read */
export function goesElsewhere(moved: string, what: 'is sent' | 'is written' | 'more is written'): FailedResult {
  return failed(`stale: ${moved}; nothing ${what} to it`, { hint: 'make a new plan', stale: true });
}
