import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Delivery } from '../../../src/simulator/behaviour/delivery.js';
import type { Fault } from '../../../src/simulator/behaviour/fault.js';
import { RequestLog, type SimulatedController } from '../../../src/simulator/controller/controller.js';
import { bareController, bareRequest } from '../../rig/bare_controller.js';

const CLOUDS = '/api/cloud/';
const SYSTEM = '/api/systemconfiguration';

/** The status and text of a reply, or what happens instead. */
function said(delivery: Delivery): string {
  return delivery.type === 'reply' ? `${delivery.status} ${String(delivery.text)}` : delivery.type;
}

const deliver = (controller: SimulatedController, ...request: Parameters<typeof bareRequest>): string =>
  said(controller.take(bareRequest(...request)).decide());

const EMPTY = '200 {"count":0,"results":[]}';

/** What is seen again and again, each once in a row, until it is what it should be at the end, or for a long time. */
async function seenUntil(look: () => string, isEnd: (seen: readonly string[]) => boolean): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const began = performance.now(); !isEnd(seen) && performance.now() - began < 10_000;) {
    const now = look();
    if (now !== seen.at(-1)) seen.push(now);
    await nextTurn();
  }
  return seen;
}

describe('a simulated controller, before HTTP', () => {
  it('is later by its own latency and that of each fault that hits', () => {
    const { controller } = bareController();
    const latency = (path = CLOUDS): number => controller.take(bareRequest('GET', path)).latency;
    expect(latency()).to.equal(0);
    const faults: Fault[] = [
      { type: 'latency', milliseconds: 7 },
      { type: 'latency', milliseconds: 20, when: { path: SYSTEM } },
      { type: 'answer', status: 500 },
      { type: 'latency', milliseconds: 100 },
    ];
    controller.behaviour = { faults };
    expect([latency(), latency(SYSTEM)]).to.deep.equal([107, 127]);
    controller.behaviour = { faults, latency: 1000 };
    expect([latency(), latency(SYSTEM)]).to.deep.equal([1107, 1127]);
    expect(controller.behaviour).to.deep.equal({ faults, latency: 1000 });
  });

  it('carries a request out when it decides, not when it takes it', () => {
    const { controller } = bareController();
    const { decide } = controller.take(bareRequest('POST', CLOUDS, { name: 'edge' }));
    expect(controller.objects(CLOUDS)).to.deep.equal([]);
    decide();
    expect(controller.objects(CLOUDS).map(({ name }) => name)).to.deep.equal(['edge']);
  });

  it('answers wrongly in the first way of several that hit, after the circumstances', () => {
    const { controller } = bareController();
    controller.setObjects(CLOUDS, [
      { uuid: '1', _last_modified: '0' },
      { uuid: '2', _last_modified: '0' },
    ]);
    controller.behaviour = {
      faults: [
        { type: 'touch', when: { path: `${CLOUDS}2` } },
        { type: 'answer', status: 502, body: 'first' },
        { type: 'answer', status: 503, body: 'second', applied: true },
      ],
    };
    expect(deliver(controller, 'DELETE', `${CLOUDS}2`)).to.equal('502 first');
    const [one, two] = controller.objects(CLOUDS);
    expect(one).to.deep.equal({ uuid: '1', _last_modified: '0' });
    expect(Number(two?.['_last_modified'])).to.be.above(0);
  });

  it('ends all sessions before a request that an expiry hits, and only then', () => {
    const { controller, ask } = bareController('avi');
    const welcome = ask('POST', '/login', { username: 'admin', password: 'simulated' });
    const cookie = [welcome.headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';')[0])
      .join('; ');
    const get = (path: string): string =>
      deliver(controller, 'GET', path, undefined, { cookie, authorization: undefined }).slice(0, 3);
    controller.behaviour = { faults: [{ type: 'expire', when: { path: '/api/tenant' } }] };
    expect([get('/api/pool'), get('/api/tenant'), get('/api/pool')]).to.deep.equal(['200', '401', '401']);
  });

  it('counts the faults of a behaviour anew when it is set', () => {
    const { controller } = bareController();
    const faults: Fault[] = [{ type: 'answer', status: 503, body: 'no', when: { first: 1 } }];
    for (const expected of [
      ['503 no', EMPTY],
      ['503 no', EMPTY],
    ]) {
      controller.behaviour = { faults };
      expect([deliver(controller, 'GET', CLOUDS), deliver(controller, 'GET', CLOUDS)]).to.deep.equal(expected);
    }
    controller.behaviour = {};
    expect(deliver(controller, 'GET', CLOUDS)).to.equal(EMPTY);
  });

  it('has objects that tests set and read, each in its place', () => {
    const { controller, service } = bareController();
    controller.setObjects('/api/pool/', [{ name: 'a' }]);
    controller.setObject('/api/cluster', { name: 'c' });
    expect([controller.objects('/api/pool/'), controller.objects(CLOUDS)]).to.deep.equal([[{ name: 'a' }], []]);
    expect(controller.object('/api/cluster')).to.deep.equal({ name: 'c' });
    const headers = { authorization: `Basic ${Buffer.from('ops:of ops').toString('base64')}` };
    const status = () => service.answer(bareRequest('GET', CLOUDS, undefined, headers), {}).status;
    expect(status()).to.equal(401);
    controller.addAccount({ username: 'ops', password: 'of ops' });
    expect(status()).to.equal(200);
  });
});

