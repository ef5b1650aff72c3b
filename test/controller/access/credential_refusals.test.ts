import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { CredentialRefusals } from '../../../src/controller/access/credential_refusals.js';
import { NEVER_REST } from '../../../src/core/model/run/session.js';

const CONTROLLERS = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];

/** Starts work for all controllers that never ends; returns those whose work began without a time limit. */
async function begun(refusals: CredentialRefusals): Promise<readonly string[]> {
  const started: string[] = [];
  for (const name of CONTROLLERS) {
    void refusals.tryInTurn('admin', name, NEVER_REST, () => {
      started.push(name);
      return new Promise<never>(() => undefined);
    });
  }
  await nextTurn();
  return started;
}

describe('credentials that controllers may refuse', () => {
  it('are sent to three controllers at once until one accepts them', async () => {
    expect(await begun(new CredentialRefusals())).to.deep.equal(['lb1', 'lb2', 'lb3']);
  });

  it('are sent to all at once when one has accepted them', async () => {
    const refusals = new CredentialRefusals();
    refusals.accept('admin', 'another');
    expect(await begun(refusals)).to.deep.equal(CONTROLLERS);
  });

  it('are sent to fewer controllers after each refusal, also if one has accepted them before', async () => {
    const refusals = new CredentialRefusals();
    refusals.accept('admin', 'another');
    refusals.refuse('admin', 'some');
    refusals.refuse('admin', 'other');
    expect(await begun(refusals)).to.deep.equal(['lb1']);
  });

  it('are reported once, at the third controller in a row, and again after one has accepted them', () => {
    const refusals = new CredentialRefusals();
    const refused = () => CONTROLLERS.map((name) => refusals.refuse('admin', name));
    expect(refused()).to.deep.equal([false, false, true, false, false]);
    refusals.accept('admin', 'lb1');
    expect(refused()).to.deep.equal([false, false, true, false, false]);
  });
});
