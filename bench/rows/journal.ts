import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFleet } from '../fleet.js';
import type { Cost } from '../measure.js';
import { EVENKEEL, runEvenkeel } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const SIZE = 1000;
/** The machine's own noise is as large as what is measured: only many pairs say something. */
const PAIRS = 20;
const NO_JOURNAL = fileURLToPath(import.meta.resolve('../no_journal.ts'));
const ROOT = path.resolve(import.meta.dirname, '../..');

/** A run that writes everything, beside one of a build that keeps no journal. */
export async function journalRows(): Promise<readonly Row[]> {
  const folder = path.join(ROOT, 'dist.bench');
  try {
    await promisify(execFile)(process.execPath, [
      ...[path.join(ROOT, 'scripts/build.mjs'), '--to', folder],
      ...['--instead', `src/record/journal/write/start_journal.ts=${NO_JOURNAL}`],
    ]);
    const { kept, unkept } = await pairs(path.join(folder, 'main.js'));
    return [row('wall', kept, unkept, ({ wallMs }) => wallMs), row('CPU', kept, unkept, ({ cpuMs }) => cpuMs)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Costs {
  readonly kept: readonly Cost[];
  readonly unkept: readonly Cost[];
}

/** @param other the command that keeps no journal */
async function pairs(other: string): Promise<Costs> {
  const fleet = await startFleet(SIZE);
  const run = async (program: string): Promise<Cost> => {
    const cost = await runEvenkeel(fleet, program);
    await fleet.reset();
    return cost;
  };
  const kept: Cost[] = [];
  const unkept: Cost[] = [];
  try {
    // The very first run warms the simulator up, which must not count.
    await run(EVENKEEL);
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // The one that goes first is another each time: a machine that gets slower, or faster, favours neither.
      const turns = [
        () => run(EVENKEEL).then((cost) => kept.push(cost)),
        () => run(other).then((cost) => unkept.push(cost)),
      ];
      for (const turn of pair % 2 === 0 ? turns : turns.reverse()) await turn();
    }
    return { kept, unkept };
  } finally {
    await fleet.stop();
  }
}

function row(name: string, kept: readonly Cost[], unkept: readonly Cost[], pick: (cost: Cost) => number): Row {
  const [measured, against] = [mean(kept.map(pick)), mean(unkept.map(pick))];
  return {
    what: `first run, ${SIZE} controllers, with its journal: ${name}`,
    measured: milliseconds(measured),
    against: `without: ${milliseconds(against)}`,
    ratio: measured / against,
    budget: 1.08,
  };
}

/** Over all runs, since a single one says little. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
