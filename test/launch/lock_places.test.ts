import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { answersTo } from '../../src/launch/load/answers.js';
import { loadRun } from '../../src/launch/load/load_run.js';
import type { PreparedRun } from '../../src/launch/load/prepared_run.js';
import { selectPlays } from '../../src/launch/load/selection.js';
import { lockControllers } from '../../src/launch/lock/lock_controllers.js';
import { findLockPlaces, TakenOver } from '../../src/launch/lock/lock_places.js';
import { placeKey } from '../../src/record/locks/lock.js';
import { inFolder } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';

const INVENTORY = `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}.example.com' }
  hosts: { lb1: , lb2: , twin: { controller_url: https://lb1.example.com }, later: { controller_url: '{{ found }}' } }
`;

const URLS = ['https://lb1.example.com', 'https://lb2.example.com', 'https://other-lb1', 'https://other-lb2'];

interface Loaded {
  readonly cwd: string;
  readonly run: Pick<PreparedRun, 'loaded' | 'selected' | 'answers'>;
}

async function loading<T>(playbook: string, inventory: string, use: (loaded: Loaded) => Promise<T>): Promise<T> {
  return inFolder({ 'p.yml': playbook, 'inv.yml': inventory }, async (cwd) => {
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

/** The names of the controllers by the addresses that a run locks. */
function places(playbook: string, inventory = INVENTORY): Promise<Readonly<Record<string, readonly string[]>>> {
  return loading(playbook, inventory, async ({ run }) => {
    const found = await findLockPlaces(run.loaded, run.selected, run.answers);
    const url = (key: string): string => URLS.find((one) => placeKey(one) === key) ?? key;
    return Object.fromEntries([...found].map(([key, names]) => [url(key), names]));
  });
}

const WRITE = 'tasks: [{ cloud_present: { name: a } }]';

describe('the addresses that a run locks', () => {
  it('are those of controllers to which a task may write, once each', async () => {
    expect(await places(`- { hosts: all, ${WRITE} }\n- { hosts: lb2, ${WRITE} }\n`)).to.deep.equal({
      'https://lb1.example.com': ['lb1', 'twin'],
      'https://lb2.example.com': ['lb2'],
    });
    expect(await places('- { hosts: all, tasks: [{ debug: { msg: a } }] }\n')).to.deep.equal({});
    expect(
      await places(`- { hosts: lb1, tasks: [{ debug: { msg: a } }] }\n- { hosts: lb2, ${WRITE} }\n`),
    ).to.deep.equal({
      'https://lb2.example.com': ['lb2'],
    });
    expect(await places('- { hosts: lb1, tasks: [{ include_tasks: "{{ file }}" }] }\n')).to.deep.equal({
      'https://lb1.example.com': ['lb1'],
    });
    expect(
      await places(`- { hosts: lb1, tasks: [], handlers: [{ name: h, cloud_present: { name: a } }] }\n`),
    ).to.deep.equal({ 'https://lb1.example.com': ['lb1'] });
  });

  it('are those that the variables of each play say', async () => {
    const other = `- { hosts: 'lb1,lb2', vars: { controller_url: 'https://other-{{ inventory_hostname }}' }, ${WRITE} }\n`;
    expect(await places(`- { hosts: lb1, ${WRITE} }\n${other}`)).to.deep.equal({
      'https://lb1.example.com': ['lb1'],
      'https://other-lb1': ['lb1'],
      'https://other-lb2': ['lb2'],
    });
    expect(await places(other + other)).to.deep.equal({ 'https://other-lb1': ['lb1'], 'https://other-lb2': ['lb2'] });
  });
});

describe('the locks of a run', () => {
  /** What is left in the folder of the locks after runs of these kinds, which lock it in turn. */
  const left = (request: Partial<PreparedRun['request']>, outlives: boolean): Promise<readonly string[]> =>
    loading(`- { hosts: lb1, ${WRITE} }\n`, INVENTORY, async ({ cwd, run }) => {
      const folder = path.join(cwd, 'locks');
      const never = new AbortController().signal;
      const prepared = {
        ...run,
        request: { ...request },
        label: 'p.yml',
        journalOptions: {},
      } as unknown as PreparedRun;
      const report = { warnings: () => undefined, notice: () => undefined, open: () => ({}) as never };
      const ports = {
        env: { EVENKEEL_LOCK_DIR: folder },
        caller: { name: 'evenkeel run', command: 'run', argv: () => [] },
        report,
        signals: { drain: never, abort: never },
      };
      const answer = await lockControllers(prepared, 'r1', ports, new TakenOver());
      if (answer.status !== 'granted') return [answer.status];
      const held = await readdir(folder).catch(() => []);
      const other = await lockControllers(prepared, 'r2', ports, new TakenOver());
      if (outlives) answer.lock.outlive();
      await answer.lock.release();
      const after = await readdir(folder).catch(() => []);
      return [held.length > 0 ? 'held' : 'not held', `another run is ${other.status}`, `${after.length} left`];
    });

  it('keep other runs out, and are left only if a write can take effect after the end', async () => {
    expect(await left({}, false)).to.deep.equal(['held', 'another run is refused', '0 left']);
    expect(await left({}, true)).to.deep.equal(['held', 'another run is refused', '1 left']);
    expect(await left({ readOnly: true }, true)).to.deep.equal(['not held', 'another run is granted', '0 left']);
    expect(await left({ simulate: true }, true)).to.deep.equal(['not held', 'another run is granted', '0 left']);
    expect(await left({ check: true }, true)).to.deep.equal(['not held', 'another run is granted', '0 left']);
  });
});
