import type { Change } from '../../model/run/change.js';
import { isEqual } from '../../model/values/equality.js';
import { entry, isMapping, type Mapping } from '../../model/values/value.js';

/** The fields that an update would change, in words such as `dns_configuration.search_domain`. */
export function differingFields(change: Extract<Change, { kind: 'update' }>): readonly string[] {
  return differing(change.before ?? {}, change.after, '');
}

function differing(before: Mapping, after: Mapping, prefix: string): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, wanted] = [entry(before, name), entry(after, name)];
    if (isEqual(old, wanted)) return [];
    return isMapping(old) && isMapping(wanted) ? differing(old, wanted, `${prefix}${name}.`) : [prefix + name];
  });
}
