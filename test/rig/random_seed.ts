/** Of everything that is generated: what fails on one machine fails on all. `EVENKEEL_SEED` picks another; `.ci/nightly` does each day. */
export const SEED = Number(process.env['EVENKEEL_SEED'] ?? 20_261_122);
if (!Number.isSafeInteger(SEED)) throw new Error('EVENKEEL_SEED must be a whole number');

/** Whether to test everything, as `.ci/nightly` does, and not only a share. */
export const IS_WHOLE = 'EVENKEEL_SEED' in process.env;

/** A share of slow cases for every change; all with `EVENKEEL_SEED`. */
export function shareOf<T>(all: readonly T[], each: number, offset = 0): readonly T[] {
  return IS_WHOLE ? all : all.filter((_, index) => (index + offset) % each === 0);
}
