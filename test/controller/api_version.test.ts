import { expect } from 'chai';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { WAIT_WITHOUT_FORKS } from '../../src/core/model/run/session.js';
import { connections, errorOf } from '../rig/controllers.js';
import { SessionController } from '../rig/session_controller.js';

const ASK = 'GET /api/initial-data @admin';
const shown = (version: unknown) => ({ status: 200, body: { version } });

describe('the API version of a controller that shows it', () => {
  let controller: SessionController;
  let all: ReturnType<typeof connections>;
  let reply: { status: number; body: unknown };

  beforeEach(async () => {
    controller = await SessionController.start();
    all = connections();
    reply = shown({ Version: '30.2.1', Product: 'controller' });
    controller.before = ({ path }) => (path === '/api/initial-data' ? reply : undefined);
  });

  afterEach(async () => {
    await all.close();
    await controller.close();
  });

  const open = (overrides: Partial<ConnectionSettings> = {}) =>
    all.open(controller.settings({ apiVersion: undefined, ...overrides }));
  const versions = (path: string) =>
    controller.asked.filter((asked) => asked.path.startsWith(path)).map(({ headers }) => headers['x-avi-version']);
  const asks = () => controller.log.filter((line) => line === ASK).length;

  it('is requested once, and sent with every later request', async () => {
    const session = open();
    await session.find('/api/cloud/', 'edge');
    await session.create('/api/cloud/', 'edge', { name: 'edge' });
    expect(controller.log).to.deep.equal([
      'POST /login',
      ASK,
      'GET /api/cloud?name=edge @admin',
      'POST /api/cloud @admin',
    ]);
    expect(versions('/api/cloud')).to.deep.equal(['30.2.1', '30.2.1']);
    expect([...versions('/login'), ...versions('/api/initial-data')]).to.deep.equal([undefined, undefined]);
  });

  it('is requested once for parallel requests, connections, aliases and tenants', async () => {
    const sessions = [open({ maxRequests: 4 }), open({ controller: 'alias' }), open({ tenant: 'blue' })];
    await Promise.all(sessions.flatMap((one) => ['a', 'b'].map((name) => one.find('/api/cloud/', name))));
    await open({ tenant: 'green' }).find('/api/cloud/', 'a');
    expect(asks()).to.equal(1);
    expect(new Set(versions('/api/cloud'))).to.deep.equal(new Set(['30.2.1']));
  });

  it('is not requested if it is set', async () => {
    await open({ apiVersion: '20.1.4' }).find('/api/cloud/', 'edge');
    expect(asks()).to.equal(0);
    expect(versions('/api/cloud')).to.deep.equal(['20.1.4']);
  });

  it('can be a text, and can have a patch after it', async () => {
    reply = shown('22.1.7-2p5');
    await open().find('/api/cloud/', 'edge');
    expect(versions('/api/cloud')).to.deep.equal(['22.1.7']);
  });

  it('does not prove a password, because it can be read without credentials', async () => {
    const refusals: number[] = [];
    all = connections({ onCredentialsRefused: () => refusals.push(1) });
    const session = open({ auth: 'basic', password: 'wrong-password' });
    expect((await errorOf(session.find('/api/cloud/', 'edge'))).outcome).to.equal('unreachable');
    const error = await errorOf(session.find('/api/cloud/', 'other'));
    expect(error.message).to.contain('not sent: this controller has refused these credentials before');
    expect(controller.log).to.deep.equal([ASK, 'GET /api/cloud?name=edge @admin']);
    expect(await session.signIn('another-guess')).to.equal(false);
    expect(asks()).to.equal(1);
  });

  const failures: readonly [string, { status: number; body: unknown }, string][] = [
    ['there is no such path', { status: 404, body: { error: 'no' } }, 'the controller answered 404: no'],
    ['it shows none', shown(undefined), 'the controller shows no version of three numbers'],
    ['it shows another text', shown({ Version: 'newest' }), 'the controller shows no version of three numbers'],
  ];
  for (const [what, answer, message] of failures)
    it(`fails the request, which is not sent, if ${what}`, async () => {
      reply = answer;
      const error = await errorOf(open().create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(error.message).to.contain('POST /api/cloud: cannot find out the API version: ').and.to.contain(message);
      expect(error).to.include({ outcome: 'failed', uncertain: false, hint: 'set controller_api_version' });
      expect(controller.log).to.deep.equal(['POST /login', ASK]);
    });

  it('is requested again after a temporary failure', async () => {
    const session = open();
    reply = { status: 503, body: { error: 'starting' } };
    const error = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
    expect(error).to.include({ outcome: 'failed', temporary: false, uncertain: false });
    reply = shown({ Version: '30.2.1' });
    await session.find('/api/cloud/', 'edge');
    expect(versions('/api/cloud')).to.deep.equal(['30.2.1']);
  });

  it('is requested by each user who needs it at once, so that the refusal of one does not fail another', async () => {
    controller.passwords.set('blue', 'of-blue');
    const sessions = [open({ controller: 'blue', username: 'blue', password: 'wrong' }), open()];
    const [blue, admin] = await Promise.allSettled(sessions.map((one) => one.find('/api/cloud/', 'edge')));
    expect([blue?.status, admin]).to.deep.equal(['rejected', { status: 'fulfilled', value: undefined }]);
  });

  it('is requested by who is patient, while another does not wait for the controller', async () => {
    controller.before = ({ path }) =>
      path !== '/api/initial-data' ? undefined : asks() === 1 ? { status: 503, body: {} } : reply;
    const sessions = [open().withWait(WAIT_WITHOUT_FORKS, false), open({ controller: 'alias' })];
    const [impatient, patient] = await Promise.allSettled(sessions.map((one) => one.find('/api/cloud/', 'edge')));
    expect([impatient?.status, patient]).to.deep.equal(['rejected', { status: 'fulfilled', value: undefined }]);
  });
});
