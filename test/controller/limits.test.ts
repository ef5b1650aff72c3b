import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Connections, ConnectionsOptions } from '../../src/controller/connections.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Throttling } from '../../src/core/model/run/event.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import { connections, errorOf, IMPATIENT, settingsOf } from '../rig/controllers.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const FIND = 'GET /api/cloud/?name=edge';
const BUSY = { type: 'answer', status: 429, headers: { 'retry-after': '1' }, body: { error: 'slow down' } } as const;

/** The limits that all requests to one controller share. */
describe('limits of a controller', () => {
  let fleet: Fleet;
  let throttled: Throttling[];
  const open: Connections[] = [];

  before(async () => {
    fleet = await startFleet();
  });

  beforeEach(() => {
    throttled = [];
    behave({});
    fleet.controller('lb1').setObjects('/api/cloud/', []);
    fleet.controller('lb1').clearRequests();
  });

  afterEach(async () => {
    for (const all of open.splice(0)) await all.close();
  });

  after(() => fleet.dispose());

  function behave(behaviour: Behaviour): void {
    fleet.controller('lb1').behaviour = behaviour;
  }

  function start(options: Partial<ConnectionsOptions> = {}): Connections {
    const all = connections({ onThrottled: (throttling) => throttled.push(throttling), ...options });
    open.push(all);
    return all;
  }

  const settings = (overrides: Partial<ConnectionSettings> = {}) =>
    settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password, ...overrides });
  const wire = () => fleet.controller('lb1').requests.map(({ method, status }) => `${method} ${status ?? 'lost'}`);

  it('are shared by all names for one URL, and the strictest one applies', async () => {
    const all = start();
    const sessions = [
      all.open(settings({ maxRequests: 3 })),
      all.open(settings({ controller: 'alias', maxRequests: 2 })),
    ];
    await sessions[0]?.find('/api/cloud/', 'edge');
    fleet.controller('lb1').clearRequests();
    behave({ faults: [{ type: 'hang', when: { first: 2 } }] });
    const asked = sessions.flatMap((session) => ['a', 'b'].map((name) => errorOf(session.find('/api/cloud/', name))));
    while (fleet.controller('lb1').requests.length < 2) await nextTurn();
    // If a third request were allowed, it would be answered by now.
    await start().open(settings()).single('/api/systemconfiguration');
    expect(wire()).to.deep.equal(['GET lost', 'GET lost', 'GET 200']);
    await all.close();
    await Promise.all(asked);
  });

  it('outlast a session that closes while another is open', async () => {
    const all = start();
    const [first, second] = [all.open(settings({ maxRequests: 1 })), all.open(settings({ controller: 'alias' }))];
    for (const session of [first, second]) await session.find('/api/cloud/', 'edge');
    await second.close();
    fleet.controller('lb1').clearRequests();
    behave({ faults: [{ type: 'hang', when: { first: 1 } }] });
    const third = all.open(settings({ controller: 'third' }));
    const asked = [first, third].map((session) => errorOf(session.find('/api/cloud/', 'edge')));
    while (fleet.controller('lb1').requests.length < 1) await nextTurn();
    // If another request were allowed, it would be answered by now.
    await start().open(settings()).single('/api/systemconfiguration');
    expect(wire()).to.deep.equal(['GET lost', 'GET 200']);
    await all.close();
    await Promise.all(asked);
  });

  it('are shared with later sessions of the controller', async () => {
    const all = start();
    const started = performance.now();
    for (const controller of ['lb1', 'alias', 'third']) {
      const session = all.open(settings({ controller, requestsPerSecond: 10 }));
      for (const name of ['a', 'b']) await session.find('/api/cloud/', name);
      await session.close();
    }
    // Two may begin at once.
    expect(performance.now() - started).to.be.above(395);
  });

  it('do not count towards the time limit of a request', async () => {
    const session = start().open(settings({ requestsPerSecond: 4, timeout: 0.2 }));
    for (const name of ['a', 'b', 'c']) expect(await session.find('/api/cloud/', name)).to.equal(undefined);
  });

  it('end when the run is aborted', async () => {
    const abort = new AbortController();
    const session = start({ abort: abort.signal }).open(settings({ requestsPerSecond: 0.01 }));
    await session.find('/api/cloud/', 'edge');
    const waiting = errorOf(session.find('/api/cloud/', 'edge'));
    abort.abort();
    expect((await waiting).message).to.equal(`${FIND}: aborted because the run was interrupted`);
  });

  describe('when it answers 429 or 503', () => {
    it('delay all requests to it, under any name, for as long as Retry-After says', async () => {
      const all = start();
      const [one, other] = [all.open(settings()), all.open(settings({ controller: 'alias' }))];
      await one.find('/api/cloud/', 'edge');
      behave({ faults: [{ ...BUSY, when: { nth: 1 } }] });
      const started = performance.now();
      const refused = one.request({ method: 'POST', path: '/api/x' });
      // It is repeated, and there is nothing at that path.
      expect((await refused).status).to.equal(405);
      await other.find('/api/cloud/', 'edge');
      expect(performance.now() - started).to.be.at.least(990);
      expect(throttled).to.deep.equal([{ controller: 'lb1', status: 429, seconds: 1 }]);
    });

    it('delay the reads that settle a create', async () => {
      behave({ faults: [{ ...BUSY, status: 503, when: { method: 'POST', nth: 1 }, applied: true }] });
      const started = performance.now();
      await start().open(settings()).create('/api/cloud/', 'edge', { name: 'edge' });
      expect(performance.now() - started).to.be.at.least(990);
      expect(wire()).to.deep.equal(['POST 503', 'GET 200']);
    });

    it('are reported once for requests that ran together', async () => {
      const session = start().open(settings({ maxRequests: 3 }));
      await session.find('/api/cloud/', 'edge');
      behave({ latency: 20, faults: [{ type: 'answer', status: 503, when: { first: 3 } }] });
      await Promise.all(['a', 'b', 'c'].map((name) => session.find('/api/cloud/', name)));
      expect(throttled.map(({ status }) => status)).to.deep.equal([503]);
    });

    it('do not send a request that would have to wait longer than the deadline', async () => {
      behave({ faults: [{ ...BUSY, headers: { 'retry-after': '3600' }, when: { nth: 1 } }] });
      const session = start().open(settings());
      const first = await errorOf(session.find('/api/cloud/', 'edge'));
      expect(first.message).to.equal(`${FIND}: the controller answered 429: slow down; it asks to wait 3600 s`);
      const next = await errorOf(session.find('/api/cloud/', 'edge'));
      expect(next.message).to.equal(
        `${FIND}: not sent: the controller answered 429 before and asks to wait another 3600 s`,
      );
      expect(next.hint).to.equal('run again when that time is over');
      expect(next).to.include({ outcome: 'failed', uncertain: false, temporary: false });
      expect(wire()).to.deep.equal(['GET 429']);
    });

    it('do not read the outcome of a create if that would have to wait longer', async () => {
      const headers = { 'retry-after': '3600' };
      behave({ faults: [{ ...BUSY, status: 503, headers, when: { method: 'POST' } }] });
      const session = start().open(settings());
      const error = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(error.message).to.equal(
        'POST /api/cloud/: the controller answered 503: slow down; it asks to wait 3600 s',
      );
      expect(wire()).to.deep.equal(['POST 503']);
    });

    it('space later requests until the controller has recovered', async () => {
      const session = start({ retry: { ...IMPATIENT, baseMs: 20, capMs: 20 } }).open(settings());
      behave({ latency: 40, faults: [{ type: 'answer', status: 503, when: { nth: 2 } }] });
      await session.find('/api/cloud/', 'edge');
      const started = performance.now();
      // The rejected request, its repetition, and three more; half the rate means at least 80 ms between two requests.
      for (const name of ['a', 'b', 'c', 'd']) await session.find('/api/cloud/', name);
      expect(performance.now() - started).to.be.above(270);
    });

    it('end their pause when the run is interrupted', async () => {
      const drain = new AbortController();
      behave({ faults: [{ ...BUSY, headers: { 'retry-after': '15' }, when: { nth: 1 } }] });
      const session = start({
        drain: drain.signal,
        onThrottled: () =>
          setImmediate(() => {
            drain.abort();
          }),
      }).open(settings());
      expect((await session.request({ method: 'POST', path: '/api/x' })).status).to.equal(429);
      const started = performance.now();
      expect(await session.find('/api/cloud/', 'edge')).to.equal(undefined);
      expect(performance.now() - started).to.be.below(14_000);
    });
  });
});
