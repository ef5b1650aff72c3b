import type { Value } from '../../../model/values/value.js';
import { TemplateError } from '../../runtime/errors.js';
import { isIn } from '../lists/sets.js';

/** What `combine(list_merge=…)` makes of two lists under one key; `_rp`: what both have is taken from the later list only. */
export function mergeList(low: readonly Value[], high: readonly Value[], how: string): readonly Value[] {
  const inHigh = isIn(high);
  switch (how) {
    case 'replace':
      return high;
    case 'keep':
      return low;
    case 'append':
      return [...low, ...high];
    case 'prepend':
      return [...high, ...low];
    case 'append_rp':
      return [...low.filter((item) => !inHigh(item)), ...high];
    case 'prepend_rp':
      return [...high, ...low.filter((item) => !inHigh(item))];
    default:
      throw new TemplateError(`combine: there is no list_merge "${how}"`, {
        hint: 'it is one of replace, keep, append, prepend, append_rp, prepend_rp',
      });
  }
}
