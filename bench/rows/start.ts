import { startFleet } from '../fleet.js';
import { measureWall, median } from '../measure.js';
import { EVENKEEL } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const REPEATS = 15;

/** How long a user waits before anything happens. */
export async function startRows(): Promise<readonly Row[]> {
  const fleet = await startFleet(1);
  try {
    const cloud = ['-m', 'cloud_present', '-a', 'name=edge'];
    return [
      await compare('start: `evenkeel --version`', [EVENKEEL, '--version'], 1.4, fleet.directory),
      await compare('start: `evenkeel --help`', [EVENKEEL, '--help'], 1.3, fleet.directory),
      await compare(
        'start: `evenkeel task` on one controller',
        [EVENKEEL, 'task', 'lb1', '--inventory', 'inventory.yml', ...cloud],
        2.5,
        fleet.directory,
      ),
    ];
  } finally {
    await fleet.stop();
  }
}

async function compare(what: string, args: readonly string[], budget: number, cwd: string): Promise<Row> {
  const bare: number[] = [];
  const evenkeel: number[] = [];
  for (let turn = 0; turn < REPEATS; turn += 1) {
    bare.push(await measureWall({ program: process.execPath, args: ['-e', '0'], cwd }));
    evenkeel.push(await measureWall({ program: process.execPath, args, cwd }));
  }
  const [measured, against] = [median(evenkeel), median(bare)];
  return {
    what,
    measured: milliseconds(measured),
    against: `\`node -e 0\`: ${milliseconds(against)}`,
    ratio: measured / against,
    budget,
  };
}
