import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Retry } from '../../src/core/model/run/event.js';
import { connections, errorOf, IMPATIENT, settingsOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';
import { answer, EMPTY_LIST, RudeServer, type Manners } from '../rig/rude_server.js';

const FIND = 'GET /api/cloud/?name=edge';

describe('retries', () => {
  const servers: RudeServer[] = [];
  const lb1 = new OneController();
  const { behave, wire } = lb1;

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  async function serve(manners: Manners): Promise<RudeServer> {
    const server = await RudeServer.start(manners);
    servers.push(server);
    return server;
  }

  const find = (by = lb1.session) => by.find('/api/cloud/', 'edge');

  for (const status of [408, 429, 502, 503, 504]) {
    it(`repeat a request after ${status}`, async () => {
      behave({ faults: [{ type: 'answer', status, when: { first: 3 } }] });
      expect(await find()).to.equal(undefined);
      expect(wire()).to.deep.equal([`GET ${status}`, `GET ${status}`, `GET ${status}`, 'GET 200']);
    });
  }

  it('repeat a request after a broken connection', async () => {
    behave({
      faults: [
        { type: 'drop', when: { nth: 1 } },
        { type: 'cut', when: { nth: 2 } },
      ],
    });
    expect(await find()).to.equal(undefined);
    expect(wire()).to.deep.equal(['GET lost', 'GET lost', 'GET 200']);
  });

  it('also follow a write that the controller rejects because of an upgrade, as it had no effect', async () => {
    const disallowed = { error: 'Configuration is disallowed during upgrade' };
    behave({ faults: [{ type: 'answer', status: 403, body: disallowed, when: { method: 'POST', first: 3 } }] });
    await lb1.session.create('/api/cloud/', 'created', { name: 'created' });
    expect(wire()).to.deep.equal(['POST 403', 'POST 403', 'POST 403', 'POST 201']);
    behave({ faults: [{ type: 'answer', status: 403, body: disallowed, when: { method: 'POST', first: 1 } }] });
    const raw = { method: 'POST', path: '/api/cloud/', body: { name: 'raw' } };
    expect(await lb1.session.request(raw)).to.include({ status: 201 });
    const starting = { error: 'Controller is not ready' };
    behave({ faults: [{ type: 'answer', status: 503, body: starting, when: { method: 'POST', first: 1 } }] });
    expect(await lb1.session.request({ ...raw, body: { name: 'later' } })).to.include({ status: 201 });
    behave({ faults: [{ type: 'answer', status: 403, body: { error: 'Upgrade your licence' } }] });
    expect(await lb1.session.request(raw)).to.include({ status: 403 });
    expect(wire().slice(4)).to.deep.equal(['POST 403', 'POST 201', 'POST 503', 'POST 201', 'POST 403']);
  });

  it('are reported before their pause, with the reason', async () => {
    behave({
      faults: [
        { type: 'answer', status: 502, when: { nth: 1 } },
        { type: 'drop', when: { nth: 2 } },
      ],
    });
    const retries: Retry[] = [];
    const watched = connections({ onRetry: (retry) => retries.push(retry) });
    try {
      await find(watched.open(lb1.settings()));
    } finally {
      await watched.close();
    }
    expect(
      retries.map(({ seconds, left, ...retry }) => ({ ...retry, waits: seconds > 0 && seconds < left })),
    ).to.deep.equal([
      { controller: 'lb1', attempt: 2, awaited: 'lb1', reason: 'answered 502', waits: true },
      { controller: 'lb1', attempt: 3, awaited: 'lb1', reason: 'the connection broke', waits: true },
    ]);
  });

  it('end after the last attempt, with its error', async () => {
    behave({ faults: [{ type: 'answer', status: 503, body: { error: 'upgrade in progress' } }] });
    const error = await errorOf(find());
    expect(error.message).to.equal(`${FIND}: the controller answered 503: upgrade in progress`);
    expect(error.hint).to.equal(
      'the controller may be starting or being upgraded: run again when it is up, or wait longer with controller_patience',
    );
    expect(error).to.include({ outcome: 'failed', status: 503 });
    expect(wire()).to.have.length(4);
    behave({ faults: [{ type: 'drop' }] });
    const broken = await errorOf(find());
    expect(broken.message).to.equal(
      `${FIND}: the connection to ${lb1.url} broke before the answer was complete (UND_ERR_SOCKET), 4 attempts`,
    );
    expect(broken.outcome).to.equal('unreachable');
  });

  it('wait as long as Retry-After asks', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' } };
    behave({ faults: [{ type: 'answer', ...limited, when: { nth: 1 } }] });
    const started = performance.now();
    expect(await find()).to.equal(undefined);
    expect(performance.now() - started).to.be.at.least(990);
  });

  it('do not wait beyond the deadline, and report the requested delay', async () => {
    behave({
      faults: [{ type: 'answer', status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '3600' } }],
    });
    const error = await errorOf(find());
    expect(error.message).to.equal(`${FIND}: the controller answered 429: slow down; it asks to wait 3600 s`);
    expect(wire()).to.deep.equal(['GET 429']);
  });

  it('end with the patience, however many attempts are left', async () => {
    behave({ faults: [{ type: 'answer', status: 503 }] });
    const hasty = connections({ retry: { ...IMPATIENT, attempts: 1000 } });
    await errorOf(find(hasty.open(lb1.settings({ patience: 0.1 }))));
    expect(wire().length).to.be.within(2, 200);
    await hasty.close();
  });

  it('retry a refused connection, then report the controller as unreachable', async () => {
    const server = await serve(() => undefined);
    await servers.pop()?.close();
    const error = await errorOf(find(lb1.open(settingsOf(server.url, server.certificate.ca))));
    expect(error.message).to.equal(`${FIND}: no connection to ${server.url} (ECONNREFUSED), 4 attempts`);
    expect(error.hint).to.equal('is the controller up, and are the address and port right?');
    expect(error.outcome).to.equal('unreachable');
  });

  it('do not repeat a request to a name that does not exist', async function () {
    const exchanges: unknown[] = [];
    const watched = connections({ onRequest: (exchange) => exchanges.push(exchange) });
    const error = await errorOf(find(watched.open(settingsOf('https://controller.invalid', undefined))));
    expect(error.message).to.match(/^GET \/api\/cloud\/\?name=edge: no connection to https:\/\/controller\.invalid/);
    if (error.message.includes('EAI_AGAIN')) {
      process.stderr.write('\nSKIPPED: a name that does not exist: no name server answers\n');
      this.skip();
    }
    expect(error.message).to.include('ENOTFOUND');
    expect(exchanges).to.have.length(1);
  });

  it('repeat a request on an idle connection that the controller has closed', async () => {
    const server = await serve((socket) => {
      socket.write(EMPTY_LIST);
      setImmediate(() => socket.end());
    });
    const idle = lb1.open(settingsOf(server.url, server.certificate.ca));
    for (let round = 0; round < 5; round += 1) expect(await find(idle)).to.equal(undefined);
  });

  describe('of requests that no HTTP library would send', () => {
    const rude: readonly [string, string, string][] = [
      ['noise', 'SSH-2.0-OpenSSH_9.6\r\n', 'the answer is not HTTP'],
      ['a status that does not exist', answer('799 Odd', '{}'), 'the answer has the status 799, which does not exist'],
    ];
    for (const [what, text, message] of rude) {
      it(`do not happen: ${what}`, async () => {
        const server = await serve((socket) => socket.write(text));
        const error = await errorOf(find(lb1.open(settingsOf(server.url, server.certificate.ca))));
        expect(error.message).to.equal(`${FIND}: ${message}`);
        expect(error.outcome).to.equal('failed');
        expect(server.requests).to.have.length(1);
      });
    }
  });

  describe('when the run is interrupted', () => {
    it('end at once, even during a pause', async () => {
      const drain = new AbortController();
      behave({ faults: [{ type: 'answer', status: 503, headers: { 'retry-after': '15' } }] });
      const draining = connections({
        drain: drain.signal,
        onRequest: () =>
          setTimeout(() => {
            drain.abort();
          }, 20),
      });
      const started = performance.now();
      const error = await errorOf(find(draining.open(lb1.session.settings)));
      expect(error.message).to.equal(
        `${FIND}: the controller answered 503: Configured to answer 503.; it asks to wait 15 s`,
      );
      expect(performance.now() - started).to.be.below(14_000);
      await draining.close();
    });

    it('let a running request end, and resolve a create whose reply was lost', async () => {
      const drain = new AbortController();
      drain.abort();
      const draining = connections({ drain: drain.signal });
      behave({ latency: 20, faults: [{ type: 'drop', when: { method: 'POST' }, applied: true }] });
      const draining1 = draining.open(lb1.session.settings);
      await draining1.create('/api/cloud/', 'drained', { name: 'drained' });
      expect(wire()).to.deep.equal(['POST lost', 'GET 200']);
      await draining.close();
    });

    it('never repeat a create, because without pauses an absence proves nothing', async () => {
      const drain = new AbortController();
      drain.abort();
      const draining = connections({ drain: drain.signal });
      behave({
        lag: 2,
        duplicates: 'allow',
        faults: [{ type: 'drop', when: { method: 'POST' }, applied: true }],
      });
      const error = await errorOf(draining.open(lb1.session.settings).create('/api/cloud/', 'late', { name: 'late' }));
      expect(error.message).to.equal(
        `POST /api/cloud/: the connection to ${lb1.url} broke before the answer was complete (UND_ERR_SOCKET); it may have taken effect`,
      );
      expect(wire()).to.deep.equal(['POST lost', 'GET 200', 'GET 200']);
      await draining.close();
    });

    it('abort requests on a second interrupt, and report that a write may have taken effect', async () => {
      const abort = new AbortController();
      behave({ faults: [{ type: 'hang' }] });
      const aborting = connections({ abort: abort.signal });
      const put = errorOf(aborting.open(lb1.session.settings).replace('/api/systemconfiguration', {}));
      while (wire().length === 0) await nextTurn();
      abort.abort();
      const error = await put;
      expect(error.message).to.equal(
        'PUT /api/systemconfiguration: aborted because the run was interrupted; it may have taken effect',
      );
      expect(error).to.include({ outcome: 'unreachable', uncertain: true });
      const late = await errorOf(find(aborting.open(lb1.session.settings)));
      expect(late.message).to.equal(`${FIND}: aborted because the run was interrupted`);
    });
  });
});
