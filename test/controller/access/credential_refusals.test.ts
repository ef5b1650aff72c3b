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

  it('are sent to those that wait as soon as one accepts them, even while it still answers', async () => {
    const refusals = new CredentialRefusals();
    const started = await begun(refusals);
    expect(started).to.deep.equal(['lb1', 'lb2', 'lb3']);
    refusals.accept('admin', 'lb1');
    await nextTurn();
    expect(started).to.deep.equal(CONTROLLERS);
    expect(refusals.refuse('admin', 'lb4')).to.equal(false);
    refusals.accept('admin', 'lb1');
    for (const name of ['lb2', 'lb3']) expect(refusals.refuse('admin', name)).to.equal(false);
    expect(refusals.refuse('admin', 'lb5')).to.equal(true);
  });

  it('are sent to fewer controllers after each refusal, also if one has accepted them before', async () => {
    const refusals = new CredentialRefusals();
    refusals.accept('admin', 'another');
    refusals.refuse('admin', 'some');
    refusals.refuse('admin', 'other');
    expect(await begun(refusals)).to.deep.equal(['lb1']);
  });

  it('hold nobody up once three controllers in a row have refused them: what is asked then is not sent', async () => {
    const refusals = new CredentialRefusals();
    for (const name of ['some', 'other', 'third']) refusals.refuse('admin', name);
    expect(await begun(refusals)).to.deep.equal(CONTROLLERS);
  });

  it('are reported once, at the third controller in a row, and again after one has accepted them', () => {
    const refusals = new CredentialRefusals();
    const refused = () => CONTROLLERS.map((name) => refusals.refuse('admin', name));
    expect(refused()).to.deep.equal([false, false, true, false, false]);
    refusals.accept('admin', 'lb1');
    expect(refused()).to.deep.equal([false, false, true, false, false]);
  });

  it('are not sent again to a controller that has refused them, nor to others after three', () => {
    const refusals = new CredentialRefusals();
    const why = (controller: string, credentials = 'admin') => refusals.objection(credentials, controller);
    expect(why('lb1')).to.equal(undefined);
    refusals.refuse('admin', 'lb1');
    expect([why('lb1'), why('lb2'), why('lb1', 'other')]).to.deep.equal([
      'this controller has refused these credentials before',
      undefined,
      undefined,
    ]);
    refusals.accept('admin', 'lb5');
    for (const name of ['lb2', 'lb3']) refusals.refuse('admin', name);
    expect(why('lb4')).to.equal(undefined);
    refusals.refuse('admin', 'lb1');
    expect([why('lb4'), why('lb5')]).to.deep.equal([
      '3 controllers in a row have refused these credentials',
      undefined,
    ]);
    refusals.accept('admin', 'lb1');
    expect([why('lb1'), why('lb4')]).to.deep.equal([undefined, undefined]);
    refusals.refuseGuess('admin', 'lb9');
    expect([refusals.hasRefused('admin', 'lb9'), refusals.hasRefused('admin', 'lb1')]).to.deep.equal([true, false]);
    expect(refusals.hasRefused('other', 'lb9')).to.equal(false);
  });

  it('are tried by one request at a time of a controller, and by waiting ones when one has answered', async () => {
    const refusals = new CredentialRefusals();
    const log: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string) => async (): Promise<string> => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    };
    const tried = (controller: string, name: string) => refusals.tryInTurn('admin', controller, NEVER_REST, work(name));
    const [first, second] = [tried('lb1', 'one'), tried('lb1', 'two')];
    const others = ['lb2', 'lb3', 'lb4'].map((name) => tried(name, name));
    await nextTurn();
    expect(log).to.deep.equal(['one', 'lb2', 'lb3']);
    ends.get('one')?.();
    expect(await first).to.equal('one');
    await nextTurn();
    expect(log.length).to.equal(4);
    refusals.accept('admin', 'lb2');
    ends.get('lb2')?.();
    await others[0];
    await nextTurn();
    expect(log.toSorted()).to.deep.equal(['lb2', 'lb3', 'lb4', 'one', 'two']);
    for (const name of ['two', 'lb3', 'lb4']) ends.get(name)?.();
    expect([await second, await Promise.all(others)]).to.deep.equal(['two', ['lb2', 'lb3', 'lb4']]);
  });

  it('are tried again after a request that failed', async () => {
    const refusals = new CredentialRefusals();
    const failing = refusals.tryInTurn('admin', 'lb1', NEVER_REST, () => Promise.reject(new Error('no')));
    expect(await failing.catch((error: unknown) => String(error))).to.equal('Error: no');
    expect(await refusals.tryInTurn('admin', 'lb1', NEVER_REST, () => Promise.resolve('yes'))).to.equal('yes');
    expect(await begun(refusals)).to.deep.equal(['lb1', 'lb2', 'lb3']);
  });
});
