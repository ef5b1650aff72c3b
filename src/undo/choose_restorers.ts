import type { PastWrite } from '../core/model/run/past.js';
import { isForUser } from '../core/model/run/reference.js';
import { groupBy } from '../core/model/values/groups.js';
import { jsonText } from '../core/model/values/json.js';

/** By which name an object is restored, and over which connection. */
export type Restorer = { readonly controller: string } & Pick<PastWrite['intent'], 'connection' | 'tenant'>;

export interface Naming {
  /** A controller, by one of its names, or by the address to which a task's variables led: equal for all of these. */
  readonly findPlace: (target: string, url?: string) => string;
  /** Which names are wanted rather than others, the weightiest preference first; what no name fulfils does not count. */
  readonly preferences?: readonly ((restorer: Restorer) => boolean)[];
}

type Write = Pick<PastWrite, 'intent'>;

/**
 * Says by which of its names a controller is put back after the writes to one object. Several names of an inventory can belong to one
 * controller, and tasks of several hosts can act on one as the same user. Restore all of its objects one after the other, under the name
 * that wrote last: with two names at once, each would take the other's writes for changes by someone else, or restore an object before
 * the one that it refers to. A connection with further variables has the name that they were set for.
 */
export function chooseRestorers(
  writes: readonly Write[],
  { findPlace, preferences = [] }: Naming,
): (ofOne: readonly [Write, ...Write[]]) => Restorer {
  const toWay = ({ controller, connection, tenant }: Restorer): string =>
    jsonText([findPlace(controller, connection?.url), connection && [connection.id, tenant === undefined]]);
  const latestFirst = writes.toSorted((a, b) => b.intent.write - a.intent.write).map(toRestorer);
  const distinct = groupBy(latestFirst, (one) => jsonText([one.controller, toWay(one)])).values();
  const byWay = groupBy(
    [...distinct].map(([latest]) => latest),
    toWay,
  );
  const leaders = new Map([...byWay].map(([way, own]) => [way, preferred(own, preferences)]));
  const leaderFor = (one: Restorer): Restorer => ({ ...one, ...leaders.get(toWay(one)), tenant: one.tenant });
  return (ofOne) => {
    const last = ofOne.at(-1) ?? ofOne[0];
    if (isForUser(last.intent)) return toRestorer(last);
    const toOwn = (write: Write): Restorer => {
      const own = toRestorer(write);
      return own.connection === undefined ? leaderFor(own) : own;
    };
    const best = preferred([toOwn(last), ...ofOne.toReversed().map(toOwn)], preferences);
    const leader = leaderFor(best);
    // `--limit` leaves out what only other hosts wrote.
    const isLeftOut = leader.controller !== best.controller && preferences.some((one) => one(leader) && !one(best));
    return isLeftOut ? best : leader;
  };
}

function toRestorer({ intent: { target, connection, tenant } }: Write): Restorer {
  return { controller: target, connection, tenant };
}

/** The first of those that fulfil the preferences, which take time to judge. */
function preferred(
  restorers: readonly [Restorer, ...Restorer[]],
  preferences: NonNullable<Naming['preferences']>,
): Restorer {
  const [first] = restorers;
  const isFirst = ({ controller, connection }: Restorer): boolean =>
    controller === first.controller && connection?.id === first.connection?.id;
  if (restorers.every(isFirst)) return first;
  const fulfil = (left: readonly Restorer[], one: (restorer: Restorer) => boolean): readonly Restorer[] =>
    left.some(one) ? left.filter(one) : left;
  return preferences.reduce(fulfil, restorers)[0] ?? first;
}
