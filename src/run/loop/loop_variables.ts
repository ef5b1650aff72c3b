import type { Loop } from '../../model/playbook/step.js';
import type { Mapping, Value } from '../../model/values/value.js';

/** What one item sees beside the other variables: the item, its index, and `ansible_loop` if asked for. */
export function loopVariables(loop: Loop, items: readonly Value[], index: number): Mapping {
  const item = items[index] ?? null;
  return {
    [loop.variable]: item,
    ansible_loop_var: loop.variable,
    ...(loop.indexVariable !== undefined && { [loop.indexVariable]: index, ansible_index_var: loop.indexVariable }),
    ...(loop.extended && { ansible_loop: extended(items, index) }),
  };
}

/** `previtem` and `nextitem` are there only where there is one, as in Ansible. */
function extended(items: readonly Value[], index: number): Mapping {
  const length = items.length;
  const previous = items[index - 1];
  const next = items[index + 1];
  return {
    allitems: items,
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
