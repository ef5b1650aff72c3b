import { expect } from 'chai';
import { Connections } from '../../../src/controller/connections.js';
import { ControllerError } from '../../../src/controller/exchange/call.js';
import { caReader } from '../../../src/controller/settings/settings.js';
import type { Controller } from '../../../src/core/model/inventory/inventory.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { connectionSettings, withFallback } from '../../../src/engine/controllers/controller_connections.js';
import { Connection, SessionPool } from '../../../src/engine/controllers/session_pool.js';
import type { Connect } from '../../../src/engine/input/run_input.js';
import { TaskProblem } from '../../../src/engine/keywords/failed_result.js';

const VARIABLES: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['controller_url', 'https://lb1.example.com'],
  ['controller_username', 'admin'],
  ['controller_password', 'of-the-controller'],
  ['controller_api_version', '22.1.3'],
  ['controller_proxy', 'http://relay:of%20the%20proxy@proxy.example.com:3128'],
  ['controller_headers', { 'X-Gateway-Token': 'of-the-gateway', 'X-Region': 'northern-europe' }],
]);

const SOURCES = { settingSources: { readCa: caReader('.') } };
const NAMED: Controller = { name: 'lb1', groups: [], layers: [] };

/** Records what is opened and closed. */
function pool(forks: number): { pool: SessionPool; actions: string[] } {
  const actions: string[] = [];
  const connections = new Connections({ abort: new AbortController().signal });
  const connect: Connect = (settings) => {
    const { controller, timeout } = settings;
    actions.push(`open ${controller} ${timeout}`);
    const session = connections.open(settings);
    return Object.assign(session, {
      close: () => {
        actions.push(`close ${controller} ${timeout}`);
        return Promise.resolve();
      },
    });
  };
  return { pool: new SessionPool(inputOf(connect, new Secrets()), { now: forks }), actions };
}

function inputOf(connect: Connect, secrets: Secrets): ConstructorParameters<typeof SessionPool>[0] {
  return { connections: { connect }, sources: { secrets } };
}

const ORIGIN = { overrides: () => undefined, declaredBy: () => undefined, digest: () => '' };

/** Settings that differ by their timeout. */
function to(name: string, timeout = 30): Connection {
  const variables = new Map<string, Value>([...VARIABLES, ['controller_timeout', timeout]]);
  const lookup = (variable: string): Value | undefined => variables.get(variable);
  const settings = connectionSettings({ ...NAMED, name }, lookup, SOURCES);
  return new Connection(settings, lookup, settings.url, timeout === 30, false, ORIGIN);
}

describe('the sessions of a run', () => {
  it('are shared by all users of a controller with the same settings', async () => {
    const { pool: sessions, actions } = pool(5);
    const borrowed = sessions.borrow(to('lb1'));
    expect(await borrowed.session).to.equal(await sessions.open(to('lb1')));
    await borrowed.giveBack();
    await sessions.close('lb1');
    expect(actions).to.deep.equal(['open lb1 30', 'close lb1 30']);
    expect(sessions.size).to.equal(0);
  });

  it('stay open while a delegated task uses them, even if the controller has finished', async () => {
    const { pool: sessions, actions } = pool(0);
    await sessions.open(to('lb1'));
    const [one, two] = [sessions.borrow(to('lb1')), sessions.borrow(to('lb1'))];
    await one.session;
    await sessions.close('lb1');
    await one.giveBack();
    await two.session;
    expect(actions).to.deep.equal(['open lb1 30']);
    await two.giveBack();
    expect(actions).to.deep.equal(['open lb1 30', 'close lb1 30']);
  });

  it('of delegated tasks stay open for the next task, at most as many as there are forks', async () => {
    const { pool: sessions, actions } = pool(1);
    for (const name of ['lb1', 'lb2']) {
      const borrowed = sessions.borrow(to(name));
      await borrowed.session;
      await borrowed.giveBack();
    }
    expect(actions).to.deep.equal(['open lb1 30', 'open lb2 30', 'close lb2 30']);
    await sessions.closeAll();
    expect(actions.at(-1)).to.equal('close lb1 30');
  });

  it('of controllers in a play stay open after delegated tasks, however many; those of others do not', async () => {
    const { pool: sessions, actions } = pool(1);
    for (const name of ['lb1', 'lb2', 'lb3']) await sessions.open(to(name));
    await sessions.close('lb3');
    for (const name of ['lb1', 'lb2', 'lb3']) {
      const borrowed = sessions.borrow(to(name, 5));
      await borrowed.session;
      await borrowed.giveBack();
    }
    expect(actions.slice(3)).to.deep.equal(['close lb3 30', 'open lb1 5', 'open lb2 5', 'open lb3 5', 'close lb3 5']);
    await sessions.closeAll();
  });

  it('with settings of single tasks stay open for later tasks, the last four, until the controller has finished', async () => {
    const { pool: sessions, actions } = pool(5);
    await sessions.open(to('lb1'));
    for (const timeout of [1, 2, 3, 4, 1, 5, 1, 6]) {
      const borrowed = sessions.borrow(to('lb1', timeout));
      await borrowed.session;
      await borrowed.giveBack();
    }
    expect(actions.slice(1)).to.deep.equal([
      ...[1, 2, 3, 4].map((timeout) => `open lb1 ${timeout}`),
      'open lb1 5',
      'close lb1 2',
      'open lb1 6',
      'close lb1 3',
    ]);
    await sessions.close('lb1');
    expect(actions.slice(-5).sort()).to.deep.equal([1, 30, 4, 5, 6].map((timeout) => `close lb1 ${timeout}`).sort());
    expect(sessions.size).to.equal(0);
  });

  it('of earlier plays are not all kept during the next play', async () => {
    const { pool: sessions, actions } = pool(5);
    for (const timeout of [1, 2, 3, 4, 5, 6]) await sessions.open(to('lb1', timeout));
    await sessions.closeAll();
    const opened = [1, 2, 3, 4, 5, 6].map((timeout) => `open lb1 ${timeout}`);
    expect(actions.slice(0, 7)).to.have.members([...opened, 'close lb1 1']);
  });
});

