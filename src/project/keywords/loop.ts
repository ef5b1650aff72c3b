import type { Located, Loop } from '../../core/model/playbook/step.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { checkCommand, hasTemplate } from '../../language/check.js';
import { findLookup } from '../../language/library/lookups/lookups.js';
import { describeKind, variableName, type Cursor } from '../document/cursor.js';
import { quantity, templated } from '../document/templated.js';
import { conditions } from './inherited.js';
import { checkKeyword, isLoop, keywordsAt, loopLookup } from './keywords.js';

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
  over.error(`${over.title} must be ${wanted}, not ${describeKind(over.value)}`, hintFor(over.value));
  return undefined;
}

function hintFor(value: Value): string | undefined {
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
  if (control !== undefined && !isMapping(control.value)) control.error('"loop_control" must be a mapping');
  for (const item of control?.entries() ?? []) checkKeyword(item, keywordsAt('loop_control'));
  return {
    variable: variableName(control?.get('loop_var')) ?? 'item',
    indexVariable: variableName(control?.get('index_var')),
    label: templated(control?.get('label')),
    pause: quantity(control?.get('pause'), { least: 0 }),
    extended: flag(control?.get('extended'), false),
    allItems: flag(control?.get('extended_allitems'), true),
    breakWhen: conditions(control?.get('break_when')),
    parallel: quantity(control?.get('parallel'), { least: 1, whole: true }),
  };
}

function flag(cursor: Cursor | undefined, usual: boolean): boolean {
  if (cursor === undefined) return usual;
  if (typeof cursor.value === 'boolean') return cursor.value;
  cursor.error(`"${cursor.name}" must be true or false`);
  return usual;
}
