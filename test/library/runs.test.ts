import { readdir, readFile, watch } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';
import {
  defineAction,
  InvalidInputError,
  loadInventory,
  resume,
  rollback,
  runPlaybook,
  runTask,
  Type,
  type Event,
  type InventoryGroups,
} from '../../src/index.js';
import { emptyProject, type Project } from '../rig/command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const PLAYBOOK = `- hosts: fleet
  serial: 1
  tasks:
    - cloud_present: { name: edge, mtu: "{{ mtu | default(1500) }}" }
`;
const MTU = (mtu: number) => ({ extraVars: { mtu } });

describe('the library', () => {
  let fleet: Fleet;
  let project: Project;
  let cwd: string;
  let env: Readonly<Record<string, string>>;
  let inventory: InventoryGroups;

  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'p.yml': PLAYBOOK });
    cwd = project.directory;
    env = { EVENKEEL_LOCK_DIR: path.join(cwd, 'locks') };
    inventory = inventoryOf(fleet);
  });
  afterEach(async () => {
    await project.remove();
    await fleet.dispose();
  });

  const playbooks = ['p.yml'];
  const edge = (name: string) =>
    fleet
      .controller(name)
      .objects('/api/cloud/')
      .find((one) => one['name'] === 'edge');
  const kept = (): Promise<readonly string[]> => readdir(path.join(cwd, '.evenkeel/runs')).catch(() => []);

  it('takes an inventory as an object, and emits each event to a loop', async () => {
    const run = runPlaybook({ playbooks, cwd, env, inventory });
    const types: string[] = [];
    let last: Event | undefined;
    for await (const event of run) {
      types.push(event.type);
      last = event;
    }
    const result = await run;
    expect(result.stats).to.have.all.keys('lb1', 'lb2');
    expect(types.filter((type) => type === 'task-finished')).to.have.lengthOf(2);
    expect(types[0]).to.equal('run-started');
    expect({ ...last, warnings: [] }).to.deep.equal(result);
    expect(edge('lb2')).to.include({ mtu: 1500 });
  });

  it('ends in good order if its listener throws, and rejects with that error', async () => {
    const types: string[] = [];
    const onEvent = ({ type }: Event): void => {
      types.push(type);
      if (type === 'task-finished') throw new Error('not a number');
    };
    const error: unknown = await runPlaybook({ playbooks, cwd, env, inventory, onEvent }).catch(String);
    expect(error).to.equal('Error: not a number');
    expect(types.filter((type) => type === 'task-finished')).to.have.lengthOf(1);
    expect(types.at(-1)).to.equal('run-finished');
    expect(await resume({ run: 'last', cwd, env })).to.include({ status: 'ok' });
    const again: unknown = await rollback({ run: 'last', cwd, env, onEvent: () => expect.fail('no') }).catch(String);
    expect(again).to.equal('AssertionError: no');
    const rejects = async (): Promise<void> => Promise.reject(new Error('later'));
    // oxlint-disable-next-line typescript/no-misused-promises -- as a program in JavaScript may
    const last: unknown = await runPlaybook({ playbooks, cwd, env, inventory, onEvent: rejects }).catch(String);
    expect(last).to.equal('Error: later');
    // The inserts of the last events take longer than the run.
    const late = async (event: Event): Promise<void> => {
      if (event.type !== 'run-finished') return;
      const header = path.join(cwd, '.evenkeel/runs', event.run, 'run.json');
      while (!(await readFile(header, 'utf8')).includes('"end"')) await setImmediate();
      for (let turns = 0; turns < 200; turns++) await setImmediate();
      throw new Error('not inserted');
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- as a program in JavaScript may
    const slow: unknown = await runPlaybook({ playbooks, cwd, env, inventory, onEvent: late }).catch(String);
    expect(slow).to.equal('Error: not inserted');
    const thenable = { then: (_: unknown, fail: (why: Error) => unknown) => void fail(new Error('another library')) };
    const other: unknown = await runPlaybook({ playbooks, cwd, env, inventory, onEvent: () => thenable }).catch(String);
    expect(other).to.equal('Error: another library');
  });

  it('waits for what its listener has begun until the signal is aborted', async () => {
    const stop = new AbortController();
    const stuck = async (event: Event): Promise<void> => {
      if (event.type !== 'run-finished') return;
      const header = path.join(cwd, '.evenkeel/runs', event.run, 'run.json');
      while (!(await readFile(header, 'utf8')).includes('"end"')) await setImmediate();
      stop.abort();
      await new Promise(() => undefined);
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- as a program in JavaScript may
    const run = runPlaybook({ playbooks, cwd, env, inventory, onEvent: stuck, signal: stop.signal });
    expect(await run).to.include({ status: 'ok' });
  });

  it('listens once for the end of the process, for all runs', async () => {
    const before = process.listenerCount('exit');
    const counts = new Set<number>();
    const onEvent = (): unknown => counts.add(process.listenerCount('exit') - before);
    const run = (limit: string) => runPlaybook({ playbooks, cwd, env, inventory, limit, onEvent });
    await Promise.all(['lb1', 'lb2'].map(run));
    expect([...counts]).to.deep.equal([1]);
    expect(process.listenerCount('exit')).to.equal(before);
  });

  it('allows many loops, and a loop to end before the run', async () => {
    const run = runPlaybook({ playbooks, cwd, env, inventory });
    // Node would warn of more than ten.
    const loops = Array.from({ length: 11 }, () => collect(run));
    for await (const { type } of run) if (type === 'play-started') break;
    expect((await run).status).to.equal('ok');
    expect(new Set((await Promise.all(loops)).map(({ length }) => length)).size).to.equal(1);
    expect(edge('lb2')).to.not.equal(undefined);
  });

  it('throws errors of the run into the loop', async () => {
    const error = await collect(runPlaybook({ playbooks: ['none.yml'], cwd, env, inventory })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(InvalidInputError);
  });

  it('tells of a failure after a loop that was left, when the program asks for the result', async () => {
    const onEvent = ({ type }: Event): void => {
      if (type === 'run-finished') throw new Error('mine');
    };
    const run = runPlaybook({ playbooks, cwd, env, inventory, onEvent });
    for await (const _ of run) break;
    // Nobody waits for it: a failure that nothing handles would end the program.
    while (inspect(run).includes('<pending>')) await setImmediate();
    expect(await run.catch(String)).to.equal('Error: mine');
  });

  it('reports mistakes in an inventory object', async () => {
    const wrong = { fleet: { host: {} } } as InventoryGroups;
    const error: unknown = await loadInventory({ cwd, env, inventory: wrong }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.equal(
      'InvalidInputError: inventory object: unknown key "host" in group "fleet" (did you mean "hosts"?)',
    );
  });

  it('loads an inventory of several sources, limited, with its warnings', async () => {
    const more = { fleet: { vars: { 'no-name': 1, stage: 'test' } }, spare: { hosts: { lb9: null } } };
    const { controllers, groups, warnings } = await loadInventory({
      cwd,
      env,
      inventory: [fleet.inventoryFile, more],
      limit: 'lb1,lb9',
      extraVars: { extra: true },
    });
    expect(Object.keys(controllers)).to.deep.equal(['lb1', 'lb9']);
    expect(controllers['lb1']?.groups).to.deep.equal(['fleet']);
    expect(controllers['lb1']?.variables).to.include({ controller_url: fleet.url('lb1'), stage: 'test', extra: true });
    expect(groups['fleet']).to.deep.equal({ controllers: ['lb1'], children: [] });
    expect(warnings.map(({ message }) => message)).to.deep.equal([
      'inventory object: templates cannot refer to the variable "no-name"',
    ]);
  });

  it('runs a task, with the result of each controller', async () => {
    const options = {
      pattern: 'fleet',
      module: 'cloud_present',
      args: { name: 'edge', mtu: 9000 },
      cwd,
      env,
      inventory,
    };
    const first = await runTask(options);
    expect(Object.entries(first.tasks).map(([name, { status }]) => [name, status])).to.deep.equal([
      ['lb1', 'changed'],
      ['lb2', 'changed'],
    ]);
    expect(first.tasks['lb1']?.change).to.include({ kind: 'create' });
    const { tasks } = await runTask(options);
    expect(tasks['lb2']?.status).to.equal('ok');
  });

  it('runs a module that is an object', async () => {
    const greet = defineAction({
      name: 'greet',
      summary: 'Says hello.',
      args: Type.Object({ to: Type.String() }),
      examples: [],
      check: true,
      run: ({ to }) => Promise.resolve({ status: 'ok', message: `hello ${to}`, spoken: true }),
    });
    const args = { to: '{{ inventory_hostname }}' };
    const { tasks } = await runTask({ pattern: 'lb1', module: greet, args, cwd, env, inventory });
    expect(tasks['lb1']?.message).to.equal('hello lb1');
  });

  it('resumes an interrupted run, whose inventory was an object', async () => {
    const stop = new AbortController();
    const interrupted = await runPlaybook({
      playbooks,
      cwd,
      env,
      inventory,
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'task-finished') stop.abort();
      },
    });
    expect(interrupted).to.include({ status: 'interrupted', exitCode: 130 });
    expect(edge('lb2')).to.equal(undefined);
    const resumed = await resume({ run: 'last', cwd, env });
    expect(resumed).to.include({ status: 'ok', run: interrupted.run });
    expect(Object.values(resumed.stats).map(({ changed }) => changed)).to.deep.equal([1, 1]);
    expect(edge('lb2')).to.not.equal(undefined);
    const error: unknown = await resume({ run: 'last', cwd, env }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('is finished: there is nothing to resume');
  });

  it('rolls back, and returns what it does not restore', async () => {
    await runPlaybook({ playbooks, cwd, env, inventory });
    const { run } = await runPlaybook({ playbooks, cwd, env, inventory, ...MTU(9000) });
    const planned = await rollback({ run, cwd, env, check: true });
    expect(Object.values(planned.stats).map(({ changed }) => changed)).to.deep.equal([1, 1]);
    expect(edge('lb1')).to.include({ mtu: 9000 });
    expect(await rollback({ run, cwd, env })).to.deep.include({ status: 'ok', exitCode: 0, notRestored: [] });
    expect(edge('lb1')).to.include({ mtu: 1500 });
  });

  it('has nothing to roll back of a run that only created objects', async () => {
    const { run } = await runPlaybook({ playbooks, cwd, env, inventory, limit: 'lb1' });
    const events: Event[] = [];
    const result = await rollback({ run, cwd, env, onEvent: (event) => events.push(event) });
    expect(result).to.deep.include({ status: 'ok', run: '', stats: {} });
    expect(result.notRestored).to.deep.equal([
      { controller: 'lb1', object: 'cloud "edge"', reason: 'was created: a rollback deletes nothing' },
    ]);
    expect(events.map(({ type }) => type)).to.deep.equal(['run-finished']);
  });

  it('keeps nothing without a state folder', async () => {
    const { status, run } = await runPlaybook({ playbooks, cwd, env, inventory, state: false });
    expect(status).to.equal('ok');
    expect(run).to.match(/^\d{8}T\d{6}Z-[\da-f]{6}$/);
    await runPlaybook({ playbooks, cwd, env, inventory, state: false, simulate: true });
    expect(await readdir(cwd)).to.not.include('.evenkeel');
  });

  it('refuses a gate that rolls back, without a state folder', async () => {
    await project.write('gate.yml', GATED);
    const refused: unknown = await runPlaybook({ playbooks: ['gate.yml'], cwd, env, inventory, state: false }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(refused)).to.equal(
      'InvalidInputError: gate.yml:5:14: on_fail: rollback needs a journal, but this run keeps none',
    );
    expect(fleet.controller('lb1').requests).to.be.empty;
  });

  it('refuses options that do not exist, and wrong values', async () => {
    const typo = { playbooks, cwd, env, inventory, forkz: 2, verbosity: 'high' } as never;
    const error: unknown = await runPlaybook(typo).catch((thrown: unknown) => thrown);
    expect((error as Error).message.split('\n')).to.deep.equal([
      'runPlaybook has no option "forkz" (did you mean "forks"?)',
      'verbosity must be a whole number from 0, not this text',
    ]);
    const checked: unknown = await resume({ run: 'last', cwd, env, check: true } as never).catch(
      (thrown: unknown) => thrown,
    );
    expect((checked as Error).message).to.equal('resume has no option "check"');
  });

  it('refuses an invalid inventory instead of treating it as empty', async () => {
    for (const wrong of [null, 7, [null], [['lb1,']]]) {
      const error: unknown = await loadInventory({ cwd, env, inventory: wrong } as never).catch(
        (thrown: unknown) => thrown,
      );
      expect(error)
        .to.have.property('message')
        .that.matches(
          /^inventory must be a text, an object of groups by name, or a list of at least one of these, not /,
        );
    }
  });

  it('ends a run whose signal is aborted while it waits for locks: nothing is sent or kept', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const hold = defineAction({
      name: 'hold',
      summary: 'Waits for the test.',
      args: Type.Object({}),
      examples: [],
      check: false,
      run: async () => finished.then(() => ({ status: 'ok' })),
    });
    const holder = runTask({ pattern: 'fleet', module: hold, cwd, env, inventory });
    for await (const { type } of holder) if (type === 'task-started') break;
    const before = await kept();
    const second = new AbortController();
    const changes = watch(path.join(cwd, 'locks'), { signal: AbortSignal.timeout(30_000) });
    const asked = changes[Symbol.asyncIterator]().next();
    const events: Event[] = [];
    const waiting = runPlaybook({
      playbooks,
      cwd,
      env,
      inventory,
      wait: true,
      signal: second.signal,
      onEvent: (event) => events.push(event),
    });
    await asked;
    second.abort();
    const result = await waiting;
    expect(result).to.deep.include({ status: 'interrupted', exitCode: 130, stats: {}, unstarted: ['lb1', 'lb2'] });
    expect(events).to.have.lengthOf(1);
    expect({ ...events[0], warnings: [] }).to.deep.equal(result);
    expect(await kept()).to.deep.equal(before);
    finish();
    await holder;
    expect((await runPlaybook({ playbooks, cwd, env, inventory })).status).to.equal('ok');
  });
});

const GATED = `- hosts: fleet
  gate:
    checks:
      - debug: {}
    on_fail: rollback
  tasks: []
`;

function inventoryOf(fleet: Fleet): InventoryGroups {
  const { names, caFile, username, password } = fleet;
  const hosts = Object.fromEntries(names.map((name) => [name, { controller_url: fleet.url(name) }]));
  const vars = { controller_username: username, controller_password: password, controller_ca_file: caFile };
  return { fleet: { hosts, vars: { ...vars, controller_api_version: '22.1.3' } } };
}

async function collect(run: AsyncIterable<Event>): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const event of run) events.push(event);
  return events;
}
