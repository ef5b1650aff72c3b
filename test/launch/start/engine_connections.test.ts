import { expect } from 'chai';
import type { Confine } from '../../../src/controller/transport/confinement.js';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import type { Meter } from '../../../src/core/model/run/controller_event.js';
import type { Event } from '../../../src/core/model/run/event.js';
import type { JournalRecord } from '../../../src/core/model/run/journal.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import type { Connect, DeclaredBy } from '../../../src/engine/input/run_input.js';
import type { Owners } from '../../../src/engine/preflight/addresses.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import type { EvaluationScope, RouteUrl } from '../../../src/language/runtime/frame.js';
import type { PreparedRun } from '../../../src/launch/load/prepared_run.js';
import { engineConnections } from '../../../src/launch/start/engine_connections.js';
import { collectPasswords } from '../../../src/project/vault/collect_passwords.js';
import { settingsOf } from '../../rig/controllers.js';
import { PlainServer } from '../../rig/plain_server.js';

const url = (name: string): string => `https://${name}.example.com`;

interface GivenConnections {
  readonly owners?: Owners;
  /** A rollback: the planned addresses. */
  readonly addresses?: ReadonlyMap<string, string>;
}

interface Sent {
  /** Connects a task of a controller; returns what went wrong. */
  readonly connect: (controller: string, to: string, given?: Settings) => Promise<string | undefined>;
  readonly reached: JournalRecord[];
  readonly contacted: string[];
}

interface Settings {
  readonly isShared?: boolean;
  /** The address of the host by its own variables. Null: it has none. */
  readonly home?: string | null;
  /** Whether the arguments of the task name the address. */
  readonly isGiven?: boolean;
  readonly declaredBy?: DeclaredBy;
}

