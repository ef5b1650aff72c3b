/** Of everything that is generated: what fails on one machine fails on all. `EVENKEEL_SEED` picks another; `.ci/nightly` does each day. */
export const SEED = Number(process.env['EVENKEEL_SEED'] ?? 20_261_122);
if (!Number.isSafeInteger(SEED)) throw new Error('EVENKEEL_SEED must be a whole number');