describe('an upgrade of a simulated controller', () => {
  /** What a read and a write see until all is as before. */
  const phases = async (controller: SimulatedController): Promise<readonly string[]> => {
    const look = (): string => `${deliver(controller, 'GET', CLOUDS)} / ${deliver(controller, 'PATCH', SYSTEM, {})}`;
    const isOver = (seen: readonly string[]): boolean =>
      seen.length > 1 && seen.at(-1)?.startsWith(`${EMPTY} / 405`) === true;
    return (await seenUntil(look, isOver)).slice(0, -1);
  };

  const upgraded = (fault: Omit<Extract<Fault, { type: 'upgrade' }>, 'type' | 'when'>) => {
    const { controller } = bareController();
    const refused: number[] = [];
    controller.refuseConnections = (milliseconds) => refused.push(milliseconds);
    controller.behaviour = { faults: [{ type: 'upgrade', when: { method: 'POST' }, ...fault }] };
    const start = (): string => deliver(controller, 'POST', CLOUDS, { name: 'edge' }).slice(0, 3);
    return { controller, refused, start };
  };
  const DISALLOWED = `${EMPTY} / 403 {"error":"Configuration is disallowed during upgrade"}`;
  const UNAVAILABLE = '503 {"error":"Controller is not ready: upgrade in progress"}';

  it('lets the request that starts it take effect, then refuses writes, then all, then connections', async () => {
    const { controller, refused, start } = upgraded({ disallowed: 20, unavailable: 20, refused: 20 });
    expect(start()).to.equal('201');
    controller.setObjects(CLOUDS, []);
    expect(await phases(controller)).to.deep.equal([DISALLOWED, `${UNAVAILABLE} / ${UNAVAILABLE}`, 'close / close']);
    expect(refused).to.deep.equal([20]);
  });

  it('lets users sign in and out while it refuses writes', () => {
    const { controller } = bareController('avi');
    controller.behaviour = { basic: true, faults: [{ type: 'upgrade', disallowed: 60_000 }] };
    deliver(controller, 'GET', '/api/pool');
    const credentials = { username: 'admin', password: 'simulated' };
    const statuses = [
      deliver(controller, 'POST', '/login', credentials),
      deliver(controller, 'POST', '/api/pool', { name: 'web' }),
      deliver(controller, 'POST', '/logout/'),
    ].map((one) => one.slice(0, 3));
    expect(statuses).to.deep.equal(['200', '403', '200']);
  });

  it('has only the phases that take time', async () => {
    const { controller, refused, start } = upgraded({ disallowed: 20 });
    expect(start()).to.equal('201');
    controller.setObjects(CLOUDS, []);
    expect(await phases(controller)).to.deep.equal([DISALLOWED]);
    expect(refused).to.deep.equal([]);
    const other = upgraded({ refused: 15 });
    other.start();
    other.controller.setObjects(CLOUDS, []);
    expect((await phases(other.controller)).at(-1)).to.equal('close / close');
    expect(other.refused).to.deep.equal([15]);
  });

  it('is one, whatever starts another while it runs, and can be followed by the next', async () => {
    const { controller, refused } = upgraded({});
    const upgrade: Fault = { type: 'upgrade', disallowed: 20, unavailable: 20, refused: 20 };
    controller.behaviour = { faults: [{ ...upgrade, when: { first: 20 } }] };
    expect((await phases(controller)).at(-1)).to.equal('close / close');
    expect(refused).to.deep.equal([20]);
    controller.behaviour = { faults: [{ ...upgrade, refused: 21, when: { first: 1 } }] };
    expect((await phases(controller)).at(-1)).to.equal('close / close');
    expect(refused).to.deep.equal([20, 21]);
  });

  it('ends the sessions when connections are refused, if the service itself restarts', async () => {
    const { controller, ask, state } = bareController('avi');
    const refused: number[] = [];
    controller.refuseConnections = (milliseconds) => refused.push(milliseconds);
    controller.behaviour = { basic: true, upgrade: { disallowed: 20, unavailable: 20, refused: 20 } };
    const welcome = ask('POST', '/login', { username: 'admin', password: 'simulated' });
    const cookie = [welcome.headers['set-cookie'] ?? []].flat().at(-1)?.split(';')[0];
    const get = (): string =>
      deliver(controller, 'GET', '/api/pool', undefined, { cookie, authorization: undefined }).slice(0, 3);
    state.setObjects('/api/image/', [{ uuid: 'image-1', name: '30.1.1-9000' }]);
    expect(deliver(controller, 'POST', '/api/upgrade', { image_uuid: 'image-1' })).to.equal(
      '200 {"status":"Upgrade started"}',
    );
    const seen = await seenUntil(get, (all) => all.at(-1) === '401');
    expect(seen).to.deep.equal(['200', '503', 'clo', '401']);
    expect(refused).to.deep.equal([20]);
  });
});

