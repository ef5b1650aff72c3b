import { expect } from 'chai';
import type { Client } from '../../src/controller/client.js';
import { pingController } from '../../src/controller/ping.js';
import type { Session } from '../../src/controller/session.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { connections } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';
import { SessionController } from '../rig/session_controller.js';
import { SocksServer } from '../rig/socks_server.js';

/** As `ping` of the session, whose import would load the classes of errors once more. */
function pinged(session: Session) {
  const { collectionSlash } = session.settings.dialect;
  return pingController(Reflect.get(session, 'client') as Client, collectionSlash ? '/api/cloud/' : '/api/cloud');
}

describe('a ping of a controller', () => {
  const lb1 = new OneController({ patience: 0 });
  const { behave, wire } = lb1;
  const ping = (overrides: Partial<ConnectionSettings> = {}) => pinged(lb1.open(lb1.settings(overrides)));
  const AVI = DIALECTS.get('avi') ?? DEFAULT_DIALECT;

  it('has the facts of the connection and of the settings, after two requests', async () => {
    behave({ latency: 30 });
    const began = performance.now();
    const { tls, milliseconds, ...facts } = await ping();
    expect(milliseconds).to.be.within(29, performance.now() - began);
    expect(facts).to.deep.equal({
      address: '127.0.0.1',
      route: null,
      url: lb1.url,
      username: 'admin',
      sign_in: 'basic',
      api_version: '22.1.3',
      version: null,
      tenant: null,
      failure: null,
    });
    expect(tls?.issuer).to.match(/^Evenkeel simulator [0-9a-f-]{36}$/);
    expect(tls?.protocol).to.match(/^TLSv1\.[23]$/);
    expect(tls?.days_left).to.be.within(363, 365);
    expect(tls?.expires).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(Number.isInteger((milliseconds ?? 0.05) * 10)).to.equal(true);
    expect(lb1.simulated.requests.map(({ method, path, query }) => [method, path, query])).to.deep.equal([
      ...['GET', 'GET'].map((method) => [method, '/api/cloud/', { name: 'evenkeel-ping' }]),
    ]);
  });

  const answer = (status: number, body: unknown = 'no'): Fault => ({ type: 'answer', status, body });
  const steps: readonly (readonly [Fault, Partial<ConnectionSettings>, readonly unknown[]])[] = [
    [answer(401), {}, ['sign-in', 'the controller answered 401: no', 'unreachable']],
    [answer(400, 'bad Version'), {}, ['version', 'the controller answered 400: bad Version', 'failed']],
    [answer(400, 'bad'), {}, ['answer', 'the controller answered 400: bad', 'failed']],
    [answer(406, 'bad version'), {}, ['answer', 'the controller answered 406: bad version', 'failed']],
    [answer(404), {}, ['answer', 'the controller answered 404: no', 'failed']],
    [
      answer(404),
      { tenant: 'admin', dialect: { ...AVI, session: undefined } },
      ['tenant', 'the controller answered 404: no', 'failed'],
    ],
    [
      { type: 'drop' },
      {},
      ['answer', 'the connection to URL broke before the answer was complete (UND_ERR_SOCKET)', 'unreachable'],
    ],
    [{ type: 'hang' }, { timeout: 0.2 }, ['answer', 'no answer within 0.2 s', 'unreachable']],
    [
      answer(200, {}),
      {},
      [
        'answer',
        'the controller answered 200, but not with a list (an object whose "results" is a list of objects): {}',
        'failed',
      ],
    ],
  ];
  for (const [fault, settings, expected] of steps)
    it(`fails in a step: ${JSON.stringify(fault)}`, async () => {
      behave({ faults: [fault] });
      const { failure, milliseconds, version } = await ping(settings);
      expect([failure?.step, failure?.message.replace(lb1.url, 'URL'), failure?.status]).to.deep.equal(expected);
      const path = expected[0] === 'tenant' ? '/api/cloud' : '/api/cloud/';
      expect(failure?.error.message).to.equal(`GET ${path}?name=evenkeel-ping: ${failure?.message ?? ''}`);
      expect([milliseconds, version]).to.deep.equal([null, null]);
      expect(wire().length).to.be.at.least(1);
    });

  it('has the hint of the failure, or none', async () => {
    behave({ faults: [answer(403)] });
    expect((await ping()).failure?.hint).to.equal('the user "admin" is not allowed to do this');
    behave({ faults: [answer(500)] });
    expect((await ping()).failure?.hint).to.equal(null);
  });

  it('fails at its second request, without a time', async () => {
    behave({ faults: [{ type: 'answer', status: 500, body: 'late', when: { nth: 2 } }] });
    const { failure, milliseconds } = await ping();
    expect([failure?.message, milliseconds]).to.deep.equal(['the controller answered 500: late', null]);
  });

  it('fails before a connection is there', async () => {
    const { failure, tls, address } = await ping({ url: 'https://127.0.0.1:1' });
    expect([failure?.step, failure?.status, tls, address]).to.deep.equal(['TCP', 'unreachable', null, null]);
    const untrusting = await ping({ ca: undefined });
    expect([untrusting.failure?.step, untrusting.address]).to.deep.equal(['TLS', '127.0.0.1']);
    const proxied = await ping({ route: { name: 'madrid', proxies: ['socks5://127.0.0.1:1'] } });
    expect([proxied.failure?.step, proxied.address, proxied.route]).to.deep.equal(['route', null, 'route madrid']);
    expect(proxied.failure?.message).to.equal('route madrid: 127.0.0.1:1 refuses connections: is the tunnel up?');
  });

  it('fails on the way if its proxy may not reach the controller', async () => {
    const socks = await SocksServer.start({ refusal: 2 });
    const { failure } = await ping({ route: { name: 'madrid', proxies: [`socks5h://${socks.address}`] } });
    await socks.close();
    expect([failure?.step, failure?.status]).to.deep.equal(['route', 'unreachable']);
  });

  it('is over if the run is', async () => {
    const stopped = connections({ abort: AbortSignal.abort() });
    const error: unknown = await pinged(stopped.open(lb1.settings())).catch((reason: unknown) => reason);
    expect(String(error)).to.include('aborted because the run was interrupted');
    await stopped.close();
  });
});

