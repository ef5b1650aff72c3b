import type { Random } from './random.js';

/** When a run is killed. */
export type Moment =
  /** At the nth request, of those that write or of all. */
  | {
      readonly type: 'request';
      readonly nth: number;
      readonly only: 'writes' | 'all';
      readonly stage: 'received' | 'carried out' | 'answered';
      /** When a request arrives: whether it still takes effect. */
      readonly lost: boolean;
    }
  /** During its start, as a share of the time to its first request. */
  | { readonly type: 'start'; readonly share: number };

/** The approximate number of requests before the run is killed. */
const MOST = { all: 30, writes: 10 };

const REQUESTS = ['received', 'carried out', 'answered'] as const;
const STAGES = ['start', ...REQUESTS] as const;

/** @param struck the stages at which runs were killed so far; the others come first */
export function someMoment(random: Random, struck: ReadonlySet<string>): Moment {
  const others = STAGES.filter((stage) => !struck.has(stage));
  const first = others[random.between(0, others.length - 1)];
  const stage = first ?? (random.chance(0.1) ? 'start' : random.pick(REQUESTS));
  if (stage === 'start') return { type: 'start', share: random.next() * 1.1 };
  const only = random.pick(['all', 'writes']);
  return { type: 'request', nth: random.between(1, MOST[only]), only, stage, lost: random.chance(0.5) };
}

/** How much of the unsynced data is left; undefined: all of it. */
export function someLoss(random: Random): number | undefined {
  return random.chance(0.6) ? random.next() : undefined;
}
