/** Of everything that is generated: what fails on one machine fails on all. `EVENKEEL_SEED` picks another; `.ci/nightly` does each day. */
export const SEED = Number(process.env['EVENKEEL_SEED'] ?? 20_261_122);
if (!Number.isSafeInteger(SEED)) throw new Error('EVENKEEL_SEED must be a whole number');

/** Whether to test everything, as `.ci/nightly` does, and not only a share. */
export const IS_WHOLE = 'EVENKEEL_SEED' in process.env;

/** Whether this is `npm test`. */
const IS_CHANGE = !IS_WHOLE && process.env['EVENKEEL_TESTS'] === 'change';

/** How much of what is slow runs: in `npm test`, and in `.ci/run` or alone. */
export interface Amounts {
  readonly change: number;
  readonly gate: number;
}

/** One of these, by what runs. For `.ci/nightly`, which takes all, it is `whole`. */
export function amountOf({ change, gate }: Amounts, whole: number): number {
  if (IS_WHOLE) return whole;
  return IS_CHANGE ? change : gate;
}

/** Of slow cases one of so many; all with `EVENKEEL_SEED`. */
export function shareOf<T>(all: readonly T[], each: number | Amounts, offset = 0): readonly T[] {
  const step = typeof each === 'number' ? (IS_WHOLE ? 1 : each) : amountOf(each, 1);
  return all.filter((_, index) => (index + offset) % step === 0);
}
