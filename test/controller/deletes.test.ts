import { expect } from 'chai';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { errorOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';

const PATH = '/api/cloud/cloud-1';
const DELETE = { method: 'DELETE' };

describe('deletions', () => {
  const lb1 = new OneController({ timeout: 0.5 });
  const { wire } = lb1;

  beforeEach(() => {
    lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1' }]);
  });

  const behave = (...faults: readonly Fault[]): void => {
    lb1.behave({ faults: [...faults] });
  };

  it('send one DELETE without a body', async () => {
    await lb1.session.remove(PATH);
    expect(wire()).to.deep.equal(['DELETE 204']);
    expect(lb1.simulated.requests[0]?.body).to.equal('');
    expect(lb1.simulated.objects('/api/cloud/')).to.deep.equal([]);
  });

  it('are repeated, and 404 counts as success, because an earlier request may have taken effect', async () => {
    behave({ type: 'drop', applied: true, when: { ...DELETE, nth: 1 } });
    await lb1.session.remove(PATH);
    expect(wire()).to.deep.equal(['DELETE lost', 'DELETE 404']);
  });

  for (const status of [429, 502, 503, 504]) {
    it(`are repeated after ${status}`, async () => {
      behave({ type: 'answer', status, when: { ...DELETE, nth: 1 } });
      await lb1.session.remove(PATH);
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
      const error = await errorOf(lb1.session.remove(PATH));
      expect(error.message).to.equal(`DELETE ${PATH}: the controller answered ${status}: no`);
      expect(error.hint).to.equal(hint);
    });
  }
});
