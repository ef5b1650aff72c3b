import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Exchange } from '../../src/core/model/run/event.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { connections, errorOf, PASSWORD, settingsOf, through } from '../rig/controllers.js';
import { ProxyServer } from '../rig/proxy_server.js';
import { answer, EMPTY_LIST, RudeServer } from '../rig/rude_server.js';
import { SessionController } from '../rig/session_controller.js';

const LIST = 'GET /api/cloud?name=edge @admin';

/** The answers with which controllers end a session. */
const ENDED = {
  '401': { status: 401, body: { error: 'Authentication credentials were not provided.' } },
  '419': { status: 419, body: { error: 'Session expired' }, cookies: ['csrftoken=stale; Path=/'] },
  '403 "CSRF Failed"': { status: 403, body: { detail: 'CSRF Failed: CSRF token missing or incorrect.' } },
};

describe('sign-in by session', () => {
  let controller: SessionController;
  let all: ReturnType<typeof connections>;

  beforeEach(async () => {
    controller = await SessionController.start();
    all = connections();
  });

  afterEach(async () => {
    await all.close();
    await controller.close();
  });

  const open = (overrides: Partial<ConnectionSettings> = {}) => all.open(controller.settings(overrides));

  it('signs in once, reads and writes, and signs out at the end', async () => {
    const session = open();
    expect(await session.find('/api/cloud/', 'edge')).to.equal(undefined);
    await session.create('/api/cloud/', 'edge', { name: 'edge' });
    const [edge] = controller.objects('cloud');
    await session.replace(`/api/cloud/${String(edge?.['uuid'])}`, { name: 'edge', mtu: 1500 });
    await session.close();
    expect(controller.sessions).to.have.length(1);
    await all.close();
    expect(controller.log).to.deep.equal([
      'POST /login',
      LIST,
      'POST /api/cloud @admin',
      `PUT /api/cloud/${String(edge?.['uuid'])} @admin`,
      'POST /logout',
    ]);
    expect(controller.sessions).to.deep.equal([]);
    expect(controller.objects('cloud')[0]).to.include({ mtu: 1500 });
  });

  it('sends the password only in the sign-in, without version or tenant', async () => {
    await open({ tenant: 'blue', headers: { 'X-Gate': 'a' } }).find('/api/cloud/', 'edge');
    const [login, read] = controller.asked;
    expect(login?.headers).to.include({ 'x-gate': 'a', 'content-type': 'application/json' });
    expect(login?.headers).not.to.have.any.keys('authorization', 'x-avi-version', 'x-avi-tenant', 'cookie');
    expect(JSON.parse(login?.body ?? '')).to.deep.equal({ username: 'admin', password: PASSWORD });
    expect(read?.headers).to.include({ 'x-gate': 'a', 'x-avi-version': '22.1.3', 'x-avi-tenant': 'blue' });
    expect(read?.headers).not.to.have.any.keys('authorization', 'x-csrftoken', 'referer');
  });

  it('is shared by parallel requests, by connections, names and tenants', async () => {
    const sessions = [open({ maxRequests: 4 }), open({ controller: 'alias' }), open({ tenant: 'blue' })];
    await Promise.all(sessions.flatMap((one) => ['a', 'b'].map((name) => one.find('/api/cloud/', name))));
    expect(controller.log.filter((line) => line === 'POST /login')).to.have.length(1);
  });

  it('is separate for each user and each controller', async () => {
    controller.passwords.set('operator', 'other-password');
    const other = await SessionController.start();
    await open().find('/api/cloud/', 'edge');
    await open({ username: 'operator', password: 'other-password' }).find('/api/cloud/', 'edge');
    await all.open(other.settings()).find('/api/cloud/', 'edge');
    expect(controller.sessions).to.have.length(2);
    for (const { headers } of other.asked)
      for (const session of controller.sessions) expect(headers.cookie ?? '').not.to.include(session);
    await all.close();
    expect([...controller.sessions, ...other.sessions]).to.deep.equal([]);
    await other.close();
  });

  it('keeps the path prefix', async () => {
    controller.prefix = '/lb/7';
    const session = open();
    await session.create('/api/cloud/', 'edge', { name: 'edge' });
    expect(controller.log).to.deep.equal(['POST /login', 'POST /api/cloud @admin']);
    expect(controller.asked[1]?.headers.referer).to.equal(`${controller.url}/`);
  });

  it('signs out with the settings that led to the controller, not with others of the same user', async () => {
    expect(String(await errorOf(open({ ca: undefined }).find('/api/cloud/', 'edge')))).to.match(/certificate/);
    await open().find('/api/cloud/', 'edge');
    await all.close();
    expect(controller.log).to.deep.equal(['POST /login', LIST, 'POST /logout']);
  });

  it('goes through a proxy', async () => {
    const proxy = await ProxyServer.start();
    await open({ route: through(`http://${proxy.address}`) }).find('/api/cloud/', 'edge');
    await all.close();
    expect(proxy.tunnels.length).to.be.greaterThan(0);
    expect(controller.log).to.deep.equal(['POST /login', LIST, 'POST /logout']);
    await proxy.close();
  });

  describe('that has expired', () => {
    it('starts again, and the request is repeated, even a create', async () => {
      const session = open();
      await session.find('/api/cloud/', 'edge');
      controller.expire();
      await session.create('/api/cloud/', 'edge', { name: 'edge' });
      const posts = ['POST /api/cloud @admin', 'POST /login', 'POST /api/cloud @admin'];
      expect(controller.log).to.deep.equal(['POST /login', LIST, ...posts]);
      expect(controller.objects('cloud')).to.have.length(1);
    });

    it('starts again even before a request succeeded, because the controller may have restarted', async () => {
      let refused = 0;
      controller.before = ({ path }) => (path.startsWith('/api') && refused++ === 0 ? { status: 401 } : undefined);
      await open().create('/api/cloud/', 'edge', { name: 'edge' });
      const again = ['POST /login', 'POST /api/cloud @admin'];
      expect(controller.log).to.deep.equal(['POST /login', 'POST /api/cloud @admin', ...again]);
    });

    it('starts again once for all parallel requests', async () => {
      const session = open({ maxRequests: 4 });
      await session.find('/api/cloud/', 'edge');
      controller.expire();
      await Promise.all(['a', 'b', 'c', 'd'].map((name) => session.find('/api/cloud/', name)));
      expect(controller.log.filter((line) => line === 'POST /login')).to.have.length(2);
    });

    it('makes the controller unreachable if the password is refused by then', async () => {
      const session = open();
      await session.find('/api/cloud/', 'edge');
      controller.expire();
      controller.passwords.set('admin', 'changed-meanwhile');
      const error = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(error.message).to.equal(
        'POST /api/cloud: cannot sign in: POST /login: the controller answered 401: Invalid credentials',
      );
      expect(error).to.include({ outcome: 'unreachable', uncertain: false, temporary: false });
      expect(error.hint).to.equal('check controller_username and controller_password');
      await errorOf(session.find('/api/cloud/', 'edge'));
      expect(controller.log.filter((line) => line === 'POST /login')).to.have.length(2);
    });

    for (const [says, reply] of Object.entries(ENDED)) {
      it(`starts again once if the answer is ${says}`, async () => {
        const session = open({ maxRequests: 4 });
        await session.find('/api/cloud/', 'edge');
        let refused = 0;
        controller.before = ({ path }) => (path.startsWith('/api') && refused++ < 2 ? reply : undefined);
        await Promise.all(['a', 'b'].map((name) => session.create('/api/cloud/', name, { name })));
        expect(controller.log.filter((line) => line === 'POST /login')).to.have.length(2);
        expect(controller.objects('cloud').map(({ name }) => name)).to.have.members(['a', 'b']);
        // Cookies that came with the end of the session are not taken over into the new one.
        expect(controller.asked.at(-1)?.headers.cookie).not.to.include('stale');
      });

      it(`starts again once for each request, without patience, while the answer is ${says}`, async () => {
        const session = open({ patience: 0 });
        await session.find('/api/cloud/', 'edge');
        controller.before = ({ path }) => (path.startsWith('/api') ? reply : undefined);
        const error = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
        expect(error.message).to.include(`POST /api/cloud: the controller answered ${reply.status}`);
        const post = 'POST /api/cloud @admin';
        expect(controller.log).to.deep.equal(['POST /login', LIST, post, 'POST /login', post]);
      });
    }

    it('starts again and again within the patience, as a cluster loses sessions that changes its leader', async () => {
      const session = open();
      await session.find('/api/cloud/', 'edge');
      let refused = 0;
      controller.before = ({ path }) => {
        if (path.startsWith('/api')) return refused++ < 5 ? { status: 401, body: { error: 'who?' } } : undefined;
        return undefined;
      };
      await session.create('/api/cloud/', 'edge', { name: 'edge' });
      const post = 'POST /api/cloud @admin';
      expect(controller.log.slice(2)).to.deep.equal([
        post,
        'POST /login',
        post,
        post,
        'POST /login',
        post,
        post,
        'POST /login',
        post,
      ]);
      expect(controller.objects('cloud')).to.have.length(1);
      // Now the last attempt needs no new session. Neither counts as a refusal of the credentials.
      refused = 1;
      await session.create('/api/cloud/', 'core', { name: 'core' });
      await session.find('/api/cloud/', 'edge');
    });

    it('is not mistaken for a missing permission', async () => {
      const session = open();
      const refuse = (text: string): void => {
        controller.before = ({ path }) =>
          path.startsWith('/api') ? { status: 403, body: { error: text } } : undefined;
      };
      refuse('Permission denied for user admin');
      const denied = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(denied.hint).to.equal('the user "admin" is not allowed to do this');
      expect(controller.log).to.deep.equal(['POST /login', 'POST /api/cloud @admin']);
      refuse('CSRF Failed: Referer checking failed');
      const forged = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(forged.hint).to.include('does the controller know itself by the address in controller_url?');
    });

    it('is not tried a third time, without patience, if the new one is refused as well', async () => {
      const session = open({ patience: 0 });
      await session.find('/api/cloud/', 'edge');
      controller.before = ({ path }) => (path.startsWith('/api') ? { status: 401, body: { error: 'no' } } : undefined);
      const error = await errorOf(session.find('/api/cloud/', 'edge'));
      expect(error.message).to.equal('GET /api/cloud?name=edge: the controller answered 401: no');
      await errorOf(session.find('/api/cloud/', 'other'));
      expect(controller.log).to.deep.equal(['POST /login', LIST, LIST, 'POST /login', LIST]);
    });
  });

  it('takes over a token that the controller renews', async () => {
    const session = open();
    await session.find('/api/cloud/', 'edge');
    const tokens: unknown[] = [];
    controller.before = ({ headers, method }) => {
      tokens.push(headers['x-csrftoken']);
      const body = method === 'GET' ? { count: 0, results: [] } : { name: 'edge' };
      return { status: method === 'GET' ? 200 : 201, body, cookies: ['csrftoken=renewed-token; Path=/'] };
    };
    await session.find('/api/cloud/', 'edge');
    await session.create('/api/cloud/', 'edge', { name: 'edge' });
    expect(tokens).to.deep.equal([undefined, 'renewed-token']);
    expect(controller.asked.at(-1)?.headers.cookie).to.include('csrftoken=renewed-token');
    controller.before = undefined;
  });

  describe('whose credentials are refused', () => {
    const wrong = { password: 'wrong-password' };

    it('is tried once, however many requests there are', async () => {
      const session = open({ ...wrong, maxRequests: 4 });
      const errors = await Promise.all(['a', 'b', 'c'].map((name) => errorOf(session.find('/api/cloud/', name))));
      expect(errors.map(({ outcome }) => outcome)).to.deep.equal(['unreachable', 'unreachable', 'unreachable']);
      await errorOf(open({ ...wrong, tenant: 'blue' }).find('/api/cloud/', 'edge'));
      expect(controller.log).to.deep.equal(['POST /login']);
    });

    it('is not taken for refused by a controller that upgrades', async () => {
      const upgrading = { status: 403, body: { error: 'Configuration is disallowed during upgrade' } };
      let isUpgrading = true;
      controller.before = ({ path }) => (path.startsWith('/login') && isUpgrading ? upgrading : undefined);
      const session = open({ patience: 0 });
      expect(await errorOf(session.find('/api/cloud/', 'edge'))).to.include({ passing: true });
      isUpgrading = false;
      expect(await session.find('/api/cloud/', 'edge')).to.equal(undefined);
    });

    it('is not taken for accepted by a redirect to another server', async () => {
      const session = open({ patience: 0, maxRequests: 2 });
      await session.find('/api/cloud/', 'edge');
      let asked = 0;
      let hear: () => void = () => undefined;
      const heard = new Promise<void>((resolve) => (hear = resolve));
      controller.before = async ({ path }) => {
        if (!path.startsWith('/api')) return undefined;
        asked += 1;
        // Both requests in the new session.
        if (asked === 3) return { status: 302 };
        if (asked === 4) await heard;
        return { status: 401, body: { error: 'no' } };
      };
      const ask = async (name: string): Promise<void> => {
        const { status } = await errorOf(session.find('/api/cloud/', name));
        if (status === 302) hear();
      };
      await Promise.all([ask('a'), ask('b')]);
      const error = await errorOf(session.find('/api/cloud/', 'c'));
      expect(error.message).to.include('this controller has refused these credentials before');
    });

    it('stops the run after three controllers in a row, which are tried in turn', async () => {
      let calls = 0;
      all = connections({ onCredentialsRefused: () => (calls += 1) });
      const others = await Promise.all([1, 2, 3, 4].map(() => SessionController.start()));
      const fleet = [controller, ...others];
      await Promise.all(fleet.map((one) => errorOf(all.open(one.settings(wrong)).find('/api/cloud/', 'edge'))));
      expect(calls).to.equal(1);
      expect(fleet.flatMap(({ log }) => log)).to.deep.equal(['POST /login', 'POST /login', 'POST /login']);
      await Promise.all(others.map((one) => one.close()));
    });
  });

  it('is retried while the controller starts, and a create is sent once after it', async () => {
    let refusals = 2;
    controller.before = ({ path }) =>
      path === '/login' && refusals-- > 0 ? { status: 503, body: { error: 'starting' } } : undefined;
    await open().create('/api/cloud/', 'edge', { name: 'edge' });
    expect(controller.log).to.deep.equal(['POST /login', 'POST /login', 'POST /login', 'POST /api/cloud @admin']);
  });

  it('says that a write was not sent', async () => {
    controller.before = ({ path }) => (path === '/login' ? { status: 503, body: { error: 'starting' } } : undefined);
    const error = await errorOf(open().create('/api/cloud/', 'edge', { name: 'edge' }));
    expect(error.message).to.equal(
      'POST /api/cloud: cannot sign in: POST /login: the controller answered 503: starting',
    );
    expect(error).to.include({ uncertain: false, temporary: false, outcome: 'failed' });
    expect(new Set(controller.log)).to.deep.equal(new Set(['POST /login']));
  });

  it('reports that the controller has no sessions, or starts none', async () => {
    const server = await RudeServer.start((socket, _, nth) =>
      socket.write(nth === 1 ? answer('404 Not Found', '{"error":"no such page"}') : EMPTY_LIST),
    );
    const settings = controller.settings();
    const there = { ...settings, url: server.url, ca: server.certificate.ca };
    const none = await errorOf(all.open(there).find('/api/cloud/', 'edge'));
    expect(none.message).to.equal(
      'GET /api/cloud?name=edge: cannot sign in: POST /login: the controller answered 404 and has no such path',
    );
    expect(none.hint).to.equal('does controller_dialect name the dialect of this controller?');
    const noCookie = await errorOf(all.open(there).find('/api/cloud/', 'edge'));
    expect(noCookie.message).to.equal(
      'GET /api/cloud?name=edge: cannot sign in: POST /login: the controller answered 200 and set no cookie avi-sessionid or sessionid',
    );
    await server.close();
  });

  it('is suggested if Basic authentication is refused', async () => {
    const error = await errorOf(open({ auth: 'basic' }).find('/api/cloud/', 'edge'));
    expect(error.hint).to.equal(
      'check controller_username and controller_password; on a fresh controller Basic authentication is off: set controller_auth: session',
    );
    expect(controller.log).to.deep.equal([LIST]);
  });

  it('ends within seconds if the controller no longer answers', async () => {
    await open({ timeout: 60 }).find('/api/cloud/', 'edge');
    controller.before = () => sleep(60_000, undefined, { ref: false });
    const started = performance.now();
    await all.close();
    expect(performance.now() - started).to.be.below(30_000);
    expect(controller.log.at(-1)).to.equal('POST /logout');
  }).timeout(40_000);

  it('is ended also after an aborted run', async () => {
    const cut = new AbortController();
    all = connections({ abort: cut.signal });
    await open().find('/api/cloud/', 'edge');
    cut.abort();
    await all.close();
    expect(controller.sessions).to.deep.equal([]);
  });

  it('never shows cookies, tokens or the password', async () => {
    const [exchanges, secrets] = [new Array<Exchange>(), new Secrets()];
    all = connections({ onRequest: (exchange) => exchanges.push(exchange), bodies: true, secrets });
    const session = open();
    await session.create('/api/cloud/', 'edge', { name: 'edge' });
    const cookies = [...(controller.asked[1]?.headers.cookie ?? '').matchAll(/=([^;]+)/g)].map(
      ([, value = '']) => value,
    );
    expect(cookies).to.have.length(3);
    controller.before = ({ headers }) => ({ status: 400, body: { error: `you sent ${JSON.stringify(headers)}` } });
    const error = await errorOf(session.find('/api/cloud/', 'edge'));
    const shown = inspect([error, session], { depth: 6 }) + error.message;
    for (const secret of [...cookies, PASSWORD]) {
      expect(error.message).not.to.include(secret);
      expect(secrets.mask(`a ${secret} b`)).to.equal('a ******** b');
      expect(JSON.stringify(exchanges.slice(0, 2))).not.to.include(secret);
    }
    expect(shown).to.include('********');
    expect(exchanges[0])
      .to.include({ method: 'POST', status: 200 })
      .and.not.have.any.keys('requestBody', 'responseBody');
  });

  it('is not used for controllers with Basic authentication', async () => {
    const server = await RudeServer.start((socket) => socket.write(EMPTY_LIST));
    await all.open(settingsOf(server.url, server.certificate.ca)).find('/api/cloud/', 'edge');
    await all.close();
    expect(server.requests).to.have.length(1);
    await server.close();
  });
});
