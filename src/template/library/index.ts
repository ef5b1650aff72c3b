import { collections } from './collections.js';
import { comparisons } from './comparisons.js';
import type { Family, Helper } from './helper.js';
import { logic } from './logic.js';
import { arithmetic } from './arithmetic.js';
import { tests } from './tests.js';

const HELPERS = table([comparisons, logic, arithmetic, collections]);
const TESTS = table([tests]);

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

export function findTest(name: string): Helper | undefined {
  return TESTS.get(name) ?? HELPERS.get(name);
}

export function helperNames(): readonly string[] {
  return [...HELPERS.keys()];
}

export function testNames(): readonly string[] {
  return [...TESTS.keys()];
}
