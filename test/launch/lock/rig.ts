import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { answersTo } from '../../../src/launch/load/answers.js';
import { loadRun } from '../../../src/launch/load/load_run.js';
import { type PreparedRun, selectPlays } from '../../../src/launch/load/prepared_run.js';
import { lockControllers } from '../../../src/launch/lock/lock_controllers.js';
import { TakenOver } from '../../../src/launch/lock/locked_names.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

export const WRITE = 'tasks: [{ cloud_present: { name: a } }]';

export interface Loaded {
  readonly cwd: string;
  readonly run: Pick<PreparedRun, 'loaded' | 'selected' | 'answers'>;
}

/** @param files besides the playbook and the inventory */
export async function loading<T>(
  playbook: string,
  inventory: string,
  use: (loaded: Loaded) => Promise<T>,
  files: Readonly<Record<string, string>> = {},
): Promise<T> {
  return inFolder({ 'p.yml': playbook, 'inv.yml': inventory, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const settings = { inventory: ['inv.yml'], verbosity: 0 };
    const loaded = await loadRun({ type: 'files', files: ['p.yml'] }, settings, { cwd, env: {} }, diagnostics);
    if (loaded === undefined) throw new Error(diagnostics.list.map(worded).join('\n'));
    const answers = await answersTo(loaded, () => Promise.resolve({ type: 'unanswered' }), diagnostics);
    const selected = selectPlays(loaded, { answers }, diagnostics);
    expect(diagnostics.list.map(worded)).to.deep.equal([]);
    return use({ cwd, run: { loaded, selected, answers } });
  });
}

export const never = new AbortController().signal;

interface Locking {
  readonly request?: Omit<PreparedRun['request'], 'command'>;
  readonly takenOver?: TakenOver;
  readonly drain?: AbortSignal;
  /** What the run reports. */
  readonly notices?: [text: string, when: string][];
}

export const lock = (folder: string, run: Loaded['run'], id: string, given: Locking = {}) => {
  const { request = {}, takenOver = new TakenOver(), drain = never, notices = [] } = given;
  const command = { type: 'run', playbooks: ['p.yml'] } as const;
  const prepared: PreparedRun = { ...run, request: { command, ...request }, label: 'p.yml', journalOptions: {} };
  const notice = (text: string, when: string): void => {
    notices.push([text, when]);
  };
  const report = { notice };
  const ports = {
    env: { EVENKEEL_LOCK_DIR: folder },
    caller: { name: 'evenkeel run', command: 'run', argv: () => [] },
    report,
    signals: { drain, abort: never },
  };
  return lockControllers(prepared, id, ports, takenOver);
};

/** Without times, processes and names of this machine. */
export const steady = (text: string): string =>
  text.replaceAll(/started by \S+ on \S+ at [\d:TZ-]+, process \d+/g, 'BY').replaceAll(/\S*\/[^/ ]+\.json/g, 'FILE');
const many = Array.from({ length: 7 }, (_, at) => `h${at + 1}`);
const inventory = `all: { vars: { controller_url: 'https://{{ inventory_hostname }}' }, hosts: { ${many.map((name) => `${name}: `).join(', ')} } }\n`;
export const locked = <T>(hosts: string, use: (folder: string, run: Loaded['run']) => Promise<T>): Promise<T> =>
  loading(`- { hosts: '${hosts}', ${WRITE} }\n`, inventory, ({ cwd, run }) => use(path.join(cwd, 'locks'), run));
