import type { Located, Loop } from '../../core/model/playbook/step.js';
import { isList, isMapping, LazyMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { BUILT_IN_LIBRARY } from '../../language/library.js';
import { findLookup } from '../../language/library/lookups/lookups.js';
import { located } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { describe } from '../../language/runtime/text.js';
import type { EvaluationScope } from '../../language/scope.js';
import { TaskProblem } from './failed_result.js';
import { renderLocated } from './rendered_keywords.js';

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
