/** How many of the recorded cases are asked again each time. */
const SHARE = 1 / 8;

export interface Sample<T> {
  readonly items: readonly T[];
  /** For the title of the test: how the same sample is had again. */
  readonly told: string;
}

/**
 * Some of the items, others each day: Ansible needs minutes for all of them, and what it says does not change. `EVENKEEL_SEED` picks the
 * same ones again, `EVENKEEL_SEED=all` all of them.
 */
export function sampleOf<T>(all: readonly T[], given = process.env['EVENKEEL_SEED']): Sample<T> {
  if (given === 'all') return { items: all, told: 'all' };
  const seed = Math.trunc(Number(given ?? Date.now() / 86_400_000));
  const items = all.filter((_, index) => isPicked(index, seed));
  return { items, told: `${items.length} of ${all.length}, EVENKEEL_SEED=${seed}` };
}

/** Steps of the golden ratio spread evenly, whatever the seed. */
function isPicked(index: number, seed: number): boolean {
  const at = (index + seed * 7919) * 0.6180339887498949;
  return at - Math.floor(at) < SHARE;
}
