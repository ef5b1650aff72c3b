import { expect } from 'chai';
import { Connections } from '../../../src/controller/connections.js';
import { caReader } from '../../../src/controller/settings/settings.js';
import type { Controller } from '../../../src/core/model/inventory/inventory.js';
import type { Past } from '../../../src/core/model/run/past.js';
import { WAIT_WITHOUT_FORKS, type Singleton } from '../../../src/core/model/run/session.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { LoopYielder } from '../../../src/engine/control/clock.js';
import { ControllerConnections } from '../../../src/engine/controllers/controller_connections.js';
import { SessionPool } from '../../../src/engine/controllers/session_pool.js';
import { TaskSession } from '../../../src/engine/controllers/task_session.js';
import type { Connect } from '../../../src/engine/input/run_input.js';
import { Variables } from '../../../src/language/scope.js';
import { layer } from '../../language/scopes.js';
import { anIntent } from '../../rig/kept.js';
import { pastOf } from '../../rig/recorder.js';

const URL = 'https://lb1.example.com';
const LB1: Controller = { name: 'lb1', groups: [], layers: [] };
const VALUES = {
  controller_url: URL,
  controller_username: 'admin',
  controller_password: 'secret',
  controller_api_version: '22.1.3',
  controller_dialect: 'avi',
};

interface Given {
  readonly isDelegated?: boolean;
  readonly isPatient?: boolean;
  /** Variables of the task. */
  readonly task?: Readonly<Record<string, string | number>>;
  readonly forks?: number;
  readonly settles?: () => Promise<void>;
  readonly past?: Past;
}

/** A task's session that notes what it does to the session of the run, which reads what was given. */
function start({ isDelegated = false, isPatient = true, task = {}, forks = 0, settles, past }: Given = {}) {
  const actions: string[] = [];
  const answers: Singleton[] = [];
  const failures: Error[] = [];
  const connections = new Connections({ abort: new AbortController().signal });
  const connect: Connect = (settings, { isGiven }) => {
    actions.push(`open ${settings.url} ${settings.tenant ?? ''}${isGiven ? ' as given' : ''}`);
    const failure = failures.shift();
    if (failure !== undefined) return Promise.reject(failure);
    const session = connections.open(settings);
    return Object.assign(session, {
      withWait: (_: unknown, patient: boolean) => ({
        single: () => {
          actions.push(patient ? 'patient' : 'impatient');
          return Promise.resolve(answers.shift() ?? { status: 'found', object: {} });
        },
      }),
      forgetAnswers: () => void actions.push('forget'),
      close: () => Promise.resolve(void actions.push('close')),
    });
  };
  const settingSources = { readCa: caReader('.') };
  const input = { connections: { connect, settingSources }, sources: { secrets: new Secrets() }, record: { past } };
  const sessions = new SessionPool(input, { now: forks });
  const variables = new Variables([layer(VALUES, 'inventory host vars')]);
  const controller = new ControllerConnections({ input, sessions, keys: undefined }, { controller: LB1 }, variables, {
    inventory: () => variables,
    play: () => variables,
    isOutdated: () => false,
  });
  const run = { sessions, control: { loopYielder: new LoopYielder() }, input };
  const waits = { wait: WAIT_WITHOUT_FORKS, untilSettled: () => settles?.(), isPatient };
  const own = variables.child([layer(task, 'task vars')]);
  return { session: new TaskSession(run, controller, 'lb1', own, isDelegated, waits), actions, answers, failures };
}

