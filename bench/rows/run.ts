import { startFleet, type Fleet } from '../fleet.js';
import { median, type Cost } from '../measure.js';
import { runEvenkeel, runFloor } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const REPEATS = 3;
/** Milliseconds that the event loop may be blocked. */
const BLOCKED = 50;

/** A first run that writes everything and a second that only reads, each beside the floor. */
export async function runRows(size: number): Promise<readonly Row[]> {
  const fleet = await startFleet(size);
  try {
    // The very first run warms the simulator up, which must not count.
    await runFloor(fleet, 'write');
    await fleet.reset();
    const writes = await sideBySide(fleet, 'write');
    await runEvenkeel(fleet);
    await fleet.count();
    const reads = await sideBySide(fleet, 'read');
    return [
      ...compare(`first run, ${size} controllers`, size, writes),
      ...compare(`second run, ${size} controllers`, size, reads),
    ];
  } finally {
    await fleet.stop();
  }
}

interface Pair {
  readonly floor: readonly Cost[];
  readonly evenkeel: readonly Cost[];
}

/** By turns, so that a slow minute of the machine hits both. */
async function sideBySide(fleet: Fleet, mode: 'write' | 'read'): Promise<Pair> {
  const floor: Cost[] = [];
  const evenkeel: Cost[] = [];
  const after = async (program: string): Promise<void> => {
    const seen = mode === 'write' ? await fleet.reset() : await fleet.count();
    expectRequests(program, seen, mode, fleet.size);
  };
  for (let turn = 0; turn < REPEATS; turn += 1) {
    floor.push(await runFloor(fleet, mode));
    await after('the floor');
    evenkeel.push(await runEvenkeel(fleet));
    await after('evenkeel');
  }
  return { floor, evenkeel };
}

/** A comparison of different work would say nothing. */
function expectRequests(
  program: string,
  seen: Readonly<Record<string, number>>,
  mode: 'write' | 'read',
  size: number,
): void {
  const expected = mode === 'write' ? { GET: 4 * size, POST: size, PUT: size } : { GET: 2 * size };
  const described = (counts: Readonly<Record<string, number>>): string =>
    JSON.stringify(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
  if (described(seen) !== described(expected)) {
    throw new Error(
      `${program} sent ${described(seen)} instead of ${described(expected)} (${mode}, ${size} controllers)`,
    );
  }
}

function compare(what: string, size: number, { floor, evenkeel }: Pair): readonly Row[] {
  const second = what.startsWith('second');
  const budget = second ? 1.4 : 1.5;
  const row = (name: string, pick: (cost: Cost) => number, divisor: number, each: string): Row => {
    const measured = median(evenkeel.map(pick)) / divisor;
    const against = median(floor.map(pick)) / divisor;
    return {
      what: `${what}: ${name}`,
      measured: milliseconds(measured) + each,
      against: `floor: ${milliseconds(against)}${each}`,
      ratio: measured / against,
      budget,
    };
  };
  const blocked = Math.max(...evenkeel.map(({ blockedMs }) => blockedMs));
  return [
    row('CPU', ({ cpuMs }) => cpuMs, size, ' each'),
    row('wall', ({ wallMs }) => wallMs, 1, ''),
    {
      what: `${what}: event loop blocked`,
      measured: milliseconds(blocked),
      against: `limit: ${BLOCKED} ms`,
      ratio: blocked / BLOCKED,
      budget: 1,
    },
  ];
}
