import { describeDistinctions, isReferenceName } from '../../core/model/run/reference.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { matches } from './comparison.js';

/** The matching object among several with the same name; if several match, a message. */
export type Chosen =
  | { readonly type: 'one'; readonly object: Mapping }
  | { readonly type: 'none' }
  | { readonly type: 'several'; readonly message: string };

/** @param objects the objects with the name, with references that show the names of their objects */
export function chooseNamesake(objects: readonly Mapping[], name: string, match: Mapping = {}): Chosen {
  const matching = objects.filter((object) => hasFields(object, match));
  const [object, ...others] = matching;
  if (object === undefined) return { type: 'none' };
  if (others.length === 0) return { type: 'one', object };
  return {
    type: 'several',
    message: `${matching.length} objects are named "${name}": ${describeDistinctions(matching)}`,
  };
}

/** The objects of exactly this name in a list; undefined if the body is no list. */
export function namedIn(body: Value, name: string): readonly Mapping[] | undefined {
  const results = isMapping(body) ? entry(body, 'results') : undefined;
  if (!isList(results)) return undefined;
  return results.filter((one) => isMapping(one)).filter((one) => entry(one, 'name') === name);
}

function hasFields(object: Mapping, match: Mapping): boolean {
  return Object.entries(match).every(([field, wanted]) => {
    const shown = entry(object, field);
    if (!isReferenceName(field) || typeof wanted !== 'string' || /[/?]/.test(wanted))
      return matches(wanted, shown, field);
    return typeof shown === 'string' && shown.endsWith(`#${wanted}`);
  });
}
