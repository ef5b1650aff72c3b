import { expect } from 'chai';
import type { Connections } from '../../src/controller/connections.js';
import type { Session } from '../../src/controller/session.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const PATH = '/api/cloud/cloud-1';
const DELETE = { method: 'DELETE' };

describe('deletions', () => {
  let fleet: Fleet;
  let all: Connections;
  let session: Session;

  before(async () => {
    fleet = await startFleet();
  });

  beforeEach(() => {
    all = connections();
    session = all.open(settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password, timeout: 0.5 }));
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1' }]);
    fleet.controller('lb1').behaviour = {};
    fleet.controller('lb1').clearRequests();
  });

  afterEach(() => all.close());
  after(() => fleet.dispose());

  const behave = (...faults: readonly Fault[]): void => {
    fleet.controller('lb1').behaviour = { faults: [...faults] };
  };
  const wire = () => fleet.controller('lb1').requests.map(({ method, status }) => `${method} ${status ?? 'lost'}`);

  it('send one DELETE without a body', async () => {
    await session.remove(PATH);
    expect(wire()).to.deep.equal(['DELETE 204']);
    expect(fleet.controller('lb1').requests[0]?.body).to.equal('');
    expect(fleet.controller('lb1').objects('/api/cloud/')).to.deep.equal([]);
  });

  it('are repeated, and take 404 for done, because an earlier request may have been carried out', async () => {
    behave({ type: 'drop', applied: true, when: { ...DELETE, nth: 1 } });
    await session.remove(PATH);
    expect(wire()).to.deep.equal(['DELETE lost', 'DELETE 404']);
  });

  for (const status of [429, 502, 503, 504]) {
    it(`are repeated after ${status}`, async () => {
      behave({ type: 'answer', status, when: { ...DELETE, nth: 1 } });
      await session.remove(PATH);
      expect(wire()).to.deep.equal([`DELETE ${status}`, 'DELETE 204']);
    });
  }

  const hints: readonly [number, string | undefined][] = [
    [400, undefined],
    [405, 'this controller does not delete such objects'],
    [501, 'this controller does not delete such objects'],
  ];
  for (const [status, hint] of hints) {
    it(`fail with ${status}`, async () => {
      behave({ type: 'answer', status, body: { error: 'no' }, when: DELETE });
      const error = await errorOf(session.remove(PATH));
      expect(error.message).to.equal(`DELETE ${PATH}: the controller answered ${status}: no`);
      expect(error.hint).to.equal(hint);
    });
  }
});
