import { expect } from 'chai';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { basic } from '../../rig/raw_client.js';

describe('signing in to a strict simulated controller', () => {
  let lb1: AviController;

  beforeEach(async () => {
    lb1 = await startAviController();
  });

  afterEach(() => lb1.close());

  const error = (text: string): unknown => ({ error: text });
  const detail = (text: string): unknown => ({ detail: text });
  const pool = { name: 'web' };
  const withToken = (cookies: readonly string[], token: string | undefined): string =>
    [...cookies, ...(token === undefined ? [] : [`csrftoken=${token}`])].join('; ');

  it('returns a session, and shows the version', async () => {
    const reply = await lb1.client.login();
    expect(reply.status).to.equal(200);
    expect(reply.json()).to.deep.equal({
      version: { Version: '22.1.3' },
      user: { username: 'admin' },
      session_cookie_name: 'avi-sessionid',
    });
    const names = [reply.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split('=')[0]);
    expect(names).to.deep.equal(['csrftoken', 'avi-sessionid', 'sessionid']);
  });

  it('returns the same session if the answer is slow', async () => {
    lb1.controller.behaviour = { faults: [{ type: 'trickle', milliseconds: 1, part: 'headers' }] };
    const client = lb1.connect();
    expect((await client.login()).headers['set-cookie']).to.have.lengthOf(3);
    expect((await client.send('GET', '/api/pool')).status).to.equal(200);
  });

  it('accepts credentials as JSON as well', async () => {
    const client = lb1.connect();
    const body = { username: 'admin', password: 'simulated' };
    expect((await client.send('POST', '/login', body)).status).to.equal(200);
  });

  it('answers 401 without a session, and with Basic authentication, which is off by default', async () => {
    const client = lb1.connect();
    const without = await client.send('GET', '/api/pool');
    expect(without.status).to.equal(401);
    expect(without.json()).to.deep.equal(detail('Authentication credentials were not provided.'));
    const authorization = basic('admin', 'simulated');
    const withBasic = await client.send('GET', '/api/pool', undefined, { authorization });
    expect(withBasic.status).to.equal(401);
    expect(withBasic.text).to.include('Basic authentication is disabled');
  });

  it('accepts Basic authentication once the system configuration allows it', async () => {
    const patch = { add: { portal_configuration: { allow_basic_authentication: true } } };
    await lb1.client.object('PATCH', '/api/systemconfiguration', patch);
    const headers = { authorization: basic('admin', 'simulated'), cookie: '', referer: undefined };
    expect((await lb1.connect().send('POST', '/api/pool', pool, headers)).status).to.equal(201);
  });

  for (const [what, headers, problem] of [
    ['no CSRF token', { 'x-csrftoken': undefined }, 'CSRF token missing or incorrect.'],
    ['a wrong CSRF token', { 'x-csrftoken': 'x' }, 'CSRF token missing or incorrect.'],
    ['no CSRF cookie', { csrftoken: undefined }, 'CSRF token missing or incorrect.'],
    ['a wrong CSRF cookie', { csrftoken: 'x' }, 'CSRF token missing or incorrect.'],
    ['no Referer', { referer: undefined }, 'Referer checking failed - no Referer.'],
    [
      'a foreign Referer',
      { referer: 'https://elsewhere.example/' },
      'Referer checking failed - https://elsewhere.example/ does not match any trusted origins.',
    ],
  ] as const) {
    it(`rejects a write with ${what}, but not a read`, async () => {
      const cookies = lb1.client.cookies.split('; ').filter((pair) => !pair.startsWith('csrftoken='));
      const changed = { ...headers, ...('csrftoken' in headers && { cookie: withToken(cookies, headers.csrftoken) }) };
      const { status, json } = await lb1.client.send('POST', '/api/pool', pool, changed);
      expect(status).to.equal(403);
      expect(json()).to.deep.equal(detail(`CSRF Failed: ${problem}`));
      expect((await lb1.client.send('GET', '/api/pool', undefined, changed)).status).to.equal(200);
    });
  }

  it('ends a session on logout', async () => {
    expect((await lb1.client.send('POST', '/logout')).status).to.equal(200);
    expect((await lb1.client.send('GET', '/api/pool')).status).to.equal(401);
  });

  it('ends only the session that signs out, of two users and of one', async () => {
    await lb1.client.object('POST', '/api/user', { name: 'ops', username: 'ops', password: 'of ops' });
    const [admin, ops, other] = [lb1.connect(), lb1.connect(), lb1.connect()];
    await admin.login();
    for (const client of [ops, other]) await client.login('ops', 'of ops');
    const get = async (): Promise<readonly number[]> => {
      const all = [lb1.client, admin, ops, other];
      return Promise.all(all.map(async (client) => (await client.send('GET', '/api/pool')).status));
    };
    expect(await get()).to.deep.equal([200, 200, 200, 200]);
    expect((await ops.send('POST', '/logout')).status).to.equal(200);
    expect(await get()).to.deep.equal([200, 200, 401, 200]);
    expect((await admin.send('POST', '/logout')).status).to.equal(200);
    expect(await get()).to.deep.equal([200, 401, 401, 200]);
    expect((await other.send('POST', '/api/pool', pool)).status).to.equal(201);
  });

  it('ends by idleness only the sessions that are not used', async () => {
    const TIMEOUT = 400;
    const [used, idle] = [lb1.connect(), lb1.connect()];
    const get = async (client: typeof used) => (await client.send('GET', '/api/pool')).status;
    let statuses: number[];
    let longest: number;
    do {
      lb1.controller.behaviour = {};
      for (const client of [used, idle]) await client.login();
      lb1.controller.behaviour = { session_timeout: TIMEOUT, latency: 50 };
      [statuses, longest] = [[], 0];
      const began = performance.now();
      for (let last = began; performance.now() - began < 2 * TIMEOUT;) {
        statuses.push(await get(used));
        [last, longest] = [performance.now(), Math.max(longest, performance.now() - last)];
      }
      // A busy machine may leave the session idle for too long: then once more.
    } while (longest >= TIMEOUT);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await get(idle)).to.equal(401);
    lb1.controller.behaviour = {};
    expect(await get(idle)).to.equal(401);
  });

  it('ends a session that was idle too long, and all sessions by a fault', async () => {
    lb1.controller.behaviour = { session_timeout: 0 };
    expect((await lb1.client.send('GET', '/api/pool')).status).to.equal(401);
    lb1.controller.behaviour = { faults: [{ type: 'expire', when: { path: '/api/pool', nth: 2 } }] };
    await lb1.client.login();
    expect((await lb1.client.send('GET', '/api/pool')).status).to.equal(200);
    expect((await lb1.client.send('GET', '/api/pool')).status).to.equal(401);
    await lb1.client.login();
    expect((await lb1.client.send('GET', '/api/pool')).status).to.equal(200);
  });

  it('locks an account after three wrong passwords, even for the right one', async () => {
    const client = lb1.connect();
    for (const attempt of [1, 2, 3]) {
      const reply = await client.login('admin', `wrong ${attempt}`);
      expect(reply.status).to.equal(401);
      expect(reply.json()).to.deep.equal(error('Invalid credentials'));
    }
    const reply = await client.login();
    expect(reply.status).to.equal(401);
    expect(reply.json()).to.deep.equal(error('Account is locked after too many failed logins'));
    expect((await lb1.client.send('GET', '/api/pool')).status).to.equal(200);
  });

  it('signs in users that were created as objects', async () => {
    await lb1.client.object('POST', '/api/user', { name: 'ops', username: 'ops', password: 'of ops' });
    expect((await lb1.connect().login('ops', 'of ops')).status).to.equal(200);
  });

  it('rejects a newer version than its own, and accepts older ones and none', async () => {
    const get = (version: string | undefined) =>
      lb1.client.send('GET', '/api/pool', undefined, { 'x-avi-version': version });
    const newer = await get('23.1.1');
    expect(newer.status).to.equal(400);
    expect(newer.text).to.include('Invalid version 23.1.1 in header X-Avi-Version. Supported upto 22.1.3.');
    expect((await get('20.1.4')).status).to.equal(200);
    expect((await get(undefined)).status).to.equal(200);
  });

  it('shows its version without a sign-in', async () => {
    const { json } = await lb1.connect().send('GET', '/api/initial-data');
    expect(json()).to.deep.equal({ version: { Version: '22.1.3' }, user_initialized: true });
  });
});

