import type { Inheritable, Located, Condition } from '../../core/model/playbook/step.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import { checkExpression } from '../../language/check.js';
import { describeKind, names, texts, type Cursor } from '../document/cursor.js';
import { flag, quantity, template } from '../document/templated.js';

/** The keywords that steps inherit from the play, and from surrounding blocks, roles and imports. */
export type Inherited = Inheritable;

/**
 * Merges the keywords of a step with inherited ones. Tags and conditions add up, outer conditions first; for other
 * keywords, the nearest wins. Excludes variables, which `openInnerContext` passes on.
 */
export function inheritedFrom(cursor: Cursor, outer: Inherited): Inherited {
  return {
    when: [...outer.when, ...(conditions(cursor.get('when')) ?? [])],
    tags: [...new Set([...outer.tags, ...names(cursor.get('tags'))])],
    layers: outer.layers,
    notify: unlessEmpty(texts(cursor.get('notify')), outer.notify),
    ignoreErrors: innermost(flag(cursor.get('ignore_errors')), outer.ignoreErrors),
    ignoreUnreachable: innermost(flag(cursor.get('ignore_unreachable')), outer.ignoreUnreachable),
    noLog: innermost(flag(cursor.get('no_log')), outer.noLog),
    checkMode: innermost(flag(cursor.get('check_mode')), outer.checkMode),
    diff: innermost(flag(cursor.get('diff')), outer.diff),
    anyErrorsFatal: flag(cursor.get('any_errors_fatal')) ?? outer.anyErrorsFatal,
    runOnce: flag(cursor.get('run_once')) ?? outer.runOnce,
    delegateTo: localAction(cursor) ?? template(cursor.get('delegate_to')) ?? outer.delegateTo,
    delegateFacts: flag(cursor.get('delegate_facts')) ?? outer.delegateFacts,
    throttle: quantity(cursor.get('throttle'), { least: 0, whole: true }) ?? outer.throttle,
    timeout: innermost(quantity(cursor.get('timeout'), { least: 0 }), outer.timeout),
  };
}

/** `local_action` overrides `delegate_to` on the same task, as in Ansible. */
function localAction(cursor: Cursor): Located | undefined {
  const action = cursor.get('local_action');
  return action && { value: 'localhost', source: action.keySource };
}

/** The innermost value; if its template evaluates to `omit`, the next outer one. */
function innermost(own: Located | undefined, outer: Located | undefined): Located | undefined {
  if (own === undefined || outer === undefined) return own ?? outer;
  return typeof own.value === 'string' && own.value.includes('omit') ? { ...own, outer } : own;
}

function unlessEmpty<T>(own: readonly T[], outer: readonly T[]): readonly T[] {
  return own.length > 0 ? own : outer;
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
  if (isList(value) || isMapping(value)) {
    cursor.error(`${cursor.title} must be an expression, not ${describeKind(value)}`, hintFor(cursor));
    return undefined;
  }
  cursor.diagnostics.add(checkExpression(value, source, cursor.library, 'a condition'));
  return { expression: value, source };
}

/** YAML parses an unquoted expression with ": " in it as the mapping `a: b`. */
function hintFor(cursor: Cursor): string | undefined {
  return isMapping(cursor.value) ? 'an expression with ": " in it must be quoted' : undefined;
}
