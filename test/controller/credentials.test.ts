import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Exchange } from '../../src/core/model/run/event.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import { connections, errorOf, PASSWORD, settingsOf } from '../rig/controllers.js';
import { RudeServer } from '../rig/rude_server.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const FIND = 'GET /api/cloud/?name=edge';

const PROBED = { path: '/api/systemconfiguration' };

describe('credentials', () => {
  let fleet: Fleet;

  beforeEach(async () => {
    fleet = await startFleet({ controllers: 5 });
  });

  afterEach(() => fleet.dispose());

  const settings = (name: string, overrides: Partial<ConnectionSettings> = {}) =>
    settingsOf(fleet.url(name), fleet.ca, { controller: name, password: fleet.password, ...overrides });
  const behave = (name: string, behaviour: Behaviour) => {
    fleet.controller(name).behaviour = behaviour;
  };

  describe('that are refused', () => {
    it('make the controller unreachable at the first 401', async () => {
      const all = connections();
      const session = all.open(settings('lb1', { password: 'wrong' }));
      const error = await errorOf(session.find('/api/cloud/', 'edge'));
      expect(error.message).to.equal(`${FIND}: the controller answered 401: Invalid credentials.`);
      expect(error.hint).to.equal(
        'check controller_username and controller_password; on a fresh controller Basic authentication is off until allow_basic_authentication is set in its portal settings; controller_auth: session does without it (with controller_dialect: avi)',
      );
      expect(error).to.include({ outcome: 'unreachable', status: 401 });
      const next = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(next.message).to.equal('POST /api/cloud/: not sent: this controller has refused these credentials before');
      expect(next.outcome).to.equal('unreachable');
      expect(fleet.controller('lb1').requests).to.have.length(1);
      await all.close();
    });

    it('are tried by only one request, however many start at once', async () => {
      const all = connections();
      behave('lb1', { latency: 20 });
      const wrong = settings('lb1', { password: 'wrong', maxRequests: 4 });
      const sessions = [all.open(wrong), all.open({ ...wrong, controller: 'alias' })];
      const asked = sessions.flatMap((session) => ['a', 'b', 'c'].map((name) => session.find('/api/cloud/', name)));
      const errors = await Promise.all(asked.map(errorOf));
      expect(errors.map(({ outcome }) => outcome)).to.deep.equal(errors.map(() => 'unreachable'));
      expect(fleet.controller('lb1').requests).to.have.length(1);
      await all.close();
    });

    it('do not delay others once the controller has accepted them', async () => {
      const all = connections();
      const session = all.open(settings('lb1', { maxRequests: 4 }));
      await session.find('/api/cloud/', 'edge');
      behave('lb1', { faults: [{ type: 'hang' }] });
      const asked = ['a', 'b', 'c', 'd'].map((name) => errorOf(session.find('/api/cloud/', name)));
      // All requests arrive although none is answered; if one waited for another, this would never end.
      while (fleet.controller('lb1').requests.length < 1 + asked.length) await nextTurn();
      await all.close();
      await Promise.all(asked);
    });

    for (const fault of [
      { type: 'answer', status: 400 },
      { type: 'redirect', to: 'https://elsewhere.invalid/login' },
    ] as const)
      it(`do not count as accepted after what may come before the check of credentials: ${fault.type}`, async () => {
        let refused = 0;
        const all = connections({ onCredentialsRefused: () => (refused += 1) });
        behave('lb2', { faults: [fault] });
        const ask = (name: string, password: string): Promise<unknown> =>
          errorOf(all.open(settings(name, { password })).find('/api/cloud/', 'edge'));
        for (const name of ['lb1', 'lb2', 'lb3', 'lb4']) await ask(name, 'wrong');
        expect(refused).to.equal(1);
        await ask('lb5', 'wrong');
        expect(fleet.controller('lb5').requests).to.deep.equal([]);
        await all.close();
      });

    it('are not sent to the same URL under another name, but others are', async () => {
      const all = connections();
      await errorOf(all.open(settings('lb1', { password: 'wrong' })).find('/api/cloud/', 'edge'));
      const alias = all.open(settings('lb1', { controller: 'alias', password: 'wrong' }));
      await errorOf(alias.find('/api/cloud/', 'edge'));
      expect(fleet.controller('lb1').requests).to.have.length(1);
      expect(await all.open(settings('lb1')).find('/api/cloud/', 'edge')).to.equal(undefined);
      await all.close();
    });

    it('are tried by at most three controllers at once, however many start together', async () => {
      const all = connections();
      const asked = fleet.names.map((name) => {
        behave(name, { latency: 20 });
        return errorOf(all.open(settings(name, { password: 'wrong' })).find('/api/cloud/', 'edge'));
      });
      const errors = await Promise.all(asked);
      const contacted = fleet.names.filter((name) => fleet.controller(name).requests.length > 0);
      expect(contacted).to.have.length(3);
      expect(errors.map(({ message }) => message)).to.have.members([
        ...[1, 2, 3].map(() => `${FIND}: the controller answered 401: Invalid credentials.`),
        ...[1, 2].map(() => `${FIND}: not sent: 3 controllers in a row have refused these credentials`),
      ]);
      expect(errors.map(({ outcome }) => outcome)).to.deep.equal(errors.map(() => 'unreachable'));
      await all.close();
    });

    it('are tried by all once one has accepted them, and by fewer again after a refusal', async () => {
      const all = connections();
      await all.open(settings('lb1')).find('/api/cloud/', 'edge');
      behave('lb2', { faults: [{ type: 'answer', status: 401 }] });
      for (const name of ['lb3', 'lb4', 'lb5']) behave(name, { faults: [{ type: 'hang' }] });
      await errorOf(all.open(settings('lb2')).find('/api/cloud/', 'edge'));
      const asked = ['lb3', 'lb4', 'lb5'].map((name) => errorOf(all.open(settings(name)).find('/api/cloud/', 'edge')));
      const arrived = (): number =>
        ['lb3', 'lb4', 'lb5'].filter((name) => fleet.controller(name).requests.length > 0).length;
      while (arrived() < 2) await nextTurn();
      // A controller that accepted them before does not wait. After it accepts them again, none waits.
      expect(arrived()).to.equal(2);
      await all.open(settings('lb1')).find('/api/cloud/', 'edge');
      while (arrived() < 3) await nextTurn();
      await all.close();
      await Promise.all(asked);
    });

    it('do not wait long for a controller that does not answer', async () => {
      const all = connections();
      for (const name of ['lb1', 'lb2', 'lb3']) behave(name, { faults: [{ type: 'hang' }] });
      const asked = ['lb1', 'lb2', 'lb3'].map((name) => errorOf(all.open(settings(name)).find('/api/cloud/', 'edge')));
      expect(await all.open(settings('lb4')).find('/api/cloud/', 'edge')).to.equal(undefined);
      await all.close();
      await Promise.all(asked);
    });

    it('are reported once after three controllers in a row', async () => {
      let calls = 0;
      const all = connections({ onCredentialsRefused: () => (calls += 1) });
      for (const [index, name] of fleet.names.entries()) {
        expect(calls).to.equal(index >= 3 ? 1 : 0);
        await errorOf(all.open(settings(name, { password: 'wrong' })).find('/api/cloud/', 'edge'));
      }
      expect(calls).to.equal(1);
      await all.close();
    });

    it('are counted again after a controller that accepts them, and separately for each credential', async () => {
      let calls = 0;
      const all = connections({ onCredentialsRefused: () => (calls += 1) });
      for (const name of ['lb1', 'lb2', 'lb4', 'lb5']) {
        behave(name, { faults: [{ type: 'answer', status: 401 }] });
        await errorOf(all.open(settings(name)).find('/api/cloud/', 'edge'));
        await all.open(settings('lb3')).find('/api/cloud/', 'edge');
      }
      await errorOf(all.open(settings('lb1', { password: 'wrong' })).find('/api/cloud/', 'edge'));
      await errorOf(all.open(settings('lb2', { password: 'wrong too' })).find('/api/cloud/', 'edge'));
      expect(calls).to.equal(0);
      await all.close();
    });
  });

  describe('stay out of', () => {
    const secrets = [PASSWORD, encodeURIComponent(PASSWORD), Buffer.from(`admin:${PASSWORD}`).toString('base64')];

    function expectNone(what: unknown): void {
      const text = inspect(what, { depth: 20, showHidden: true }) + JSON.stringify(what);
      for (const secret of secrets) expect(text).not.to.include(secret);
    }

    const misbehaviours: readonly [string, Behaviour][] = [
      ['refusals', { faults: [{ type: 'answer', status: 401 }] }],
      ['answers that fail', { faults: [{ type: 'answer', status: 500, body: `you sent ${secrets.join(' ')}` }] }],
      ['retries', { faults: [{ type: 'answer', status: 503 }] }],
      ['broken connections', { faults: [{ type: 'drop' }] }],
      ['time-outs', { faults: [{ type: 'hang' }] }],
      ['redirects', { faults: [{ type: 'redirect', to: `https://admin:${PASSWORD}@elsewhere.invalid/` }] }],
      ['garbage', { faults: [{ type: 'answer', status: 200, body: `["${PASSWORD}"]` }] }],
    ];
    for (const [what, behaviour] of misbehaviours) {
      it(`errors of ${what}, their causes and everything in them`, async () => {
        const exchanges: Exchange[] = [];
        const all = connections({ onRequest: (exchange) => exchanges.push(exchange) });
        const { url } = await fleet.simulator.startController('secretive', { password: PASSWORD, behaviour });
        const session = all.open(settingsOf(url, fleet.ca, { timeout: 0.2 }));
        expectNone(await errorOf(session.find('/api/cloud/', 'edge')));
        expectNone(await errorOf(session.replace('/api/systemconfiguration', {})));
        expectNone(exchanges);
        await all.close();
      });
    }

    it('errors of TLS', async () => {
      const server = await RudeServer.start(() => undefined);
      const all = connections();
      expectNone(await errorOf(all.open(settingsOf(server.url, undefined)).find('/api/cloud/', 'edge')));
      await all.close();
      await server.close();
    });
  });

  describe('that are a guess', () => {
    it('may be tried again once the password was changed, also if that could not be confirmed', async () => {
      const all = connections();
      const session = all.open(settings('lb1', { password: 'wrong' }));
      behave('lb1', { faults: [{ type: 'answer', status: 401, when: PROBED }] });
      expect(await session.signIn(fleet.password)).to.equal(false);
      behave('lb1', { faults: [{ type: 'answer', status: 500, when: PROBED }] });
      expect((await errorOf(session.signIn(fleet.password, 'changed'))).status).to.equal(500);
      behave('lb1', {});
      expect(await session.signIn(fleet.password)).to.equal(true);
      await all.close();
    });

    it('are refused without being taken for a lockout that was expected', async () => {
      const all = connections();
      const session = all.open(settings('lb1'));
      await session.expectLockout();
      await session.create('/api/cloud/', 'edge', { name: 'edge' });
      expect(await session.signIn('wrong')).to.equal(false);
      expect(await session.find('/api/cloud/', 'edge')).to.include({ name: 'edge' });
      await all.close();
    });
  });
});