describe('the log of requests', () => {
  const request = (path: string) => bareRequest('PUT', path, { a: 1 }, { host: 'lb1' });

  it('has what was asked and answered', () => {
    const log = new RequestLog(true);
    log.add(request('/api/x?b=1&c='), 404);
    log.add(request('/api/y'), null);
    expect(log.entries.map(({ headers, ...entry }) => ({ ...entry, host: headers.host }))).to.deep.equal([
      { method: 'PUT', path: '/api/x', query: { b: '1', c: '' }, body: '{"a":1}', status: 404, host: 'lb1' },
      { method: 'PUT', path: '/api/y', query: {}, body: '{"a":1}', status: null, host: 'lb1' },
    ]);
    log.clear();
    expect(log.entries).to.deep.equal([]);
  });

  it('has the last thousand, or none if it is off', () => {
    const [log, off] = [new RequestLog(true), new RequestLog(false)];
    const paths = (): readonly (string | undefined)[] => [log.entries.at(0)?.path, log.entries.at(-1)?.path];
    for (let at = 1; at <= 1000; at += 1) for (const one of [log, off]) one.add(request(`/${at}`), 200);
    expect([log.entries.length, ...paths()]).to.deep.equal([1000, '/1', '/1000']);
    log.add(request('/1001'), 200);
    expect([log.entries.length, ...paths()]).to.deep.equal([1000, '/2', '/1001']);
    expect(off.entries).to.deep.equal([]);
  });

  it('is that of its controller', () => {
    const { controller, log } = bareController();
    log.add(request('/api/x'), 200);
    expect([controller.requests.length, controller.log === log]).to.deep.equal([1, true]);
    controller.clearRequests();
    expect(controller.requests).to.deep.equal([]);
  });
});