async function connections({ owners = new Map(), addresses }: GivenConnections = {}): Promise<Sent> {
  const [reached, contacted] = [[] as JournalRecord[], [] as string[]];
  const { signal } = new AbortController();
  const vault = await collectPasswords([], {
    cwd: '/',
    env: {},
    secrets: new Secrets(),
    diagnostics: new Diagnostics(),
    ask: () => Promise.resolve(undefined),
  });
  const target = { vault, library: new Library(BUILT_IN), project: { routes: new Map() }, secrets: new Secrets() };
  const run = {
    request: { command: { type: 'run', playbooks: [] } },
    loaded: { target, rollback: addresses && { addresses } },
  } as unknown as PreparedRun;
  const guard = (): Connect => (settings) => {
    contacted.push(`${settings.controller} ${settings.url}`);
    return 'session' as never;
  };
  const { connections: made } = engineConnections(
    run,
    '1',
    { env: {}, meter: undefined, signals: { drain: signal, abort: signal }, emit: () => undefined },
    {
      confine: undefined,
      credentials: {},
      owners,
      onCredentialsRefused: () => undefined,
      guard,
      beforeWrite: undefined,
      onReached: (record) => reached.push(record),
    },
  );
  return {
    reached,
    contacted,
    connect: async (
      controller,
      to,
      { isShared = false, home = to, isGiven = false, declaredBy = home === to ? 'inventory' : undefined } = {},
    ) => {
      try {
        await made.connect(
          { controller, url: to, shared: isShared } as never,
          { home: home ?? undefined, isGiven, declaredBy } as never,
        );
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}

const twice = (who: string, to: string, other: string): string =>
  `${who} ${to}, the address of ${other}: it was not contacted; controller_shared: true for both allows it`;

describe('the connections of a run', () => {
  it('record each controller once, before the first request to its own address', async () => {
    const { connect, reached, contacted } = await connections();
    for (const name of ['lb1', 'lb2', 'lb1']) expect(await connect(name, url(name))).to.equal(undefined);
    expect(await connect('lb3', url('x'), { home: url('lb3') })).to.equal(undefined);
    expect(reached).to.deep.equal([
      { type: 'controller-reached', controller: 'lb1', url: url('lb1') },
      { type: 'controller-reached', controller: 'lb2', url: url('lb2') },
    ]);
    expect(contacted).to.deep.equal([`lb1 ${url('lb1')}`, `lb2 ${url('lb2')}`, `lb1 ${url('lb1')}`, `lb3 ${url('x')}`]);
  });

  it('record the first address that the inventory or a play declares, and none that the run found out', async () => {
    const { connect, reached } = await connections();
    for (const [to, given] of [
      ['a', { home: url('lb1') }],
      ['b', { declaredBy: 'play' }],
      ['lb1', {}],
    ] as const)
      await connect('lb1', url(to), given);
    expect(reached).to.deep.equal([{ type: 'controller-reached', controller: 'lb1', url: url('b') }]);
  });

  it('refuse a controller at the address of another one that was contacted', async () => {
    const { connect, contacted } = await connections();
    expect(await connect('lb1', url('lb1'))).to.equal(undefined);
    expect(await connect('lb2', url('lb1'))).to.equal(twice('lb2 is at', url('lb1'), 'lb1'));
    expect(await connect('lb3', url('lb1'), { home: url('lb3') })).to.equal(
      twice('the variables of the task lead lb3 to', url('lb1'), 'lb1'),
    );
    expect(contacted).to.have.lengthOf(1);
  });

  it('refuse the address of one that the run may never contact, and allow it to its owners', async () => {
    const owners: Owners = new Map([
      [url('a'), [{ name: 'lb1', isShared: false }]],
      [
        url('b'),
        [
          { name: 'lb1', isShared: true },
          { name: 'lb2', isShared: true },
        ],
      ],
    ]);
    const { connect } = await connections({ owners });
    expect(await connect('lb1', url('a'))).to.equal(undefined);
    expect(await connect('lb2', url('a'), { isShared: true })).to.equal(twice('lb2 is at', url('a'), 'lb1'));
    expect(await connect('lb2', url('b'), { isShared: true })).to.equal(undefined);
    expect(await connect('lb3', url('b'), { isShared: true })).to.equal(undefined);
    expect(await connect('lb4', url('b'))).to.equal(twice('lb4 is at', url('b'), 'lb1'));
  });

  it('allow names that share a controller, only if both say so', async () => {
    const { connect } = await connections();
    expect(await connect('lb1', url('lb1'), { isShared: true })).to.equal(undefined);
    expect(await connect('lb2', url('lb1'), { isShared: true })).to.equal(undefined);
    expect(await connect('lb3', url('lb1'))).to.equal(twice('lb3 is at', url('lb1'), 'lb1'));
    expect(await connect('lb1', url('lb1'))).to.equal(twice('lb1 is at', url('lb1'), 'lb2'));
  });

  it('let hosts without an address act on any, and several on one that their arguments name', async () => {
    const { connect } = await connections();
    expect(await connect('lb1', url('lb1'))).to.equal(undefined);
    expect(await connect('localhost', url('lb1'), { home: null })).to.equal(undefined);
    expect(await connect('lb2', url('x'), { home: url('lb2'), isGiven: true })).to.equal(undefined);
    expect(await connect('lb3', url('x'), { home: url('lb3'), isGiven: true })).to.equal(undefined);
    expect(await connect('lb4', url('y'), { home: url('lb4') })).to.equal(undefined);
    expect(await connect('lb5', url('y'), { home: url('lb5') })).to.equal(
      twice('the variables of the task lead lb5 to', url('y'), 'lb4'),
    );
  });

  it('of a rollback go only to the addresses of its plan', async () => {
    const { connect, contacted } = await connections({ addresses: new Map([['lb1', url('lb1')]]) });
    expect(await connect('lb1', url('lb1'))).to.equal(undefined);
    expect(await connect('lb1', url('new'))).to.equal(
      `lb1 was at ${url('lb1')} and is now at ${url('new')}: it may be another controller, so it was not contacted`,
    );
    expect(await connect('lb1', url('task'), { home: url('lb1') })).to.equal(undefined);
    expect(await connect('lb2', url('lb1'))).to.equal(undefined);
    expect(contacted).to.have.lengthOf(3);
  });
});

describe('the requests of a run', () => {
  let server: PlainServer;
  before(async () => {
    server = await PlainServer.start();
  });
  beforeEach(() => {
    server.answer = (_, response) => response.end('{}');
  });
  after(() => {
    server.close();
  });

  /** The events of a request, and what the meter of the run counted. */
  async function told(
    verbosity: number | undefined,
    isMeasured = false,
    drain = new AbortController().signal,
  ): Promise<readonly (readonly unknown[])[]> {
    const [events, counted]: [Event[], unknown[]] = [[], []];
    const { signal } = new AbortController();
    const library = { with: () => undefined };
    const project = { routes: new Map(), maxRegistered: 1 };
    const run = {
      request: { command: { type: 'run', playbooks: [] }, verbosity },
      loaded: { target: { vault: {}, library, project, secrets: new Secrets() } },
    } as unknown as PreparedRun;
    const meter: Meter = { template: (evaluate) => evaluate(), request: ({ status }) => counted.push(status) };
    const made = engineConnections(
      run,
      'r1',
      {
        env: {},
        meter: isMeasured ? meter : undefined,
        signals: { drain, abort: signal },
        emit: (event) => events.push(event),
      },
      { guard: (connect: Connect) => connect, owners: new Map() } as never,
    );
    const session = await made.connections.connect(settingsOf(server.url, undefined), { home: undefined } as never);
    await session.request({ method: 'POST', path: '/api/x', body: { a: 1 } });
    await session.close();
    await made.close();
    const shown = events.map(({ time, ...event }) => ({
      ...event,
      seconds: undefined,
      timed: !Number.isNaN(Date.parse(time)),
    }));
    return [shown, counted];
  }

  it('are shown from -vvv, with their bodies from -vvvv, and counted by whoever measures the run', async () => {
    const common = { run: 'r1', controller: 'lb1', seconds: undefined, timed: true };
    const warning = {
      ...common,
      type: 'warning',
      message: 'controller_allow_http: the password is sent in clear text',
    };
    const sent = { ...common, type: 'request-finished', method: 'POST', url: `${server.url}/api/x`, status: 200 };
    expect(await told(undefined)).to.deep.equal([[warning], []]);
    expect(await told(2, true)).to.deep.equal([[warning], [200]]);
    expect(await told(3)).to.deep.equal([[warning, sent], []]);
    expect(await told(4, true)).to.deep.equal([
      [warning, { ...sent, requestBody: '{"a":1}', responseBody: '{}' }],
      [200],
    ]);
  });

  it('are fewer for a while if the controller asks for that, which is told in any case', async () => {
    // Nobody waits in a run that is interrupted.
    const drain = new AbortController();
    server.answer = (_, response) => {
      drain.abort();
      response.writeHead(429, { 'retry-after': '7' }).end('{}');
    };
    const [events = []] = await told(undefined, false, drain.signal);
    expect(events).to.deep.include({
      type: 'controller-throttled',
      run: 'r1',
      controller: 'lb1',
      status: 429,
      seconds: undefined,
      timed: true,
    });
  });
});

describe('the references of a run', () => {
  it('are to the collections that its own kinds name', async () => {
    const kinds = { referredCollection: (field: string, object: string) => `${field} of ${object}` };
    const library = { with: () => undefined };
    const target = { vault: {}, library, project: { routes: new Map(), maxRegistered: 1 }, secrets: new Secrets() };
    const run = {
      request: { command: { type: 'run', playbooks: [] } },
      loaded: { target, kinds: () => Promise.resolve(kinds) },
    } as unknown as PreparedRun;
    const { signal } = new AbortController();
    const made = engineConnections(
      run,
      '1',
      { env: {}, meter: undefined, signals: { drain: signal, abort: signal }, emit: () => undefined },
      { guard: (connect: Connect) => connect, owners: new Map() } as never,
    );
    const dialect = DIALECTS.get('avi') ?? expect.fail('no dialect');
    const settings = settingsOf('https://lb1', undefined, { dialect });
    const session = await made.connections.connect(settings, { home: undefined } as never);
    expect(await (await session.references())?.findCollection('gadget_ref', '/api/pool/')).to.equal(
      'gadget_ref of /api/pool/',
    );
    await session.close();
    await made.close();
  });
});

describe('the way of a lookup', () => {
  type Variables = Readonly<Record<string, Value>>;
  const routes = new Map([['madrid', ['http://madrid:3128']]]);

  /** Where requests to an address go: which proxies, or why nowhere. */
  function wayTo(address: string, confine?: Confine, env: Readonly<Record<string, string>> = {}) {
    const library = { with: (services: unknown) => services };
    const run = { loaded: { target: { vault: {}, library, project: { routes } } } } as unknown as PreparedRun;
    const { library: made } = engineConnections(
      run,
      '1',
      { env } as never,
      { confine, guard: () => undefined } as never,
    );
    const { routeUrl } = made as unknown as { readonly routeUrl: RouteUrl };
    return (variables?: Variables): readonly unknown[] => {
      const scope = variables && ({ get: (name: string) => variables[name] } as unknown as EvaluationScope);
      try {
        return routeUrl(new URL(address), scope).proxies;
      } catch (error) {
        return [(error as Error).message, (error as { readonly hint?: string }).hint];
      }
    };
  }

  it('is that of its controller, else that of the environment, or direct without one', () => {
    const way = wayTo('https://x.example', undefined, { HTTPS_PROXY: 'http://env:8080' });
    expect(way()).to.deep.equal([]);
    expect(way({})).to.deep.equal(['http://env:8080']);
    expect(way({ controller_proxy: 'http://one:1' })).to.deep.equal(['http://one:1']);
    const signedIn = { controller_route: 'madrid', controller_proxy_username: 'me', controller_proxy_password: 'pw' };
    expect(way(signedIn)).to.deep.equal(['http://me:pw@madrid:3128/']);
    expect(wayTo('https://x.example')({})).to.deep.equal([]);
    expect(way({ controller_route: 'madri' })).to.deep.equal([
      'controller_route: there is no route "madri"',
      'did you mean "madrid"?',
    ]);
    const empty = { inventory_hostname: 'lb2', controller_proxy: 'http://one:1', controller_proxy_username: '' };
    expect(way(empty)[0]).to.equal('controller_proxy_username of lb2 is empty');
  });

  it('in a simulation leads to what the run may reach, by the route of the controller, and through no proxy', () => {
    const asked: unknown[] = [];
    const confine: Confine = (to, route) => {
      asked.push([to.host, to.port, route]);
      if (to.host === 'other.example') throw new Error('not simulated');
      return to;
    };
    expect(wayTo('https://lb1.example', confine)({ controller_route: 'madrid' })).to.deep.equal([]);
    expect(wayTo('http://lb2.example:81', confine, { HTTP_PROXY: 'http://env:8080' })()).to.deep.equal([]);
    expect(wayTo('https://other.example', confine)()).to.deep.equal(['not simulated', undefined]);
    expect(asked).to.deep.equal([
      ['lb1.example', 443, 'madrid'],
      ['lb2.example', 81, undefined],
      ['other.example', 443, undefined],
    ]);
  });
});

describe('the vault of a run', () => {
  it('opens the encrypted values of layers, if there are any in the project', async () => {
    const opened: unknown[] = [];
    const unlock = (hasValues: boolean) => {
      const vault = { hasValues, unlock: (values: unknown) => Promise.resolve(void opened.push(values)) };
      const target = { vault, library: { with: () => undefined }, project: { routes: new Map() } };
      const run = { loaded: { target } } as unknown as PreparedRun;
      return engineConnections(run, '1', {} as never, { guard: () => undefined } as never).connections.unlock;
    };
    expect(unlock(false)).to.equal(undefined);
    await unlock(true)?.([{ level: 'task vars', origin: 'x', values: { a: 1 } }] as never);
    expect(opened).to.deep.equal([[]]);
  });
});