describe('a ping of a controller with sessions', () => {
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
  const shows = (version: unknown) => {
    controller.before = ({ path }) => (path === '/api/initial-data' ? { status: 200, body: { version } } : undefined);
  };
  const ping = (overrides: Partial<ConnectionSettings> = {}) =>
    pinged(all.open(controller.settings({ patience: 0, ...overrides })));

  it('has the version that the controller shows, beside that of the settings', async () => {
    shows({ Version: '30.2.1' });
    expect(await ping()).to.deep.include({
      version: '30.2.1',
      api_version: '22.1.3',
      tenant: 'admin',
      sign_in: 'session',
      failure: null,
    });
    expect(await ping({ apiVersion: undefined })).to.deep.include({ version: '30.2.1', api_version: '30.2.1' });
  });

  it('looks for the dialect if nobody named it and the sign-in failed, and only then', async () => {
    const warnings: string[] = [];
    const assuming = connections({ onWarning: (message, name) => warnings.push(`${name}: ${message}`) });
    const generic = controller.settings({
      patience: 0,
      dialect: DEFAULT_DIALECT,
      auth: 'basic',
      tenant: undefined,
      isDialectAssumed: true,
    });
    shows({ Version: '30.2.1' });
    expect((await pinged(assuming.open(generic))).failure?.step).to.equal('sign-in');
    expect(warnings).to.deep.equal([
      'lb1: answers as controllers of the dialect avi do: add "controller_dialect: avi" to its variables',
    ]);
    const asked = (): number => controller.log.filter((line) => line.startsWith('GET /api/initial-data')).length;
    expect(asked()).to.equal(1);
    controller.before = () => ({ status: 500, body: { error: 'no' } });
    expect((await pinged(assuming.open({ ...generic, username: 'other' }))).failure?.step).to.equal('answer');
    expect(asked()).to.equal(1);
    await assuming.close();
  });

  it('fails at the sign-in, at the version or in the tenant', async () => {
    shows('none');
    const failed = async (overrides: Partial<ConnectionSettings>) => {
      const { failure } = await ping(overrides);
      return [failure?.step, failure?.message];
    };
    expect(await failed({ password: 'wrong' })).to.deep.equal([
      'sign-in',
      'the controller answered 401: Invalid credentials',
    ]);
    expect(await failed({ apiVersion: undefined })).to.deep.equal([
      'version',
      'the controller shows no version of three numbers',
    ]);
    expect(await failed({ apiVersion: '1' })).to.deep.equal([
      'version',
      'the controller answered 400: Invalid version',
    ]);
    expect(await failed({ tenant: 'acme' })).to.deep.equal([
      'tenant',
      'the controller has no tenant "acme", or hides it from this user',
    ]);
    expect(await failed({ password: 'wrong' })).to.deep.equal([
      'sign-in',
      'not sent: this controller has refused these credentials before',
    ]);
  });
});
