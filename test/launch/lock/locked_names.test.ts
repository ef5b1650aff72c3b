import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { errorMessage } from '../../../src/core/model/source/diagnostic.js';
import type { PreparedRun } from '../../../src/launch/load/prepared_run.js';
import { NO_LOCK } from '../../../src/launch/lock/lock_controllers.js';
import { findLockedNames, TakenOver } from '../../../src/launch/lock/locked_names.js';
import { controllerKey, LockFolder } from '../../../src/record/locks/lock_folder.js';
import { Locks } from '../../../src/record/locks/locks.js';
import { holder } from '../../record/locks/rig.js';
import { settingsOf } from '../../rig/controllers.js';
import { atHome } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';
import { loading, lock, locked, never, steady, WRITE, type Loaded } from './rig.js';

const INVENTORY = `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}.example.com' }
  hosts: { lb1: , lb2: , twin: { controller_url: https://lb1.example.com }, later: { controller_url: '{{ found }}' } }
`;

const URLS = ['https://lb1.example.com', 'https://lb2.example.com', 'https://other-lb1', 'https://other-lb2'];

/** The names of the controllers by the addresses that a run locks. */
function places(
  playbook: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
  const found = async ({ run }: Loaded) => {
    const keys = await findLockedNames(run.loaded, run.selected, run.answers);
    if (keys === undefined) return undefined;
    const url = (key: string): string => URLS.find((one) => controllerKey(one) === key) ?? key;
    return Object.fromEntries([...keys].map(([key, names]) => [url(key), names]));
  };
  return loading(playbook, INVENTORY, found, files);
}

describe('the addresses that a run locks', () => {
  it('are those of controllers to which a task may write, once each', async () => {
    expect(await places(`- { hosts: all, ${WRITE} }\n- { hosts: lb2, ${WRITE} }\n`)).to.deep.equal({
      'https://lb1.example.com': ['lb1', 'twin'],
      'https://lb2.example.com': ['lb2'],
    });
    expect(await places('- { hosts: all, tasks: [{ debug: { msg: a } }] }\n')).to.equal(undefined);
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
    const [both, url] = [`- { hosts: 'lb1,lb2', ${WRITE} }\n`, 'controller_url: https://other-lb1\n'];
    const ofOne = { 'https://other-lb1': ['lb1'], 'https://lb2.example.com': ['lb2'] };
    expect(await places(both, { 'host_vars/lb1.yml': url })).to.deep.equal(ofOne);
    expect(await places(both, { 'group_vars/all.yml': url })).to.deep.equal({ 'https://other-lb1': ['lb1', 'lb2'] });
    const prompt = 'vars_prompt: [{ name: controller_url, default: https://other-lb1 }]';
    expect(await places(`- { hosts: 'lb1,lb2', ${prompt}, ${WRITE} }\n`)).to.deep.equal({
      'https://other-lb1': ['lb1', 'lb2'],
    });
  });

  it('are none if all actions write nothing', async () => {
    const tasks = {
      sending: 'api_request: { method: POST, path: /api/x, body: {} }',
      upload: 'file_upload: { path: /api/image, src: p.yml }',
      password: 'user_password: { password: a, old_password: b }',
      account: 'avi_useraccount: { old_password: b, avi_credentials: { password: a } }',
      image: 'avi_api_image: { file_path: p.yml }',
      chosen: 'api_request: { method: "{{ method }}", path: /api/x }',
      session: 'avi_api_session: { http_method: delete, path: x }',
      reading: 'resource_facts: { kind: pool }',
      asking: 'api_request: { path: /api/x }',
      listing: 'avi_api_session: { http_method: get, path: x }',
      waiting: 'wait_for: { timeout: 0 }',
    };
    const writing = await Promise.all(
      Object.entries(tasks).map(async ([name, task]) =>
        (await places(`- { hosts: lb1, tasks: [{ ${task} }] }\n`)) === undefined ? [] : [name],
      ),
    );
    expect(writing.flat()).to.deep.equal(Object.keys(tasks).slice(0, 7));
  });
});

