import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../test/rig/free_port.js';
import { Link } from '../../test/rig/link.js';
import { Bastion } from '../../test/rig/ssh.js';
import { startFleet, type Fleet } from '../fleet.js';
import { median, type Cost } from '../measure.js';
import { EVENKEEL, runEvenkeel } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const REPEATS = 3;
const SIZES = [300, 1000];
/** Milliseconds on the link of a site: half in each direction. */
const DELAY = 500;
/** A task is a read, a create and its verification, one after the other. */
const TASKS = 5;
const PLAYBOOK = `- name: Bench
  hosts: all
  gather_facts: false
  tasks:
${Array.from({ length: TASKS }, (_, at) => `    - cloud_present: { name: "{{ cloud_name }}-${at}" }\n`).join('')}`;

/** A run through two tunnels of OpenSSH, beside the same run without; and with a link that is far away. */
export async function tunnelRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    const fleet = await startFleet(size);
    try {
      await writeFile(path.join(fleet.directory, 'playbook.yml'), PLAYBOOK);
      rows.push(...(await compared(fleet)));
    } finally {
      await fleet.stop();
    }
  }
  return rows;
}

async function compared(fleet: Fleet): Promise<readonly Row[]> {
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const bastion = await Bastion.start(ports);
  const link = await Link.to(bastion.port, DELAY / 2);
  try {
    await bastion.addSite('site', ports);
    const routes: string[][] = [];
    for (const through of [bastion.port, link.port]) {
      const [first = 0, second = 0] = ports.splice(0, 2);
      const tunnels = [first, second].map((port) => bastion.tunnel('site', port, 'any', through));
      routes.push((await Promise.all(tunnels)).map(({ proxy }) => proxy));
    }
    const run = async (proxies: readonly string[] | undefined): Promise<Cost> => {
      const more = proxies === undefined ? [] : ['-e', JSON.stringify({ controller_proxy: proxies })];
      const cost = await runEvenkeel(fleet, EVENKEEL, more);
      const { POST = 0 } = await fleet.reset();
      if (POST !== TASKS * fleet.size) throw new Error(`${POST} creates instead of ${TASKS * fleet.size}`);
      return cost;
    };
    await run(undefined);
    const [direct, through]: [Cost[], Cost[]] = [[], []];
    for (let turn = 0; turn < REPEATS; turn += 1) {
      direct.push(await run(undefined));
      through.push(await run(routes[0]));
    }
    const rows = [
      row(fleet.size, 'CPU', direct, through, 'cpuMs', 1.15),
      row(fleet.size, 'wall', direct, through, 'wallMs', 1.5),
    ];
    // A minute for 300 controllers, all of it waiting.
    if (fleet.size > 300) return rows;
    const far = await run(routes[1]);
    // Fifty controllers wait for each round trip at the same time.
    return [...rows, farRow(fleet.size, far.wallMs - median(through.map(({ wallMs }) => wallMs)))];
  } finally {
    await bastion.dispose();
    await link.close();
  }
}

function row(
  size: number,
  what: string,
  direct: readonly Cost[],
  through: readonly Cost[],
  field: 'cpuMs' | 'wallMs',
  budget: number,
): Row {
  const [measured, against] = [through, direct].map((costs) => median(costs.map((cost) => cost[field])));
  return {
    what: `through two tunnels, ${size} controllers × ${TASKS} tasks: ${what}`,
    measured: milliseconds(measured ?? 0),
    against: `directly: ${milliseconds(against ?? 0)}`,
    ratio: (measured ?? 0) / (against ?? 1),
    budget,
  };
}

/** Of a controller: to the proxy and through it, two for TLS, then three for each task. */
const ROUND_TRIPS = 4 + 3 * TASKS;

function farRow(size: number, moreMs: number): Row {
  const expected = Math.ceil(size / 50) * ROUND_TRIPS * DELAY;
  return {
    what: `${DELAY} ms on the link, ${size} controllers: more wall`,
    measured: milliseconds(moreMs),
    against: `${ROUND_TRIPS} round trips of each controller, 50 at once: ${milliseconds(expected)}`,
    ratio: moreMs / expected,
    budget: 1.2,
  };
}
