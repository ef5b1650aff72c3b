import { addresses, addressTests } from './addresses.js';
import { arithmetic } from './arithmetic.js';
import { collections } from './collections.js';
import { comparisons } from './comparisons.js';
import { dates } from './dates.js';
import { encodings } from './encodings.js';
import type { Family, Helper } from './helper.js';
import { lists } from './lists.js';
import { logic } from './logic.js';
import { lookups } from './lookups.js';
import { mappings } from './mappings.js';
import { numbers } from './numbers.js';
import { paths } from './paths.js';
import { regexes, regexTests } from './regexes.js';
import { selection } from './selection.js';
import { sets } from './sets.js';
import { tests } from './tests.js';
import { texts } from './texts.js';

const HELPERS = table([
  comparisons,
  logic,
  arithmetic,
  collections,
  lists,
  selection,
  sets,
  mappings,
  texts,
  regexes,
  numbers,
  encodings,
  paths,
  addresses,
  dates,
  lookups,
]);
const TESTS = table([tests, regexTests, addressTests]);

function table(families: readonly Family[]): ReadonlyMap<string, Helper> {
  return new Map(families.flatMap((family) => Object.entries(family)));
}

export function isHelper(name: string): boolean {
  return HELPERS.has(name) || TESTS.has(name);
}

/** The helper of that name; a test may be called like one: `(changed result)`. */
export function findHelper(name: string): Helper | undefined {
  return HELPERS.get(name) ?? TESTS.get(name);
}

/** The test of that name; helpers that say yes or no serve too: `is eq 3`, `is startswith "lb"`. */
export function findTest(name: string): Helper | undefined {
  return TESTS.get(name) ?? HELPERS.get(name);
}

export function helperNames(): readonly string[] {
  return [...HELPERS.keys()];
}

export function testNames(): readonly string[] {
  return [...TESTS.keys()];
}