describe('the first boot of a strict simulated controller', () => {
  let lb1: AviController;

  beforeEach(async () => {
    lb1 = await startAviController({ first_boot: { password: 'factory default' } });
  });

  afterEach(() => lb1.close());

  const change = { username: 'admin', password: 'new', old_password: 'factory default' };

  it('knows only the default password, and refuses writes until it is changed', async () => {
    const { client } = lb1;
    expect((await client.login('admin', 'simulated')).status).to.equal(401);
    expect((await client.login('admin', 'factory default')).status).to.equal(200);
    expect((await client.send('GET', '/api/cloud')).status).to.equal(200);
    const refused = await client.send('POST', '/api/pool', { name: 'web' });
    expect(refused.status).to.equal(403);
    expect(refused.text).to.include('The default password must be changed first');
    expect((await client.send('PUT', '/api/useraccount', change)).status).to.equal(200);
    expect((await client.send('POST', '/api/pool', { name: 'web' })).status).to.equal(201);
  });

  it('knows only the new password once it is changed', async () => {
    await lb1.client.login('admin', 'factory default');
    await lb1.client.send('PUT', '/api/useraccount', change);
    expect((await lb1.connect().login('admin', 'factory default')).status).to.equal(401);
    expect((await lb1.connect().login('admin', 'new')).status).to.equal(200);
  });

  it('refuses a change that does not know the old password', async () => {
    await lb1.client.login('admin', 'factory default');
    const { status, json } = await lb1.client.send('PUT', '/api/useraccount', { ...change, old_password: 'x' });
    expect(status).to.equal(400);
    expect(json()).to.deep.equal({ error: 'old_password is wrong.' });
  });
});
