import { stat } from 'node:fs/promises';
import path from 'node:path';
import { startFleet, type Fleet } from '../fleet.js';
import { measureNode, median, type Cost } from '../measure.js';
import { AT_ONCE, EVENKEEL, runEvenkeel } from '../programs.js';
import type { Row } from '../row.js';

const SIZE = 1000;
const REPEATS = 3;
const KIB = 1024;

/** A plan in which nothing changes beside a second run, and the size of a plan in which everything does. */
export async function planRows(): Promise<readonly Row[]> {
  const fleet = await startFleet(SIZE);
  try {
    await makePlan(fleet);
    const each = (await stat(path.join(fleet.directory, 'bench.plan'))).size / SIZE;
    await runEvenkeel(fleet);
    const [plans, runs]: [Cost[], Cost[]] = [[], []];
    for (let turn = 0; turn < REPEATS; turn += 1) {
      plans.push(await makePlan(fleet));
      runs.push(await runEvenkeel(fleet));
    }
    return [
      {
        what: `plan of ${SIZE.toLocaleString('en')} controllers, nothing to change: CPU`,
        measured: text(plans),
        against: `second run: ${text(runs)}`,
        ratio: cpu(plans) / cpu(runs),
        budget: 1.1,
      },
      {
        what: 'file of a plan, per controller',
        measured: `${Math.round(each)} bytes`,
        against: 'limit: 2 KiB',
        ratio: each / (2 * KIB),
        budget: 1,
      },
    ];
  } finally {
    await fleet.stop();
  }
}

function makePlan({ directory }: Fleet): Promise<Cost> {
  const where = ['--inventory', 'inventory.yml', '--out', 'bench.plan'];
  const args = ['plan', 'playbook.yml', ...where, '--forks', AT_ONCE, '--output', 'lines'];
  return measureNode([EVENKEEL, ...args], directory);
}

const cpu = (costs: readonly Cost[]): number => median(costs.map(({ cpuMs }) => cpuMs));
const text = (costs: readonly Cost[]): string => `${(cpu(costs) / SIZE).toFixed(1)} ms each`;
