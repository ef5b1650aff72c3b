import { expect } from 'chai';
import type { RetryPolicy } from '../../src/controller/exchange/policy.js';
import { DIALECTS } from '../../src/core/model/dialect.js';
import type { Value } from '../../src/core/model/values/value.js';
import { textOrEmpty } from '../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { connections, IMPATIENT, settingsOf } from '../rig/controllers.js';

describe('a raw PATCH to an object, whose answer is 503', () => {
  let lb1: AviController;
  let path: string;
  /** When the last request of each method had its answer, or was lost. */
  const answered = new Map<string, number>();
  beforeEach(async () => {
    lb1 = await startAviController();
    const { uuid } = await lb1.add('pool', { name: 'web', servers: [] });
    path = `/api/pool/${textOrEmpty(uuid)}`;
    lb1.controller.clearRequests();
  });
  afterEach(() => lb1.close());

  /** The status and the requests to the object, while the first answers to PATCH are 503. */
  async function patched(
    body: Value,
    faults: number,
    applied: boolean,
    { type = 'answer', retry = IMPATIENT }: { readonly type?: 'answer' | 'drop'; readonly retry?: RetryPolicy } = {},
  ): Promise<readonly unknown[]> {
    const when = { method: 'PATCH', path } as const;
    lb1.controller.behaviour = {
      faults: Array.from({ length: faults }, (_, at) => ({
        ...(type === 'drop' ? { type } : { type, status: 503 }),
        applied,
        when: { ...when, nth: at + 1 },
      })),
    };
    const all = connections({ retry, onRequest: ({ method }) => answered.set(method, performance.now()) });
    const dialect = DIALECTS.get('avi');
    if (dialect === undefined) throw new Error('no dialect');
    const given = { dialect, username: 'admin', password: 'simulated', apiVersion: '22.1.3', auth: 'session' } as const;
    const session = all.open(settingsOf(lb1.url, lb1.ca, given));
    try {
      const { status } = await session.request({ method: 'PATCH', path, body });
      const sent = lb1.controller.requests.filter((one) => one.path === path).map(({ method }) => method);
      return [status, sent.join(' ')];
    } finally {
      await all.close();
    }
  }

  const server = { ip: { type: 'V4', addr: '10.0.0.1' } };
  const servers = (): unknown => lb1.one('pool', 'web')['servers'];

  it('adds once if it took effect, which a look shows', async () => {
    expect(await patched({ add: { servers: [server] } }, 1, true)).to.deep.equal([200, 'PATCH GET']);
    expect(servers()).to.have.length(1);
  });

  it('adds again if it did not, as often as other requests are sent', async () => {
    expect(await patched({ add: { servers: [server] } }, 2, false)).to.deep.equal([200, 'PATCH GET PATCH GET PATCH']);
    expect(servers()).to.have.length(1);
    const { attempts } = IMPATIENT;
    lb1.controller.clearRequests();
    const [status, sent] = await patched({ add: { servers: [{ ip: { type: 'V4', addr: '10.0.0.2' } }] } }, 99, false);
    expect([status, sent]).to.deep.equal([503, 'PATCH GET '.repeat(attempts).trim()]);
  });

  it('looks after a pause if it was lost, too', async () => {
    const slow = { ...IMPATIENT, baseMs: 400, capMs: 400 };
    expect(await patched({ add: { servers: [server] } }, 1, true, { type: 'drop', retry: slow })).to.deep.equal([
      200,
      'PATCH GET',
    ]);
    expect((answered.get('GET') ?? 0) - (answered.get('PATCH') ?? 0)).to.be.above(195);
  });

  it('replaces again without a look', async () => {
    expect(await patched({ replace: { default_server_port: 81 } }, 2, false)).to.deep.equal([200, 'PATCH PATCH PATCH']);
  });
});
