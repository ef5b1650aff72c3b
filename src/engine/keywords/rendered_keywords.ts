import type { Condition, Handler, Include, Located, Loop, Task } from '../../core/model/playbook/step.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { jsonText, entry, isList, isMapping, LazyMapping, parseFlag } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import { BUILT_IN_LIBRARY } from '../../language/library.js';
import { findLookup } from '../../language/library/lookups/lookups.js';
import { evaluate, isTrue, located, renderText, renderValue } from '../../language/render.js';
import { KnownAfterApply, TemplateError } from '../../language/runtime/errors.js';
import { asText, describe, OMIT } from '../../language/runtime/result.js';
import type { EvaluationScope, Variables } from '../../language/scope.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { TaskProblem } from './failed_result.js';

/** A keyword's value with its templates filled in. */
export function renderLocated(located: Located, scope: EvaluationScope): Value {
  return renderValue(located.value, scope, () => located.source);
}

/** As `renderLocated`. A keyword that evaluates to `omit` is treated as absent: the enclosing one applies, if any. */
export function renderUnlessOmitted(located: Located | undefined, scope: EvaluationScope): Located | undefined {
  if (located === undefined) return undefined;
  const value = renderLocated(located, scope);
  return value === OMIT ? renderUnlessOmitted(located.outer, scope) : { value, source: located.source };
}

/** A number with a default, such as `retries`. A check takes the default for what only an apply makes known. */
export function renderNumberOr<T>(
  fallback: T,
  keyword: string,
  given: Located | undefined,
  scope: EvaluationScope,
): number | T {
  const render = (): number | T => {
    const located = renderUnlessOmitted(given, scope);
    return located === undefined ? fallback : renderNumber(keyword, located, scope);
  };
  return orElse(fallback, render, KnownAfterApply);
}

/** A flag with a default, such as `ignore_errors`. */
export function renderFlagOr(
  fallback: boolean,
  keyword: string,
  given: Located | undefined,
  scope: EvaluationScope,
): boolean {
  const located = renderUnlessOmitted(given, scope);
  return located === undefined ? fallback : renderFlag(keyword, located, scope);
}

/** A number; texts that are numbers are converted. */
export function renderNumber(keyword: string, located: Located, scope: EvaluationScope): number {
  const value = renderLocated(located, scope);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new TaskProblem(`${keyword} must be a number, not ${describe(value)}`, located.source);
}

const FLAGS = [
  ['no_log', 'noLog'],
  ['ignore_errors', 'ignoreErrors'],
  ['ignore_unreachable', 'ignoreUnreachable'],
  ['any_errors_fatal', 'anyErrorsFatal'],
  ['run_once', 'runOnce'],
  ['delegate_facts', 'delegateFacts'],
  ['diff', 'diff'],
] as const;

/**
 * Renders what matters only once the module has run. As in Ansible, a task whose keywords cannot be rendered fails before it does anything:
 * afterwards, a handler would be lost, or the facts.
 */
export function requireKeywords(task: Task | Include, scope: EvaluationScope): void {
  for (const name of task.notify) orElse(undefined, () => renderLocated(name, scope), KnownAfterApply);
  for (const [keyword, field] of FLAGS) requireFlag(keyword, task[field], scope);
}

/** A check does not require what only an apply makes known. */
export function requireFlag(keyword: string, given: Located | undefined, scope: EvaluationScope): void {
  if (given !== undefined) orElse(undefined, () => renderFlagOr(false, keyword, given, scope), KnownAfterApply);
}

/** Maximum number of controllers that run the task at the same time; 0: no limit. */
export function evaluateThrottle({ throttle }: Pick<Task, 'throttle'>, scope: EvaluationScope): number {
  return Math.floor(renderNumberOr(0, 'throttle', throttle, scope));
}

/** A flag; the texts that Ansible accepts are converted. */
export function renderFlag(keyword: string, located: Located, scope: EvaluationScope): boolean {
  const value = renderLocated(located, scope);
  const plain = typeof value === 'string' ? value.trim() : value;
  if (plain === '' || plain === null) return false;
  const known = parseFlag(plain);
  if (known !== undefined) return known;
  throw new TaskProblem(`${keyword} must be true or false, not ${describe(value)}`, located.source);
}

/**
 * What a task is called: its name with its templates filled in (as it was written if they cannot be), else its module; with its
 * role before it, `web : reload`.
 *
 * @param used absent: no task hides anything
 */
export function renderTitle(step: Task | Include | Handler, scope: () => Variables, used?: UsedVariables): string {
  const { role, name } = step;
  const own = name === undefined ? stepKind(step) : rendered(name, scope, used);
  return role === undefined ? own : `${role} : ${own}`;
}

function stepKind(step: Task | Include | Handler): string {
  if (step.type === 'meta') return `meta: ${step.action}`;
  // An include_role says which role, as in Ansible.
  const role = step.module === 'include_role' && isMapping(step.args) ? entry(step.args, 'name') : undefined;
  return typeof role === 'string' ? `${step.module} : ${role}` : step.module;
}