describe('the session of a task', () => {
  it('is opened at first use, and has a tenant from then on', async () => {
    const { session, actions } = start({ forks: 9 });
    expect([session.tenant, actions]).to.deep.equal([undefined, []]);
    await session.prepare();
    expect([session.tenant, actions]).to.deep.equal([undefined, [`open ${URL} admin`]]);
    for (const path of ['/api/a', '/api/b'])
      expect(await session.single(path)).to.deep.equal({ status: 'found', object: {} });
    expect([session.tenant, actions.slice(1)]).to.deep.equal(['admin', ['patient', 'patient']]);
    await session.end();
    await session.end();
    expect(actions.slice(3)).to.deep.equal(['forget', 'forget']);
  });

  for (const [title, given, expected] of [
    ['stays open if it is that of its own controller', {}, []],
    ['is given back if the task is delegated', { isDelegated: true }, ['close']],
    ['is given back if it is of the task alone', { task: { controller_timeout: 7 } }, ['close']],
  ] as const)
    it(title, async () => {
      const { session, actions } = start(given);
      await session.prepare();
      await session.prepare();
      await session.end();
      expect(actions).to.deep.equal([`open ${URL} admin`, ...expected]);
      expect(session.isDelegated).to.equal('isDelegated' in given);
    });

  it('connects as an argument of the task says, even after it has connected', async () => {
    const { session, actions } = start({ task: { controller_tenant: 'of the task' } });
    expect((await session.connection())?.settings.tenant).to.equal('of the task');
    session.set('controller_tenant', 'blue');
    session.set('controller_url', 'https://lb2.example.com');
    session.set('site', '{{ no_template }}');
    expect(session.variables.get('site')).to.equal('{{ no_template }}');
    expect(session.variables.get('controller_tenant')).to.equal('blue');
    await session.single('/api/a');
    expect([session.tenant, actions[0]]).to.deep.equal(['blue', 'open https://lb2.example.com blue as given']);
  });

  it('repeats requests unless its task does, or other work that is repeated is under way', async () => {
    const { session, actions } = start();
    const read = (): Promise<unknown> => session.single('/api/a');
    await session.withoutPatience(() => session.withoutPatience(read).then(read));
    await session.withoutPatience(() => Promise.reject(new Error('no'))).catch(() => undefined);
    await read();
    expect(actions.slice(1)).to.deep.equal(['impatient', 'impatient', 'patient']);
    const other = start({ isPatient: false });
    await other.session.single('/api/a');
    expect(other.actions.slice(1)).to.deep.equal(['impatient']);
  });

  it('is closed if it cannot be used, so that the next attempt opens another one', async () => {
    const { session, actions, failures } = start({ isDelegated: true });
    failures.push(new Error('refused'));
    const failure = await session.prepare().catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'refused');
    await session.single('/api/a');
    expect(actions).to.deep.equal([`open ${URL} admin`, `open ${URL} admin`, 'patient']);
    let waits = 1;
    const settles = () => (waits-- > 0 ? Promise.reject(new Error('unsettled')) : Promise.resolve());
    const unsettled = start({ isDelegated: true, settles });
    expect(await unsettled.session.single('/api/a').catch((error: unknown) => String(error))).to.equal(
      'Error: unsettled',
    );
    await unsettled.session.single('/api/a');
    expect(unsettled.actions).to.deep.equal([`open ${URL} admin`, 'close', `open ${URL} admin`, 'patient']);
  });

  it('is not needed by a task that contacts nothing', async () => {
    const { session, actions } = start({ task: { controller_api_version: 'newest' } });
    await session.prepare();
    await session.end();
    expect([await session.connection(), actions]).to.deep.equal([undefined, []]);
    const refusal = 'controller_api_version must be three numbers, such as "22.1.3", not "newest"';
    expect(await session.single('/api/a').catch((error: unknown) => error)).to.have.property('message', refusal);
  });

  it('reads what the run wrote to an object that cannot be read', async () => {
    const { session, answers } = start();
    const unreadable: Singleton = { status: 'unreadable', code: 405 };
    const written: Singleton = { status: 'unreadable', code: 405, written: { a: 1 } };
    answers.push(unreadable, written);
    expect([await session.single('/api/a'), await session.single('/api/a')]).to.deep.equal([unreadable, written]);
    const change = { kind: 'update', object: 'x', before: null, after: { a: 2 } } as const;
    const connection = await start().session.connection();
    const kept = {
      ...(connection !== undefined && { reached: connection.reached }),
      method: 'PUT',
      path: '/api/a',
      change,
      body: { a: 2 },
      tenant: 'admin',
      uncomparable: true,
    } as const;
    const past = await pastOf([
      { ...anIntent(kept), write: 1 },
      { type: 'write-finished', write: 1, controller: 'lb1', outcome: 'applied' },
    ]);
    const resumed = start({ past });
    resumed.answers.push(unreadable, unreadable, written);
    const found = ['/api/a', '/api/b', '/api/a'].map((path) => () => resumed.session.single(path));
    const all: Singleton[] = [];
    for (const one of found) all.push(await one());
    expect(all).to.deep.equal([{ ...unreadable, written: { a: 2 } }, unreadable, written]);
    const elsewhere = start({ past, task: { controller_tenant: 'blue' } });
    elsewhere.answers.push(unreadable);
    expect(await elsewhere.session.single('/api/a')).to.deep.equal(unreadable);
  });
});
