import { everyStep, GATE_ACTIONS, type Gate } from '../../core/model/playbook/playbook.js';
import type { Located, MetaAction, Step } from '../../core/model/playbook/step.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { isList } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { wantMapping, type Cursor } from '../document/cursor.js';
import { quantity, template } from '../document/templated.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import type { Inherited } from '../keywords/step_keywords.js';
import { stepLoader } from '../steps/steps.js';
import type { InnerContext, ReadContext } from '../task/read_context.js';

/** The gate of a play; undefined if it has no checks. */
export async function loadGate(cursor: Cursor, around: InnerContext): Promise<Gate | undefined> {
  const hint = isList(cursor.value) ? 'put the list under "checks"' : 'write "checks:" below it';
  if (!wantMapping(cursor, '', '"gate"', hint)) return undefined;
  for (const item of cursor.entries()) checkKey(item, around.context);
  const checks = await readChecks(cursor, around);
  const gate: Gate = {
    source: cursor.keySource,
    checks,
    interval: quantity(cursor.get('interval'), { least: 0 }),
    passes: quantity(cursor.get('passes'), { least: 1, whole: true }),
    failures: quantity(cursor.get('failures'), { least: 1, whole: true }),
    onFail: readGateAction(cursor.get('on_fail')),
  };
  return checks.length === 0 ? undefined : gate;
}

function checkKey(item: Cursor, { reader: { modules } }: ReadContext): void {
  const isModule = !keywordsAt('gate').known.includes(item.name) && modules.has(item.name);
  if (isModule) item.errorAtKey(`"${item.name}" is not a keyword of a gate`, 'put it into the list under "checks"');
  else checkKeyword(item, keywordsAt('gate'));
}

/** Checks do not inherit the play's keywords for failures: checks whose failures are ignored would check nothing. */
async function readChecks(gate: Cursor, { context, inherited }: InnerContext): Promise<readonly Step[]> {
  const cursor = gate.get('checks');
  if (cursor === undefined) {
    gate.errorAtKey('"gate" needs "checks": the tasks that check the health of a batch');
    return [];
  }
  if (isList(cursor.value) && cursor.value.length === 0) {
    cursor.error('"checks" is empty: the gate would pass every batch');
    return [];
  }
  const own: Inherited = {
    ...inherited,
    ignoreErrors: undefined,
    ignoreUnreachable: undefined,
    anyErrorsFatal: undefined,
  };
  const parts = context.parts.ofInclude();
  const steps = await stepLoader.tasks(cursor, { context: { ...context, parts }, inherited: own });
  context.parts.layers.push(...parts.layers);
  context.parts.roles.push(...parts.roles);
  context.parts.dependencies.push(...parts.dependencies);
  for (const { source } of new Set(parts.notified))
    cursor.diagnostics.error('a check of a gate cannot notify a handler', source, 'do it in a task of the play');
  for (const step of everyStep(steps)) if (step.type === 'meta') checkMeta(step, cursor);
  return steps;
}

/** Actions that affect the whole play, or handlers, which a gate does not have. */
const MEANINGLESS: readonly MetaAction[] = ['flush_handlers', 'end_batch', 'end_play', 'clear_host_errors'];

function checkMeta({ action, source }: Extract<Step, { type: 'meta' }>, { diagnostics }: Cursor): void {
  if (MEANINGLESS.includes(action)) {
    const hint = 'the checks decide whether a batch is healthy';
    diagnostics.error(`"meta: ${action}" has no meaning in a gate`, source, hint);
  }
}

function readGateAction(cursor: Cursor | undefined): Located<string> | undefined {
  const action = template(cursor);
  if (action === undefined || hasTemplate(action.value) || GATE_ACTIONS.some((one) => one === action.value))
    return action;
  const message = `"on_fail" must be ${GATE_ACTIONS.join(', ')} or a template, not "${action.value}"`;
  return cursor?.error(message, didYouMean(action.value, GATE_ACTIONS));
}
