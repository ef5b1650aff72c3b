import type { PastWrite } from '../core/model/run/past.js';
import { groupBy } from '../core/model/values/groups.js';

/** Says by which of its names a controller is put back. */
export type ChooseName = (target: string) => string;

export interface Naming {
  /** The key of the controller of a name: equal for all names of one controller. Undefined if unknown. */
  readonly placeOfTarget: (target: string) => string | undefined;
  /** Which names are wanted rather than others, the weightiest preference first; what no name fulfils does not count. */
  readonly preferences?: readonly ((target: string) => boolean)[];
}

/**
 * Several names of an inventory can belong to one controller. Restore all of its objects one after the other, under the
 * name that wrote last: with two names at once, each would take the other's writes for changes by someone else.
 */
export function chooseNames(
  writes: readonly Pick<PastWrite, 'intent'>[],
  { placeOfTarget, preferences = [] }: Naming,
): ChooseName {
  const latestFirst = writes.toSorted((a, b) => b.intent.write - a.intent.write);
  const names = new Set(latestFirst.map(({ intent }) => intent.target));
  const chosen = (own: readonly string[]): string | undefined =>
    preferences.reduce((left, preference) => (left.some(preference) ? left.filter(preference) : left), own)[0];
  const acting = new Map([...groupBy(names, placeOfTarget)].map(([place, own]) => [place, chosen(own)]));
  return (target) => acting.get(placeOfTarget(target) ?? '') ?? target;
}
