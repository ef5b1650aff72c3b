import type { Condition, Inheritable, Located, Loop } from '../../core/model/playbook/step.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { checkCommand, checkExpression, hasTemplate } from '../../language/check.js';
import { findLookup } from '../../language/library/lookups/lookups.js';
import { type Cursor, describeKind, names, texts, variableName, wantMapping } from '../document/cursor.js';
import { flag, plainFlag, quantity, template, templated } from '../document/templated.js';
import { checkKeyword, isLoop, keywordsAt, loopLookup } from './keywords.js';

/** The keywords that steps inherit from the play, and from surrounding blocks, roles and imports. */
export type Inherited = Inheritable;

/**
 * Merges the keywords of a step with inherited ones. Tags and conditions add up, outer conditions first; for other
 * keywords, the nearest wins, also if it is left empty, as in Ansible. Excludes variables, which `openInnerContext` passes on.
 */
export function inheritedFrom(cursor: Cursor, outer: Inherited): Inherited {
  const nearest = <T>(keyword: string, read: (own: Cursor) => T, around: T): T | undefined => {
    const written = cursor.get(keyword);
    return (written && read(written)) ?? (cursor.isLeftEmpty(keyword) ? undefined : around);
  };
  const innermost = (keyword: string, read: (own: Cursor) => Located | undefined, around: Located | undefined) =>
    orOuter(nearest(keyword, read, around), around);
  return {
    when: [...outer.when, ...(conditions(cursor.get('when')) ?? [])],
    tags: [...new Set([...outer.tags, ...names(cursor.get('tags'))])],
    layers: outer.layers,
    notify: nearest('notify', texts, outer.notify) ?? [],
    ignoreErrors: innermost('ignore_errors', flag, outer.ignoreErrors),
    ignoreUnreachable: innermost('ignore_unreachable', flag, outer.ignoreUnreachable),
    // An empty one may be an oversight, and would show secrets or write.
    noLog: innermost('no_log', flag, outer.noLog) ?? outer.noLog,
    checkMode: innermost('check_mode', flag, outer.checkMode) ?? outer.checkMode,
    diff: innermost('diff', flag, outer.diff),
    anyErrorsFatal: nearest('any_errors_fatal', flag, outer.anyErrorsFatal),
    runOnce: nearest('run_once', flag, outer.runOnce),
    delegateTo: localAction(cursor) ?? nearest('delegate_to', template, outer.delegateTo),
    delegateFacts: nearest('delegate_facts', flag, outer.delegateFacts),
    // Ansible refuses an empty one.
    throttle: quantity(cursor.get('throttle'), { least: 0, whole: true }) ?? outer.throttle,
    timeout: innermost('timeout', (own) => quantity(own, { least: 0 }), outer.timeout),
  };
}

/** `local_action` overrides `delegate_to` on the same task, as in Ansible. */
function localAction(cursor: Cursor): Located | undefined {
  const action = cursor.get('local_action');
  return action && { value: 'localhost', source: action.keySource };
}

/** With the next outer value, if its template may evaluate to `omit`. */
function orOuter(own: Located | undefined, outer: Located | undefined): Located | undefined {
  const mayOmit = typeof own?.value === 'string' && own.value.includes('omit');
  return mayOmit && own !== outer && outer !== undefined ? { ...own, outer } : own;
}

/**
 * One bare expression or a list of them; undefined for an empty list, so that `failed_when: []` changes nothing, as in
 * Ansible.
 */
export function conditions(cursor: Cursor | undefined): readonly Condition[] | undefined {
  const found = (cursor?.items() ?? []).flatMap((item) => condition(item) ?? []);
  return found.length === 0 ? undefined : found;
}

function condition(cursor: Cursor): Condition | undefined {
  const { value, source } = cursor;
  if (isList(value) || isMapping(value))
    return cursor.error(`${cursor.title} must be an expression, not ${describeKind(value)}`, hintFor(cursor));
  cursor.diagnostics.add(checkExpression(value, source, cursor.library, 'a condition'));
  return { expression: value, source };
}

/** YAML parses an unquoted expression with ": " in it as the mapping `a: b`. */
function hintFor(cursor: Cursor): string | undefined {
  return isMapping(cursor.value) ? 'an expression with ": " in it must be quoted' : undefined;
}

/** The loop of a task; undefined if it has none, or an invalid one. */
export function readLoop(task: Cursor): Loop | undefined {
  const plugins = task.library?.table.plugins;
  const [first, second] = task.entries().filter(({ name, value }) => isLoop(name, plugins) && value !== null);
  const control = task.get('loop_control');
  if (second !== undefined) second.errorAtKey(`a task has one loop; this one has "${first?.name ?? ''}" already`);
  if (control !== undefined && first === undefined) control.errorAtKey('"loop_control" without a loop does nothing');
  const settings = readControl(control);
  if (first === undefined) return undefined;
  const lookup = loopLookup(first.name, plugins);
  const over = items(lookup, first);
  return over === undefined ? undefined : { lookup, over, ...settings };
}

function items(lookup: string | undefined, over: Cursor): Located | undefined {
  if (lookup !== undefined) over.diagnostics.add(checkCommand(lookup, over.keySource, over.library));
  const wanted = mismatch(lookup, over.value);
  if (wanted === undefined) return templated(over);
  return over.error(`${over.title} must be ${wanted}, not ${describeKind(over.value)}`, listHint(over.value));
}

function listHint(value: Value): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return /^[\w.-]+(?:,\s*[\w.-]+)+$/.test(value) ? `write [${value}]` : `for a variable, write "{{${value}}}"`;
}

/** The expected value of the loop, if the given one has another type. */
function mismatch(lookup: string | undefined, value: Value): string | undefined {
  if (isList(value) || (typeof value === 'string' && hasTemplate(value))) return undefined;
  const takes = lookup === undefined ? 'list' : findLookup(lookup)?.takes;
  switch (takes) {
    case 'list':
      return 'a list';
    case 'mapping':
      return isMapping(value) ? undefined : 'a mapping';
    case 'text or mapping':
      return isMapping(value) || typeof value === 'string' ? undefined : 'a text, a mapping or a list';
    case undefined:
      return isMapping(value) ? 'a list' : undefined;
  }
}

function readControl(control: Cursor | undefined): Omit<Loop, 'lookup' | 'over'> {
  if (control !== undefined) wantMapping(control);
  for (const item of control?.entries() ?? []) checkKeyword(item, keywordsAt('loop_control'));
  return {
    variable: variableName(control?.get('loop_var')) ?? 'item',
    indexVariable: variableName(control?.get('index_var')),
    label: templated(control?.get('label')),
    pause: quantity(control?.get('pause'), { least: 0 }),
    extended: plainFlag(control?.get('extended')) ?? false,
    allItems: plainFlag(control?.get('extended_allitems')) ?? true,
    breakWhen: conditions(control?.get('break_when')),
    parallel: quantity(control?.get('parallel'), { least: 1, whole: true }),
  };
}
