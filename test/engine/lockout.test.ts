import { expect } from 'chai';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import { runText, type Ran } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const LOCKS = `
- hosts: fleet
  tasks:
    - name: lock
      system_config: { allow_lockout: true, portal_configuration: { allow_basic_authentication: false } }
    - { name: next, cloud_present: { name: edge } }
`;
const PUT = { method: 'PUT', path: '/api/systemconfiguration' };
const READS = { method: 'GET', path: '/api/systemconfiguration', after: 1 };

/** `allow_lockout`: the task asked for a controller that accepts no sign-in, so losing it is not a failure. */
describe('a run that locks itself out', () => {
  let fleet: Fleet;
  const start = async (behaviour: Behaviour, controllers = 1): Promise<void> => {
    fleet = await startFleet({ controllers, behaviour });
  };
  const roll = (playbook = LOCKS, options: Parameters<typeof runText>[1] = {}): Promise<Ran> =>
    runText(playbook, { inventory: fleet.inventory, ...options });
  const writes = () => fleet.controller('lb1').requests.filter(({ method }) => method !== 'GET').length;
  const system = () => fleet.controller('lb1').object('/api/systemconfiguration')['portal_configuration'];
  afterEach(() => fleet.dispose());

  const losses: readonly [string, Behaviour][] = [
    ['401 at the verification', {}],
    ['a redirect at the verification', { faults: [{ type: 'redirect', when: READS }] }],
    ['a lost connection at the verification', { faults: [{ type: 'drop', when: READS }] }],
    [
      'a reply that is lost, and 401 from then on',
      { faults: [{ type: 'drop', applied: true, when: { ...PUT, nth: 1 } }] },
    ],
    ['a reply that is cut off, and 401 from then on', { faults: [{ type: 'cut', when: { ...PUT, nth: 1 } }] }],
    [
      'a reply that is lost, and a redirect from then on',
      {
        faults: [
          { type: 'drop', applied: true, when: { ...PUT, nth: 1 } },
          { type: 'redirect', when: PUT },
        ],
      },
    ],
    ['replies that are all lost', { faults: [{ type: 'drop', applied: true, when: PUT }] }],
  ];
  for (const [what, behaviour] of losses) {
    it(`succeeds, and sends nothing more to that controller: ${what}`, async () => {
      await start(behaviour);
      const { tasks, finished } = await roll();
      expect(tasks[0]).to.deep.include({ status: 'changed', message: 'applied, unverifiable' });
      expect(tasks[1]).to.deep.include({
        status: 'unreachable',
        message:
          'GET /api/cloud/?name=edge: not sent: this controller no longer accepts sign-ins, after a task with allow_lockout',
        hint: 'a task with allow_lockout changed the sign-in of this controller: no more requests are sent to it',
      });
      expect(system()).to.include({ allow_basic_authentication: false });
      expect(fleet.controller('lb1').requests.some(({ path }) => path === '/api/cloud/')).to.equal(false);
      expect(finished).to.deep.include({ status: 'unreachable', exitCode: 4 });
    });
  }

  it('succeeds also if the controller cannot show the object', async () => {
    await start({ unreadable: 405 });
    const { tasks } = await roll();
    expect(tasks[0]).to.deep.include({ status: 'changed', message: 'could not be compared' });
    expect(tasks[1]).to.deep.include({
      status: 'unreachable',
      message: 'GET /api/cloud/?name=edge: the controller cannot be reached after a write with allow_lockout',
    });
    expect(writes()).to.equal(1);
  });

  it('continues with the fleet: the 401 of a locked controller does not mean wrong credentials', async () => {
    await start({}, 6);
    const { tasks, finished } = await roll(LOCKS.replace(/ {4}- \{ name: next.*\n/, ''), { forks: 1 });
    expect(tasks.map(({ status, message }) => `${status}: ${message ?? ''}`)).to.deep.equal(
      fleet.names.map(() => 'changed: applied, unverifiable'),
    );
    expect(finished).to.deep.include({ status: 'ok', exitCode: 0, unstarted: [] });
  });

  it('fails if the controller rejected the request, and continues to contact that controller', async () => {
    await start({ faults: [{ type: 'answer', status: 422, body: { error: 'no' }, when: PUT }] });
    const { tasks } = await roll(LOCKS.replace('lock\n', 'lock\n      ignore_errors: true\n'));
    expect(tasks.map(({ status }) => status)).to.deep.equal(['failed', 'changed']);
    expect(tasks[0]?.message).to.equal('PUT /api/systemconfiguration: the controller answered 422: no');
  });

  it('makes the controller unreachable if the write is refused with 401', async () => {
    await start({ faults: [{ type: 'answer', status: 401, body: { error: 'no' }, when: PUT }] });
    const { tasks } = await roll();
    expect(tasks[0]).to.deep.include({
      status: 'unreachable',
      message: 'PUT /api/systemconfiguration: the controller answered 401: no',
    });
  });

  it('makes the controller unreachable without allow_lockout', async () => {
    await start({ faults: [{ type: 'drop', when: READS }] });
    const { tasks } = await roll(`
- hosts: fleet
  tasks:
    - system_config: { portal_configuration: { http_port: 8080 } }
`);
    expect(tasks[0]?.status).to.equal('unreachable');
    expect(tasks[0]?.message).to.match(
      /^written, but it could not be verified: GET \/api\/systemconfiguration: the connection/,
    );
  });

  it('verifies the write and continues if the controller still accepts the credentials', async () => {
    await start({});
    const { tasks } = await roll(LOCKS.replace('allow_basic_authentication: false', 'enable_https: false'));
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['changed', undefined],
      ['changed', undefined],
    ]);
  });

  it('succeeds with the generic module, too', async () => {
    await start({});
    const { tasks } = await roll(`
- hosts: fleet
  tasks:
    - resource_present:
        path: /api/systemconfiguration
        allow_lockout: true
        properties: { portal_configuration: { allow_basic_authentication: false } }
`);
    expect(tasks[0]).to.deep.include({ status: 'changed', message: 'applied, unverifiable' });
  });
});
