import type { Loop } from '../../model/playbook.js';
import { isList, isMapping, type Value } from '../../model/value.js';
import { sequence } from '../../template/library/sequence.js';
import { describe } from '../../template/text.js';
import { TaskProblem } from '../task/task_problem.js';

/** The items that a loop goes over, from its rendered value. Throws a `TaskProblem` if that is nothing to loop over. */
export function loopItems(kind: Loop['kind'], value: Value): readonly Value[] {
  switch (kind) {
    case 'loop':
    case 'with_list':
      return listOf(kind, value);
    case 'with_items':
      return isList(value) ? value.flatMap((item) => (isList(item) ? item : [item])) : [value];
    case 'with_dict':
      return (isList(value) ? value : [value]).flatMap(entriesOf);
    case 'with_sequence':
      return (isList(value) ? value : [value]).flatMap((term) => sequence(termOf(term)));
    default:
      return kind satisfies never;
  }
}

function listOf(kind: string, value: Value): readonly Value[] {
  if (isList(value)) return value;
  const hint = isMapping(value) ? 'for a mapping write: loop: "{{ variable | dict2items }}"' : undefined;
  throw new TaskProblem(`${kind} needs a list, not ${describe(value)}`, undefined, hint);
}

function entriesOf(value: Value): readonly Value[] {
  if (!isMapping(value)) throw new TaskProblem(`with_dict needs a mapping, not ${describe(value)}`);
  return Object.entries(value).map(([key, entry]) => ({ key, value: entry }));
}

function termOf(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (isMapping(value))
    return Object.entries(value)
      .map(([name, entry]) => `${name}=${plain(entry)}`)
      .join(' ');
  throw new TaskProblem(`with_sequence needs a text such as "start=1 end=5", not ${describe(value)}`);
}

function plain(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TaskProblem(`with_sequence needs numbers and texts, not ${describe(value)}`);
}
