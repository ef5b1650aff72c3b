import type { Located, Loop } from '../../model/playbook.js';
import { isList, isMapping } from '../../model/value.js';
import { hasTemplate } from '../../template/check.js';
import { conditions } from './conditions.js';
import { kindOf, type Cursor } from '../cursor.js';
import { checkKeyword, LOOP_CONTROL } from './keywords.js';
import { quantity, templated } from '../templated.js';
import { variableName } from '../texts.js';

const KINDS: readonly Loop['kind'][] = ['loop', 'with_items', 'with_dict', 'with_list', 'with_sequence'];

/** The loop of a task; undefined if it has none (or a broken one). */
export function loopOf(task: Cursor): Loop | undefined {
  const [first, second] = KINDS.flatMap((kind) => {
    const over = task.get(kind);
    return over === undefined ? [] : [{ kind, over }];
  });
  const control = task.get('loop_control');
  if (second !== undefined) second.over.errorAtKey(`a task has one loop; this one has "${first?.kind ?? ''}" already`);
  if (control !== undefined && first === undefined) control.errorAtKey('"loop_control" without a loop does nothing');
  const settings = controlOf(control);
  if (first === undefined) return undefined;
  const over = items(first.kind, first.over);
  return over === undefined ? undefined : { kind: first.kind, over, ...settings };
}

function items(kind: Loop['kind'], over: Cursor): Located | undefined {
  const wanted = mismatch(kind, over);
  if (wanted === undefined) return templated(over);
  const hint = typeof over.value === 'string' ? `for a variable, write "{{${over.value}}}"` : undefined;
  over.error(`${over.title} must be ${wanted}, not ${kindOf(over.value)}`, hint);
  return undefined;
}

/** What the loop takes, if this is something else. */
function mismatch(kind: Loop['kind'], { value }: Cursor): string | undefined {
  if (typeof value === 'string' && hasTemplate(value)) return undefined;
  switch (kind) {
    case 'loop':
    case 'with_list':
      return isList(value) ? undefined : 'a list';
    case 'with_items':
      return isMapping(value) ? 'a list' : undefined;
    case 'with_dict':
      return isMapping(value) || isList(value) ? undefined : 'a mapping';
    case 'with_sequence':
      return typeof value === 'string' || isList(value) ? undefined : 'text such as "start=1 end=4"';
    default:
      return kind satisfies never;
  }
}

function controlOf(control: Cursor | undefined): Omit<Loop, 'kind' | 'over'> {
  if (control !== undefined && !isMapping(control.value)) control.error('"loop_control" must be a mapping');
  for (const item of control?.entries() ?? []) checkKeyword(item, LOOP_CONTROL);
  return {
    variable: variableName(control?.get('loop_var')) ?? 'item',
    indexVariable: variableName(control?.get('index_var')),
    label: templated(control?.get('label')),
    pause: quantity(control?.get('pause'), { least: 0 }),
    extended: extended(control?.get('extended')),
    breakWhen: conditions(control?.get('break_when')),
    parallel: quantity(control?.get('parallel'), { least: 1, whole: true }),
  };
}

function extended(cursor: Cursor | undefined): boolean {
  if (cursor === undefined || typeof cursor.value === 'boolean') return cursor?.value === true;
  cursor.error('"extended" must be true or false');
  return false;
}
