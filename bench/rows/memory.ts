import { startFleet } from '../fleet.js';
import type { Cost } from '../measure.js';
import { runEvenkeel } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const LIMIT_MIB = 200;
const SMALL = 1000;
const LARGE = 10_000;

/** Whether a big fleet costs more than its size: memory, and time per controller. */
export async function memoryRows(): Promise<readonly Row[]> {
  const small = await firstRun(SMALL);
  const large = await firstRun(LARGE);
  return [
    {
      what: `peak memory, ${LARGE} controllers`,
      measured: `${large.peakMiB.toFixed(0)} MiB`,
      against: `limit: ${LIMIT_MIB} MiB`,
      ratio: large.peakMiB / LIMIT_MIB,
      budget: 1,
    },
    {
      what: `wall per controller, ${LARGE} controllers`,
      measured: milliseconds(large.wallMs / LARGE),
      against: `${SMALL} controllers: ${milliseconds(small.wallMs / SMALL)}`,
      ratio: large.wallMs / LARGE / (small.wallMs / SMALL),
      budget: 1.15,
    },
  ];
}

async function firstRun(size: number): Promise<Cost> {
  const fleet = await startFleet(size);
  try {
    return await runEvenkeel(fleet);
  } finally {
    await fleet.stop();
  }
}