describe('the locks of a run', () => {
  /** What is left in the folder of the locks after runs of these kinds, which lock it in turn. */
  const left = (request: Partial<PreparedRun['request']>, outlives: boolean): Promise<readonly string[]> =>
    loading(`- { hosts: lb1, ${WRITE} }\n`, INVENTORY, async ({ cwd, run }) => {
      const folder = path.join(cwd, 'locks');
      const answer = await lock(folder, run, 'r1', { request });
      if (answer.status !== 'granted') return [answer.status];
      const held = await readdir(folder).catch(() => []);
      const other = await lock(folder, run, 'r2', { request });
      if (outlives) answer.lock.outlive();
      await answer.lock.release();
      const after = await readdir(folder).catch(() => []);
      return [held.length > 0 ? 'held' : 'not held', `another run is ${other.status}`, `${after.length} left`];
    });

  it('are in the home folder if their folder is named there, whatever the working directory', () =>
    locked('h1', (folder, run) =>
      atHome(path.dirname(folder), async () => {
        const answer = await lock('~/locks', run, 'r1');
        expect(await readdir(folder).catch(() => [])).to.not.deep.equal([]);
        if (answer.status === 'granted') await answer.lock.release();
      }),
    ));

  it('keep other runs out, and are left only if a write can take effect after the end', async () => {
    expect(await left({}, false)).to.deep.equal(['held', 'another run is refused', '0 left']);
    expect(await left({}, true)).to.deep.equal(['held', 'another run is refused', '1 left']);
    expect(await left({ readOnly: true }, true)).to.deep.equal(['not held', 'another run is granted', '0 left']);
    expect(await left({ simulate: true }, true)).to.deep.equal(['not held', 'another run is granted', '0 left']);
    expect(await left({ check: true }, true)).to.deep.equal(['not held', 'another run is granted', '0 left']);
  });

  it('keep no run out that only reads', () =>
    loading(`- { hosts: lb1, ${WRITE} }\n`, INVENTORY, async ({ cwd, run }) => {
      const folder = path.join(cwd, 'locks');
      expect(await lock(folder, run, 'r1')).to.include({ status: 'granted' });
      const reading = '- { hosts: lb1, tasks: [{ ping: }, { resource_facts: { kind: pool } }] }\n';
      const answer = await loading(reading, INVENTORY, (other) => lock(folder, other.run, 'r2'));
      if (answer.status !== 'granted') throw new Error(answer.status);
      const connect = answer.lock.guard((settings) => Promise.resolve(settings.url as never));
      const to = (url: string) => settingsOf(url, undefined);
      const [lb1, lb2] = ['https://lb1.example.com', 'https://lb2.example.com'] as const;
      expect(await connect(to(lb1), { get: () => undefined } as never)).to.equal(lb1);
      // An action that writes does not have to say so.
      const write = async (url: string): Promise<string> => {
        const error: unknown = await answer.lock.beforeWrite(to(url)).catch((one: unknown) => one);
        return error === undefined ? '' : steady(errorMessage(error));
      };
      expect(await write(lb1)).to.equal(
        `run r1 holds the lock on ${lb1} (evenkeel run p.yml, BY): nothing was sent to it; run it again for this controller`,
      );
      expect(await write(lb2)).to.equal('');
      const holders = async () => new Set((await readdir(folder)).map((name) => name.split('.')[0]));
      expect([...(await holders())]).to.have.members(['r1', 'r2']);
      await answer.lock.release();
      expect([...(await holders())]).to.have.members(['r1']);
      const open = async (id: string, where = folder) => {
        const given = await loading(reading, INVENTORY, (other) => lock(where, other.run, id));
        return given.status === 'granted' ? given.lock : expect.fail(given.status);
      };
      const [third, fourth] = [await open('r3'), await open('r4')];
      await third.beforeWrite(to(lb2));
      for (const one of [third, fourth]) {
        one.outlive();
        await one.release();
      }
      // The write of the third may take effect later; the fourth wrote nothing.
      expect([...(await holders())]).to.have.members(['r1', 'r3']);
      await writeFile(`${folder}2`, '');
      const unusable = await open('r5', `${folder}2`);
      const error: unknown = await unusable.beforeWrite(to(lb2)).catch((one: unknown) => one);
      expect(errorMessage(error)).to.match(/^cannot find out which other runs are active: /);
      await unusable.release();
    }));

  it('name each run that has some of the controllers, and up to five of these', async () => {
    const refused = (first: string, second: string) =>
      locked('all', async (folder, run) => {
        const others = await Promise.all(
          [first, second].map((hosts) => locked(hosts, (_, other) => Promise.resolve(other))),
        );
        for (const [at, other] of others.entries()) await lock(folder, other, `r${at + 1}`);
        const answer = await lock(folder, run, 'r3');
        if (answer.status !== 'refused') return [answer.status];
        expect(await lock(folder, run, 'r4', { request: { check: true } })).to.include({ status: 'granted' });
        return answer.diagnostics.map(worded).map(steady).toSorted();
      });
    const why = '(evenkeel run p.yml, BY): nothing was contacted — --wait waits until it is done';
    expect(await refused('h1', 'h2,h3')).to.deep.equal([
      `run r1 holds the lock on h1 ${why}`,
      `run r2 holds the lock on h2 and h3 ${why}`,
    ]);
    expect(await refused('h1,h2,h3', 'h4,h5,h6,h7')).to.deep.equal([
      `run r1 holds the lock on h1, h2 and h3 ${why}`,
      `run r2 holds the lock on h4, h5, h6 and h7 ${why}`,
    ]);
    expect(await refused('h1,h2,h3,h4,h5,h6', 'h7')).to.deep.equal([
      `run r1 holds the lock on h1, h2, h3, h4, h5 and 1 more ${why}`,
      `run r2 holds the lock on h7 ${why}`,
    ]);
  });

  it('are waited for if the run asks for that, and until it is interrupted', async () => {
    await locked('h1', async (folder, run) => {
      const first = await lock(folder, run, 'r1');
      const waits = async (id: string, drain = never) => {
        const notices: [string, string][] = [];
        const answer = lock(folder, run, id, { request: { wait: true }, notices, drain });
        while (notices.length === 0) await new Promise(setImmediate);
        return { answer, notices };
      };
      const interrupt = new AbortController();
      const interrupted = await waits('r3', interrupt.signal);
      interrupt.abort();
      expect(await interrupted.answer).to.deep.equal({ status: 'interrupted' });
      expect(await lock(folder, run, 'r4', { drain: interrupt.signal })).to.deep.equal({ status: 'interrupted' });
      const { answer, notices } = await waits('r2');
      if (first.status === 'granted') await first.lock.release();
      expect((await answer).status).to.equal('granted');
      expect(notices.map(([text, when]) => [steady(text), when])).to.deep.equal([
        ['waiting: run r1 holds the lock on h1 (evenkeel run p.yml, BY) (Ctrl-C to stop waiting)', 'always'],
      ]);
    });
  });

  it('are refused where locks cannot be read or understood', async () => {
    await locked('h1', async (folder, run) => {
      await mkdir(folder);
      await writeFile(path.join(folder, 'odd.json'), 'odd');
      await writeFile(path.join(folder, 'odd.held'), '');
      const unclear = await lock(folder, run, 'r1');
      expect(unclear.status === 'refused' && unclear.diagnostics.map(worded)).to.deep.equal([
        `the lock ${folder}/odd.json cannot be understood, so it may be on any controller: nothing was contacted — remove it if no run is active`,
      ]);
      await writeFile(`${folder}2`, '');
      const unusable = await lock(`${folder}2`, run, 'r1');
      const said = unusable.status === 'refused' ? unusable.diagnostics : [];
      expect(said.map(({ severity, hint }) => [severity, hint])).to.deep.equal([
        ['error', 'EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them'],
      ]);
      expect(said[0]?.message).to.match(/^cannot find out which other runs are active: .*; nothing was contacted$/);
      expect(await lock('off', run, 'r1')).to.deep.equal({ status: 'granted', lock: NO_LOCK });
    });
  });

  it('are on controllers that become known during the run, too', async () => {
    await locked('h1,h2', async (folder, both) => {
      const one = await locked('h1', (_, run) => Promise.resolve(run));
      const later = one.selected.map((play) => ({ ...play, controllers: [] }));
      const [first, second] = [await lock(folder, both, 'r1'), await lock(folder, { ...one, selected: later }, 'r2')];
      if (first.status !== 'granted' || second.status !== 'granted') throw new Error('refused');
      const connected: string[] = [];
      const connect = second.lock.guard((settings) => {
        connected.push(settings.url);
        return Promise.resolve({} as never);
      });
      const to = async (url: string): Promise<string> => {
        try {
          await connect(settingsOf(url, undefined), { get: () => undefined } as never);
          return '';
        } catch (error) {
          return steady(errorMessage(error));
        }
      };
      expect(await to('https://h1')).to.equal(
        'run r1 holds the lock on https://h1 (evenkeel run p.yml, BY): nothing was sent to it; run it again for this controller',
      );
      expect([await to('https://h9'), connected]).to.deep.equal(['', ['https://h9']]);
      await first.lock.release();
      expect([await to('https://h1'), connected.length]).to.deep.equal(['', 2]);
      await second.lock.release();
      expect(await readdir(folder)).to.deep.equal([]);
    });
  });

  it('of runs that died are taken over, with the writes that they left', async () => {
    await locked('h1,h2', async (folder, run) => {
      const opened = await LockFolder.open(folder, { own: false });
      const dead = holder('r0', { started: 'long ago' });
      const keys = ['https://h1', 'https://h2'].map(controllerKey);
      await new Locks({ folder: opened, holder: dead }).acquire(new Set(keys));
      const [notices, takenOver] = [new Array<[string, string]>(), new TakenOver()];
      const answer = await lock(folder, run, 'r1', { takenOver, notices });
      await takenOver.known();
      expect(notices).to.deep.equal([
        [`run r0 (process ${process.pid}) ended without releasing its locks: its controllers are free again`, 'detail'],
      ]);
      expect(takenOver.isDone(dead)).to.equal(false);
      const waits = ['https://h1', 'https://h2', 'https://h3'].map(
        (url) => takenOver.writes.waitFor(url, 60) !== undefined,
      );
      expect(waits).to.deep.equal([true, true, false]);
      expect(answer.status).to.equal('granted');
    });
  });
});

describe('the writes of earlier runs', () => {
  it('are done with when all their controllers were waited for', () => {
    const takenOver = new TakenOver();
    const [first, second] = ['r1', 'r2'].map((run) => holder(run));
    const isDone = () => [first, second, holder('r3')].map((one) => one !== undefined && takenOver.isDone(one));
    const time = Date.now();
    expect(isDone()).to.deep.equal([true, true, true]);
    takenOver.addWrites('r1', [
      { place: 'https://h1', time },
      { place: 'https://h2', time },
    ]);
    takenOver.addWrites('r2', [{ place: 'https://h3', time }]);
    takenOver.addWrites('r2', [{ place: 'https://h4', time }]);
    expect(isDone()).to.deep.equal([false, false, true]);
    const settle = (...urls: readonly string[]) => urls.map((url) => takenOver.writes.waitFor(url, 0));
    settle('https://h1', 'https://h4');
    expect(isDone()).to.deep.equal([false, false, true]);
    settle('https://h2', 'https://h3');
    expect(isDone()).to.deep.equal([true, true, true]);
  });
});
