import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { expect } from 'chai';
import type { Connections } from '../../src/controller/connections.js';
import { RETRY } from '../../src/controller/exchange/policy.js';
import { networkFailure } from '../../src/controller/transport/network_failure.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Exchange, Retry } from '../../src/core/model/run/event.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { freePort } from '../rig/free_port.js';
import { OneController } from '../rig/one_controller.js';

/** Timers are exact to a millisecond. */
const EXACT = 2;

describe('the patience with a controller', () => {
  let exchanges: { readonly exchange: Exchange; readonly at: number }[];
  let retries: Retry[];
  let run: Connections;
  let port: number;
  beforeEach(async () => {
    [exchanges, retries] = [[], []];
    run = observed();
    port = await freePort();
  });
  afterEach(() => run.close());

  function observed(onRetry?: () => void): Connections {
    return connections({
      retry: RETRY,
      onRequest: (exchange) => exchanges.push({ exchange, at: performance.now() }),
      onRetry: (retry) => {
        retries.push(retry);
        onRetry?.();
      },
    });
  }

  const dead = (more: Partial<ConnectionSettings>) => settingsOf(`https://127.0.0.1:${port}`, undefined, more);
  const find = (settings: ConnectionSettings) => run.open(settings).find('/api/cloud/', 'edge');
  const methods = (): readonly string[] => exchanges.map(({ exchange }) => exchange.method);

  it('is none if it is 0', async () => {
    const error = await errorOf(find(dead({ patience: 0 })));
    expect(error.message).to.equal(
      `GET /api/cloud/?name=edge: no connection to https://127.0.0.1:${port} (ECONNREFUSED)`,
    );
    expect(methods()).to.have.length(1);
    expect(retries).to.deep.equal([]);
  });

  it('counts from the first failure, and one attempt is at its end', async () => {
    const error = await errorOf(find(dead({ patience: 0.6 })));
    const [first, last] = [exchanges[0]?.at ?? 0, exchanges.at(-1)?.at ?? 0];
    expect(last - first).to.be.at.least(600 - EXACT);
    expect(error.message).to.match(new RegExp(`\\(ECONNREFUSED\\), ${exchanges.length} attempts$`));
    // The pauses of half a second and a second are random between half and all of that.
    expect(exchanges.length).to.be.within(3, 4);
    expect(retries.map(({ awaited, attempt }) => `${awaited} ${attempt}`)).to.deep.equal(
      retries.map((_, index) => `lb1 ${index + 2}`),
    );
    expect(retries[0]?.left).to.be.closeTo(0.6, 0.01);
    expect(retries.at(-1)?.left).to.be.closeTo(retries.at(-1)?.seconds ?? 0, 0.01);
  });

  describe('that comes up meanwhile', () => {
    let simulator: Simulator;
    beforeEach(async () => (simulator = await Simulator.start()));
    afterEach(() => simulator.close());

    it('gets each write once, whether it may be repeated or not', async () => {
      const credentials = { port, username: 'admin', password: 'secret' };
      run = observed(() => {
        if (retries.length === 1) void simulator.startController('lb1', credentials);
      });
      const session = run.open(dead({ patience: 30, ca: simulator.ca, password: 'secret' }));
      await session.create('/api/cloud/', 'edge', { name: 'edge' });
      expect(retries.length).to.be.at.least(1);
      expect(new Set(methods())).to.deep.equal(new Set(['POST']));
      const sent = simulator.controller('lb1').requests.map(({ method, status }) => `${method} ${status}`);
      expect(sent).to.deep.equal(['POST 201']);
    });
  });

  it('does not look for an object that was certainly not created', async () => {
    const session = run.open(dead({ patience: 0.3 }));
    const error = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
    expect(error.message).to.match(/^POST \/api\/cloud\/: no connection to .* \(ECONNREFUSED\), \d attempts$/);
    expect(new Set(methods())).to.deep.equal(new Set(['POST']));
  });

  it('with a route that is down is had once, not with each of its controllers', async () => {
    const route = { name: 'madrid', proxies: [`socks5h://127.0.0.1:${port}`] };
    const behind = (controller: string) => ({ ...dead({ patience: 0.8, route }), controller });
    const started = performance.now();
    const errors = await Promise.all(['lb1', 'lb2'].map((name) => errorOf(find(behind(name)))));
    const took = performance.now() - started;
    expect(took).to.be.at.least(800 - EXACT);
    expect(new Set(retries.map(({ awaited }) => awaited))).to.deep.equal(new Set(['route madrid']));
    expect(errors.map(({ route: name }) => name)).to.deep.equal(['madrid', 'madrid']);
    exchanges = [];
    await errorOf(find(behind('lb3')));
    expect(methods()).to.have.length(1);
  });
});

