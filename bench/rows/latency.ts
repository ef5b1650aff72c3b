import { startFleet, type Fleet } from '../fleet.js';
import { median } from '../measure.js';
import { EVENKEEL, measureRun } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const REPEATS = 3;
const FEW = 500;
const MANY = 10_000;

/** How long a run takes with automatic forks if controllers take their time: beside fixed numbers, and beside work alone. */
export async function latencyRows(): Promise<readonly Row[]> {
  const few = await walls(FEW, 50, ['auto', '50', '150', '400']);
  const [far] = await walls(MANY, 100, ['auto'], 1);
  const [near] = await walls(MANY, 0, ['50'], 1);
  return [
    row(`${FEW} controllers at 50 ms, -f auto: wall`, few[0], 'with 50 forks', few[1], 0.5),
    row(`${FEW} controllers at 50 ms, -f auto: wall`, few[0], 'with 150 forks', few[2], 0.9),
    row(`${FEW} controllers at 50 ms, -f auto: wall`, few[0], 'with 400 forks', few[3], 1.06),
    row(`${MANY.toLocaleString('en')} controllers at 100 ms, -f auto: wall`, far, 'at 0 ms with 50 forks', near, 1.3),
  ];
}

/** Medians of first runs, in ms, by turns. */
async function walls(size: number, latencyMs: number, forks: readonly string[], repeats = REPEATS): Promise<number[]> {
  const fleet = await startFleet(size, latencyMs);
  try {
    await wall(fleet, '50');
    const all = forks.map((): number[] => []);
    for (let turn = 0; turn < repeats; turn += 1)
      for (const [at, count] of forks.entries()) all[at]?.push(await wall(fleet, count));
    return all.map((times) => median(times));
  } finally {
    await fleet.stop();
  }
}

async function wall(fleet: Fleet, forks: string): Promise<number> {
  const { wallMs } = await measureRun(fleet, EVENKEEL, ['--forks', forks]);
  await fleet.reset();
  return wallMs;
}

function row(what: string, measured = NaN, how = '', against = NaN, budget = NaN): Row {
  const other = `${how}: ${milliseconds(against)}`;
  return { what, measured: milliseconds(measured), against: other, ratio: measured / against, budget };
}
