import { directReference, isReferenceName } from '../../core/model/run/reference.js';
import { HIDDEN } from '../../core/model/values/display.js';
import { decodedUri } from '../../core/model/values/uri.js';
import { entry, isList, isMapping, type Value } from '../../core/model/values/value.js';
import { compareNumbers, isNumeric } from '../../core/model/values/whole_number.js';

/**
 * Whether a controller's value already matches the declared one. Compares declared keys only: objects deeply, lists in order and
 * element by element. A value that reads back hidden is unknown, not different. Controllers leave out empty values, so a declared
 * null or empty list matches a missing value.
 */
export function matches(declared: Value, actual: Value | undefined, name = ''): boolean {
  if (actual === HIDDEN) return true;
  if (actual === undefined) return isNothing(declared);
  if (isMapping(declared)) {
    return (
      isMapping(actual) && Object.keys(declared).every((key) => matches(declared[key] ?? null, entry(actual, key), key))
    );
  }
  if (isList(declared)) {
    return (
      isList(actual) &&
      declared.length === actual.length &&
      declared.every((item, at) => matches(item, actual[at], name))
    );
  }
  if (isReferenceName(name) && typeof declared === 'string' && typeof actual === 'string') {
    return sameReference(declared, actual);
  }
  return declared === actual || (isNumeric(declared) && isNumeric(actual) && compareNumbers(declared, actual) === 0);
}

function isNothing(declared: Value): boolean {
  return declared === null || (isList(declared) && declared.length === 0);
}

/**
 * Compares references without the `#name` that controllers append when they show them; a path equals the URL that ends with it. A
 * reference by name (`/api/tenant/?name=admin`) matches a reference that shows that name.
 */
function sameReference(declared: string, actual: string): boolean {
  const [path = '', name] = actual.split('#');
  const [wanted = ''] = declared.split('#');
  if (wanted === path) return true;
  const [one, other] = [directReference(wanted), directReference(path)];
  if (one !== undefined && other !== undefined) return one.collection === other.collection && one.uuid === other.uuid;
  const wantedName = /[?&]name=([^&]*)/.exec(wanted)?.[1];
  return wantedName !== undefined && name !== undefined && decoded(wantedName) === decoded(name);
}

function decoded(text: string): string {
  return decodedUri(text.replaceAll('+', ' '));
}