describe('a request that must not be sent twice', () => {
  const lb1 = new OneController();
  const post = () => lb1.session.request({ method: 'POST', path: '/api/cloud/', body: { name: 'edge' } });

  it('is sent again after 429, because the controller did not carry it out', async () => {
    lb1.behave({ faults: [{ type: 'answer', status: 429, when: { first: 2 } }] });
    expect((await post()).status).to.equal(201);
    expect(lb1.wire()).to.deep.equal(['POST 429', 'POST 429', 'POST 201']);
  });

  for (const status of [408, 502, 503, 504])
    it(`is not sent again after ${status}`, async () => {
      lb1.behave({ faults: [{ type: 'answer', status, when: { first: 1 } }] });
      expect((await post()).status).to.equal(status);
      expect(lb1.wire()).to.deep.equal([`POST ${status}`]);
    });

  it('is not sent again after the connection broke', async () => {
    lb1.behave({ faults: [{ type: 'drop' }] });
    expect((await errorOf(post())).uncertain).to.equal(true);
    expect(lb1.wire()).to.deep.equal(['POST lost']);
  });

  it('is sent again after the connection broke in its TLS handshake', async () => {
    let opened = 0;
    const balancer = createServer((near) => {
      opened += 1;
      if (opened < 3) near.destroy();
      else pipeline(near, connect(Number(new URL(lb1.url).port), '127.0.0.1'), near, () => undefined);
    });
    await once(balancer.listen(0, '127.0.0.1'), 'listening');
    const url = `https://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
    const session = lb1.open(lb1.settings({ url }));
    expect((await session.request({ method: 'POST', path: '/api/run', body: {} })).status).to.equal(405);
    await session.close();
    balancer.close();
    expect([opened, lb1.wire()]).to.deep.equal([3, ['POST 405']]);
  });

  it('was not sent if the connection broke before it was ready', async () => {
    const balancer = createServer((near) => near.destroy());
    await once(balancer.listen(0, '127.0.0.1'), 'listening');
    const url = `https://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
    for (const into of [undefined, { start: () => Promise.resolve(), take: () => Promise.resolve() }]) {
      const session = lb1.open(lb1.settings({ url, patience: 0 }));
      const error = await errorOf(session.request({ method: 'POST', path: '/api/run', body: {}, into }));
      expect(error.message).to.equal(`POST /api/run: no connection to ${url} (ECONNRESET)`);
      expect(error).to.include({ outcome: 'unreachable', uncertain: false, failure: 'connect' });
    }
    balancer.close();
  });

  it('may have arrived if the network failed under an open connection', () => {
    const failureOf = (code: string, syscall: string) =>
      networkFailure(Object.assign(new Error(code), { code, syscall }), { origin: 'https://lb1', through: undefined });
    for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']) {
      expect(failureOf(code, 'connect')).to.include({ type: 'connect', unsent: true, uncertain: false });
      for (const syscall of ['read', 'write'])
        expect(failureOf(code, syscall)).to.include({ type: 'reset', unsent: false, uncertain: true });
    }
  });
});
