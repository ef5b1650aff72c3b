import { isForUser, type PastWrite } from '../core/model/run/past.js';
import { groupBy } from '../core/model/values/groups.js';

/** By which name an object is restored, and over which connection. */
export type Restorer = { readonly controller: string } & Pick<PastWrite['intent'], 'connection' | 'tenant'>;

export interface Naming {
  /** A controller, by one of its names, or by the address to which a task's variables led: equal for all of these. */
  readonly findPlace: (target: string, url?: string) => string;
  /** Which names are wanted rather than others, the weightiest preference first; what no name fulfils does not count. */
  readonly preferences?: readonly ((restorer: Restorer) => boolean)[];
}

/**
 * Says by which of its names a controller is put back after a write. Several names of an inventory can belong to one controller.
 * Restore all of its objects one after the other, under the name that wrote last: with two names at once, each would take the other's
 * writes for changes by someone else. A connection with further variables has the name that they were set for.
 */
export function chooseNames(
  writes: readonly Pick<PastWrite, 'intent'>[],
  { findPlace, preferences }: Naming,
): (intent: PastWrite['intent']) => string {
  const latestFirst = writes.toSorted((a, b) => b.intent.write - a.intent.write);
  const names = new Set(latestFirst.map(({ intent }) => intent.target));
  const restorers = [...names].map((controller): Restorer => ({ controller }));
  const byPlace = groupBy(restorers, ({ controller }) => findPlace(controller));
  const chosen = new Map([...byPlace].map(([place, own]) => [place, preferred(own, preferences).controller]));
  return (intent) => {
    const { target, connection } = intent;
    return connection === undefined && !isForUser(intent) ? (chosen.get(findPlace(target)) ?? target) : target;
  };
}

/** The first of those that fulfil the preferences, which take time to judge. */
export function preferred(
  restorers: readonly [Restorer, ...Restorer[]],
  preferences: Naming['preferences'] = [],
): Restorer {
  const [first] = restorers;
  const isFirst = ({ controller, connection }: Restorer): boolean =>
    controller === first.controller && connection?.id === first.connection?.id;
  if (restorers.every(isFirst)) return first;
  const fulfil = (left: readonly Restorer[], one: (restorer: Restorer) => boolean): readonly Restorer[] =>
    left.some(one) ? left.filter(one) : left;
  return preferences.reduce(fulfil, restorers)[0] ?? first;
}