function rendered(name: NonNullable<Task['name']>, scope: () => Variables, used: UsedVariables | undefined): string {
  const { value, source } = name;
  if (!hasTemplate(value)) return value;
  return orElse(value, () => {
    const text = asText(renderText(value, used === undefined ? scope() : used.watch(scope()), source));
    return used === undefined ? text : used.text(text);
  });
}

/** Whether all conditions are true. Evaluates them in order, up to the first false one. */
export function allHold(conditions: readonly Condition[], scope: EvaluationScope): boolean {
  return firstFalse(conditions, scope) === undefined;
}

export function firstFalse(conditions: readonly Condition[], scope: EvaluationScope): Condition | undefined {
  return conditions.find((condition) => !isTrue(evaluate(condition.expression, scope, condition.source)));
}

/** As written in the playbook; several conditions joined with `and`. */
export function conditionText(conditions: readonly Condition[]): string {
  return conditions
    .map(({ expression }) => (typeof expression === 'string' ? expression : jsonText(expression)))
    .join(' and ');
}

/**
 * The items of a loop: the list of `loop`, or the results of the lookup of `with_NAME`. `module` is the task's. Throws a
 * `TaskProblem` or a TemplateError with the loop's place if there are none.
 */
export function loopItems({ lookup, over }: Loop, scope: EvaluationScope, module?: string): readonly Value[] {
  if (lookup === undefined) return listIn('loop', renderLocated(over, scope), over);
  const terms = loopTerms(lookup, over, scope);
  try {
    const folder = module === 'include_vars' ? 'vars' : 'files';
    const items = (scope.library ?? BUILT_IN_LIBRARY).lookUp(lookup, terms, scope, folder);
    scope.library?.gaps.carry(terms, items);
    return items;
  } catch (error) {
    throw located(error, over.source);
  }
}

/** Ansible passes a list to a lookup. A mapping becomes the list of its keys, unless the lookup takes mappings. */
function loopTerms(name: string, over: Located, scope: EvaluationScope): readonly Value[] {
  const lookup = findLookup(name);
  const value = lookup?.skipsUndefined === true ? renderDefined(over, scope) : renderLocated(over, scope);
  if (lookup?.takes === 'list') return listIn(`with_${name}`, value, over);
  if (isList(value)) return value;
  if (lookup?.takes !== undefined) return [value];
  if (value instanceof LazyMapping) return [...value.keys()];
  return isMapping(value) ? Object.keys(value) : [value];
}

function listIn(keyword: string, value: Value, { source }: Located): readonly Value[] {
  if (isList(value)) return value;
  const hint = isMapping(value) ? 'for a mapping write: loop: "{{ variable | dict2items }}"' : undefined;
  throw new TaskProblem(`${keyword} needs a list, not ${describe(value)}`, source, hint);
}

/** As `renderLocated`, with null for each term that names an undefined variable. */
function renderDefined({ value, source }: Located, scope: EvaluationScope): Value {
  if (isList(value)) return value.map((one) => renderDefined({ value: one, source }, scope));
  try {
    return renderLocated({ value, source }, scope);
  } catch (error) {
    if (error instanceof TemplateError && error.undefinedName !== undefined) return null;
    throw error;
  }
}

/** The variables of one item: the item, its index, and `ansible_loop` if requested. */
export function loopVariables(loop: Loop, items: readonly Value[], index: number, scope: EvaluationScope): Mapping {
  const item = items[index] ?? null;
  const variables = {
    [loop.variable]: item,
    ansible_loop_var: loop.variable,
    ...(loop.indexVariable !== undefined && { [loop.indexVariable]: index, ansible_index_var: loop.indexVariable }),
    ...(loop.extended && { ansible_loop: extended(loop, items, index) }),
  };
  const written = scope.library?.gaps.writtenIn(items, `${index}`);
  if (written !== undefined) scope.library?.gaps.keep(variables, { [loop.variable]: written });
  return variables;
}

/** `previtem` and `nextitem` exist only if there is such an item, as in Ansible. */
function extended({ allItems }: Loop, items: readonly Value[], index: number): Mapping {
  const length = items.length;
  const previous = items[index - 1];
  const next = items[index + 1];
  return {
    ...(allItems && { allitems: items }),
    index: index + 1,
    index0: index,
    first: index === 0,
    last: index === length - 1,
    length,
    revindex: length - index,
    revindex0: length - index - 1,
    ...(previous !== undefined && { previtem: previous }),
    ...(next !== undefined && { nextitem: next }),
  };
}

/** The variables of an item as a layer of its task; `include params` for the steps of a block or an include. */
export function loopLayer(values: Mapping | undefined, level: VariableLevel = 'magic'): readonly VariableLayer[] {
  return values === undefined ? [] : [{ level, origin: 'loop', values, literal: true }];
}

/** Hides the item of a loop around it: asking for its own throws. @param error why there is none */
export function laterItem({ variable, indexVariable = variable }: Loop, error: unknown): readonly VariableLayer[] {
  const values: Mapping = {};
  const get = (): never => {
    throw error;
  };
  // Not enumerable, so that listing all variables does not throw.
  for (const name of new Set([variable, indexVariable, 'ansible_loop'])) Object.defineProperty(values, name, { get });
  return loopLayer(values);
}
