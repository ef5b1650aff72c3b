// Prints the ratios of design/performance.md, each measured beside what it is compared with. It judges nobody's build: an
// absolute time on a shared machine means nothing, and a ratio on a busy one little.
// usage: npm run bench -- [ROWS…]   rows: fleet200 fleet1000 start inventory python journal plan memory latency growth tunnel ansible; default: the first five; all
import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { installed } from '../test/rig/programs.js';
import { EVENKEEL } from './programs.js';
import { table, type Row } from './row.js';
import { ansibleRows } from './rows/ansible.js';
import { growthRows } from './rows/growth.js';
import { inventoryRows } from './rows/inventory.js';
import { journalRows } from './rows/journal.js';
import { latencyRows } from './rows/latency.js';
import { memoryRows } from './rows/memory.js';
import { planRows } from './rows/plan.js';
import { pythonRows } from './rows/python.js';
import { runRows } from './rows/run.js';
import { startRows } from './rows/start.js';
import { tunnelRows } from './rows/tunnel.js';

interface Part {
  readonly rows: () => Promise<readonly Row[]>;
  /** A program that must be installed. */
  readonly needs?: string;
  /** Takes minutes: only when it is named. */
  readonly long?: boolean;
}

const PARTS: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['fleet200', { rows: () => runRows(200) }],
  ['fleet1000', { rows: () => runRows(1000) }],
  ['start', { rows: startRows }],
  ['inventory', { rows: inventoryRows, needs: 'ansible-inventory' }],
  ['python', { rows: pythonRows, needs: 'python3' }],
  ['journal', { rows: journalRows, long: true }],
  ['plan', { rows: planRows, long: true }],
  ['memory', { rows: memoryRows, long: true }],
  ['latency', { rows: latencyRows, long: true }],
  ['growth', { rows: growthRows, long: true }],
  ['tunnel', { rows: tunnelRows, needs: 'sshd', long: true }],
  ['ansible', { rows: ansibleRows, needs: 'ansible-playbook', long: true }],
]);

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function chosen(names: readonly string[]): readonly string[] | undefined {
  if (names.includes('all')) return [...PARTS.keys()];
  const unknown = names.filter((name) => !PARTS.has(name));
  if (unknown.length > 0) {
    say(`no such rows: ${unknown.join(', ')}; there are ${[...PARTS.keys()].join(', ')} and all`);
    return undefined;
  }
  return names.length > 0 ? names : [...PARTS].flatMap(([name, { long }]) => (long === true ? [] : [name]));
}

/** What fails is told, and costs no other rows. */
async function measure(names: readonly string[]): Promise<{ readonly rows: readonly Row[]; readonly failed: boolean }> {
  const rows: Row[] = [];
  let failed = false;
  for (const name of names) {
    const part = PARTS.get(name);
    if (part === undefined) continue;
    if (part.needs !== undefined && installed(part.needs) === undefined) {
      say(`${name}: left out, since ${part.needs} is not installed`);
      continue;
    }
    say(`${name} …`);
    try {
      rows.push(...(await part.rows()));
    } catch (error) {
      say(`${name}: ${inspect(error)}`);
      failed = true;
    }
  }
  return { rows, failed };
}

async function main(): Promise<number> {
  const names = chosen(process.argv.slice(2));
  if (names === undefined) return 1;
  if (!existsSync(EVENKEEL)) {
    say('dist/main.js is not there: run `npm run build` first');
    return 1;
  }
  const { rows, failed } = await measure(names);
  process.stdout.write(table(rows));
  return failed ? 1 : 0;
}

process.exitCode = await main();
