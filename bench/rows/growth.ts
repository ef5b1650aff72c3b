import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startFleet } from '../fleet.js';
import { measureNode, type Cost } from '../measure.js';
import { EVENKEEL, measureRun } from '../programs.js';
import { milliseconds, type Row } from '../row.js';

const SIZES = [10, 100, 1000, 10_000];
const LATENCIES_MS = [0, 20, 100];
const TASKS = [2, 20, 200];
const CONTROLLERS = 100;
const LOCAL_SIZES = [1000, 10_000, 100_000];
/** The goals for local tasks on a fleet in lockstep. */
const LINEAR = { size: 10_000, tasks: 20, mostMiB: 250, mostBytes: 300, mostMs: 500 };

/** What a unit of work costs as there are more of them: nothing may cost more for each because there are many. */
export async function growthRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const latencyMs of LATENCIES_MS) {
    const table = new Table();
    for (const size of SIZES)
      rows.push(
        table.row(`${number(size)} controllers at ${latencyMs} ms, -f auto`, size, await firstRun(size, latencyMs)),
      );
  }
  const byTasks = new Table();
  for (const count of TASKS)
    rows.push(byTasks.row(`${CONTROLLERS} controllers, ${count} tasks`, count, await manyTasks(count)));
  const local = new Table();
  for (const size of LOCAL_SIZES) {
    const row = local.row(`${number(size)} controllers, 2 local tasks, linear`, size, (await localTasks(size, 2)).run);
    rows.push(row);
  }
  return [...rows, ...(await linearRows())];
}

async function linearRows(): Promise<readonly Row[]> {
  const { size, tasks, mostMiB, mostBytes, mostMs } = LINEAR;
  const { run, journalBytes, history } = await localTasks(size, tasks);
  const what = `${number(size)} controllers, ${tasks} local tasks, linear`;
  const bytes = journalBytes / size / tasks;
  return [
    limited(`${what}: memory`, `${run.peakMiB.toFixed(0)} MiB`, run.peakMiB / mostMiB, `${mostMiB} MiB`),
    limited(`${what}: journal of a task`, `${bytes.toFixed(0)} bytes`, bytes / mostBytes, `${mostBytes} bytes`),
    limited(`${what}: CPU of \`runs last\``, milliseconds(history.cpuMs), history.cpuMs / mostMs, `${mostMs} ms`),
  ];
}

function limited(what: string, measured: string, ratio: number, limit: string): Row {
  return { what, measured, against: `limit: ${limit}`, ratio, budget: 1 };
}

/** Compares the wall time for each unit with that of the row before. */
class Table {
  #before: number | undefined;

  row(what: string, units: number, { wallMs, cpuMs, peakMiB }: Cost): Row {
    const each = wallMs / units;
    const before = this.#before ?? each;
    this.#before = each;
    const measured = `${milliseconds(wallMs)}, ${milliseconds(cpuMs)} CPU, ${peakMiB.toFixed(0)} MiB`;
    const against = `${milliseconds(each)} each, before: ${milliseconds(before)}`;
    return { what, measured, against, ratio: each / before, budget: 1.15 };
  }
}

const number = (value: number): string => value.toLocaleString('en');

async function firstRun(size: number, latencyMs: number): Promise<Cost> {
  const fleet = await startFleet(size, latencyMs);
  try {
    return await measureRun(fleet, EVENKEEL, ['--forks', 'auto']);
  } finally {
    await fleet.stop();
  }
}

async function manyTasks(count: number): Promise<Cost> {
  const fleet = await startFleet(CONTROLLERS);
  try {
    const task = (_: unknown, at: number): string =>
      `    - cloud_present: { name: "{{ cloud_name }}-${at}", vtype: CLOUD_NONE }\n`;
    await writeFile(path.join(fleet.directory, 'playbook.yml'), play(Array.from({ length: count }, task)));
    return await measureRun(fleet, EVENKEEL, []);
  } finally {
    await fleet.stop();
  }
}

interface Local {
  readonly run: Cost;
  readonly journalBytes: number;
  readonly history: Cost;
}

/** Tasks that ask no controller: what the walk, the output and the journal cost. */
async function localTasks(size: number, tasks: number): Promise<Local> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-bench-'));
  try {
    const host = (_: unknown, at: number): string =>
      `lb${at} controller_url=https://lb${at}.example.com rack=${at % 40}\n`;
    await writeFile(path.join(cwd, 'inventory.ini'), Array.from({ length: size }, host).join(''));
    const task = (_: unknown, at: number): string => `    - set_fact: { place${at}: "rack {{ rack }} of ${at}" }\n`;
    await writeFile(path.join(cwd, 'playbook.yml'), play(Array.from({ length: tasks }, task), 'linear'));
    await writeFile(path.join(cwd, 'evenkeel.yml'), 'inventory: inventory.ini\n');
    const run = await measureNode([EVENKEEL, 'run', 'playbook.yml', '--output', 'lines'], cwd);
    const history = await measureNode([EVENKEEL, 'runs', 'last'], cwd);
    return { run, journalBytes: await bytesIn(path.join(cwd, '.evenkeel/runs')), history };
  } finally {
    await rm(cwd, { recursive: true });
  }
}

function play(tasks: readonly string[], strategy = 'free'): string {
  return `- hosts: all\n  gather_facts: false\n  strategy: ${strategy}\n  tasks:\n${tasks.join('')}`;
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