describe('a session that is opened', () => {
  /** Fails with these errors first. */
  const failing = (...errors: readonly Error[]) => {
    const left = [...errors];
    const connections = new Connections({ abort: new AbortController().signal });
    const connect: Connect = (settings) => {
      const error = left.shift();
      return error === undefined ? connections.open(settings) : Promise.reject(error);
    };
    return new SessionPool(inputOf(connect, new Secrets()), { now: 5 });
  };

  it('is none if that fails, so that the next task opens another one', async () => {
    const [own, other] = [new ControllerError({ method: 'GET', path: '/login' }, 'refused'), new Error('no proxy')];
    const sessions = failing(own, other);
    const said: unknown[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      said.push(await sessions.open(to('lb1')).catch((error: unknown) => error));
      expect(sessions.size).to.equal(0);
    }
    expect(said[0]).to.equal(own);
    expect(said[1]).to.be.instanceOf(TaskProblem).and.have.property('message', 'no proxy');
    await sessions.open(to('lb1'));
    expect(sessions.size).to.equal(1);
    await sessions.closeAll();
    expect(sessions.size).to.equal(0);
  });

  it('waits for its turn: five hundred are opened in a second', async () => {
    const { pool: sessions } = pool(50);
    const start = performance.now();
    await Promise.all(Array.from({ length: 11 }, (_, at) => sessions.open(to(`lb${at}`))));
    expect(performance.now() - start).to.be.at.least(18);
    await sessions.closeAll();
  });
});

describe('the settings of a session', () => {
  it('are refused with all problems, and their hints', () => {
    const refusal = (controller: Controller, values: Readonly<Record<string, Value>>): unknown => {
      try {
        return connectionSettings(controller, (name) => values[name], SOURCES);
      } catch (error) {
        return error;
      }
    };
    const values = { controller_url: 'https://lb1', controller_api_version: 'newest' };
    expect(refusal(NAMED, values)).to.deep.include({
      message:
        'no controller_username; no controller_password; controller_api_version must be three numbers, such as "22.1.3", not "newest"',
      hint: 'controller_username: set it in the inventory, or pass -u\ncontroller_password: set it in the inventory, or pass -k',
    });
    expect(refusal(NAMED, { ...values, controller_username: 'admin' })).to.deep.include({
      message: 'no controller_password; controller_api_version must be three numbers, such as "22.1.3", not "newest"',
      hint: 'set it in the inventory, or pass -k',
    });
    const named = { ...values, controller_username: 'admin', controller_password: 'secret' };
    expect(refusal(NAMED, named)).to.deep.include({
      message: 'controller_api_version must be three numbers, such as "22.1.3", not "newest"',
      hint: undefined,
    });
    const here: Controller = { name: 'localhost', groups: [], layers: [], implicit: true };
    expect(refusal(here, { controller_username: 'admin' })).to.deep.include({
      message: 'localhost is this machine, not a controller',
      hint: 'only actions such as debug and set_fact run on it; add it to the inventory to manage a controller there',
    });
    expect(refusal(here, { ...named, controller_api_version: '22.1.3' })).to.include({ url: 'https://lb1' });
  });

  it('are the typed user and password where no variable has one', () => {
    const ask = (typed: { username?: string; password?: string }, values: Readonly<Record<string, Value>> = {}) => {
      const lookup = withFallback((name) => values[name], typed);
      return ['controller_username', 'ansible_user', 'controller_password', 'ansible_password', 'x'].map((name) =>
        lookup(name),
      );
    };
    const [none, both] = [undefined, { username: 'ann', password: 'pw' }];
    expect(ask(both)).to.deep.equal([none, 'ann', none, 'pw', none]);
    expect(ask({ username: 'ann' }, { controller_password: '', x: '' })).to.deep.equal([none, 'ann', '', none, '']);
    expect(ask({ password: 'pw' }, { ansible_user: '' })).to.deep.equal([none, '', none, 'pw', none]);
    expect(ask({ password: 'pw' }, { controller_password: '' })).to.deep.equal([none, none, none, 'pw', none]);
    expect(ask(both, { controller_username: '', ansible_user: 'bob', x: 1 })).to.deep.equal([
      none,
      'bob',
      none,
      'pw',
      1,
    ]);
    expect(ask({}, { controller_username: '' })).to.deep.equal(['', none, none, none, none]);
  });
});

describe('secrets of a session', () => {
  it("are the controller's password, its proxy's, and headers that sign in", async () => {
    const secrets = new Secrets();
    const connections = new Connections({ abort: new AbortController().signal });
    const input = inputOf((settings) => Promise.resolve(connections.open(settings)), secrets);
    const pool = new SessionPool(input, { now: 5 });
    await pool.open(to('lb1'));
    const basic = Buffer.from('admin:of-the-controller').toString('base64');
    const shown = secrets.mask(
      `of-the-controller ${basic} of the proxy, of%20the%20proxy of-the-gateway northern-europe`,
    );
    expect(shown).to.equal('******** ******** ********, ******** ******** northern-europe');
    await pool.closeAll();
    await connections.close();
  });
});
