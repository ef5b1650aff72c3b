import type { Random } from './random.js';

/** When a run is killed. */
export type Moment =
  /** At the nth request, of those that write or of all. */
  | {
      readonly type: 'request';
      readonly nth: number;
      readonly only: 'writes' | 'all';
      readonly stage: 'received' | 'carried out' | 'answered';
      /** At a request that arrives: whether it still takes effect. */
      readonly lost: boolean;
    }
  /** In its first steps, as a share of the time that it takes to its first request. */
  | { readonly type: 'start'; readonly share: number };

/** How many requests a run gets along with, more or less, before it is killed. */
const MOST = { all: 30, writes: 10 };

export function someMoment(random: Random): Moment {
  if (random.chance(0.1)) return { type: 'start', share: random.next() * 1.1 };
  const only = random.pick(['all', 'writes']);
  const stage = random.pick(['received', 'carried out', 'answered']);
  return { type: 'request', nth: random.between(1, MOST[only]), only, stage, lost: random.chance(0.5) };
}

/** How much is left of what was not forced to the disk; undefined: all of it. */
export function someLoss(random: Random): number | undefined {
  return random.chance(0.6) ? random.next() : undefined;
}
