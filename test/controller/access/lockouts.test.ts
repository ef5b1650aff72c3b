import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { CredentialRefusals, LockedOutError, Lockouts, notSent } from '../../../src/controller/access/lockouts.js';
import { ControllerError, type ErrorDetails } from '../../../src/controller/exchange/call.js';
import { WAIT_WITHOUT_FORKS } from '../../../src/core/model/run/session.js';

const WRITE = { method: 'PUT', path: '/api/systemconfiguration', repeatable: true } as const;
const READ = { ...WRITE, method: 'GET' } as const;

const account = (controller: string) => ({ controller, username: 'admin' });
const reason = (names: string): string => `3 controllers in a row refused the credentials of user "admin" (${names})`;

describe('a write that may lock out', () => {
  const error = (details: ErrorDetails = {}) => new ControllerError(WRITE, 'no', details);
  const isLockout = (lockouts: Lockouts, details: ErrorDetails, call = WRITE as typeof WRITE | typeof READ) =>
    lockouts.judge('lb1', call, error(details)) instanceof LockedOutError;
  const written = (): Lockouts => {
    const lockouts = new Lockouts();
    lockouts.expect('lb1');
    lockouts.answered('lb1', WRITE, false);
    return lockouts;
  };

  it('is followed by a lockout if the controller cannot be reached, or another server answers', () => {
    for (const [details, expected] of [
      [{ outcome: 'unreachable' }, true],
      [{ status: 302 }, true],
      [{ status: 300 }, true],
      [{ status: 399 }, true],
      [{ status: 299 }, false],
      [{ status: 400 }, false],
      [{ status: 503 }, false],
      [{}, false],
      [{ outcome: 'unreachable', route: 'paris' }, false],
    ] as const)
      expect(isLockout(written(), details), JSON.stringify(details)).to.equal(expected);
  });

  it('is none before it was sent, or if it was refused, and of this controller only', () => {
    const expecting = new Lockouts();
    expecting.expect('lb1');
    expect([expecting.isExpected('lb1'), expecting.isExpected('lb2')]).to.deep.equal([true, false]);
    expect(isLockout(expecting, { outcome: 'unreachable' })).to.equal(false);
    expect(isLockout(expecting, { outcome: 'unreachable', uncertain: true }, READ)).to.equal(false);
    expect(isLockout(expecting, { outcome: 'unreachable', uncertain: true })).to.equal(true);
    expect([expecting.isLost('lb1'), expecting.isLost('lb2')]).to.deep.equal([true, false]);
    const refused = new Lockouts();
    refused.expect('lb1');
    refused.expect('lb2');
    refused.answered('lb1', READ, true);
    expect(refused.isExpected('lb1')).to.equal(true);
    refused.answered('lb1', WRITE, true);
    expect([refused.isExpected('lb1'), refused.isExpected('lb2')]).to.deep.equal([false, true]);
    expect(isLockout(refused, { outcome: 'unreachable' })).to.equal(false);
    const twice = written();
    twice.answered('lb1', WRITE, true);
    expect(isLockout(twice, { outcome: 'unreachable' })).to.equal(true);
    twice.answered('lb1', WRITE, true);
    expect(twice.isLost('lb1')).to.equal(true);
    const lost = written();
    expect(isLockout(lost, { outcome: 'unreachable' }, READ)).to.equal(true);
    lost.expect('lb1');
    expect(lost.isLost('lb1')).to.equal(true);
  });

  it('makes an error of its own, which says so, and keeps others as they are', () => {
    const lockouts = written();
    const [plain, lost] = [error(), error({ outcome: 'unreachable', uncertain: true })];
    expect(lockouts.judge('lb1', WRITE, plain)).to.equal(plain);
    expect(lockouts.judge('lb2', WRITE, lost)).to.equal(lost);
    const hint = 'a task with allow_lockout changed the sign-in of this controller: no more requests are sent to it';
    expect(lockouts.judge('lb1', WRITE, lost)).to.include({
      name: 'LockedOutError',
      outcome: 'unreachable',
      hint,
      uncertain: true,
      cause: lost,
      message: 'PUT /api/systemconfiguration: the controller cannot be reached after a write with allow_lockout',
    });
    expect(notSent(READ)).to.include({
      name: 'LockedOutError',
      outcome: 'unreachable',
      hint,
      uncertain: false,
      message:
        'GET /api/systemconfiguration: not sent: this controller no longer accepts sign-ins, after a task with allow_lockout',
    });
  });
});

const CONTROLLERS = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];

/** Starts work for all controllers that never ends; returns those whose work began without a time limit. */
async function begun(refusals: CredentialRefusals): Promise<readonly string[]> {
  const started: string[] = [];
  for (const name of CONTROLLERS) {
    void refusals.tried('admin').tryInTurn(name, WAIT_WITHOUT_FORKS, () => {
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
    refusals.tried('admin').accept('another');
    expect(await begun(refusals)).to.deep.equal(CONTROLLERS);
  });

  it('are sent to those that wait as soon as one accepts them, even while it still answers', async () => {
    const refusals = new CredentialRefusals();
    const started = await begun(refusals);
    expect(started).to.deep.equal(['lb1', 'lb2', 'lb3']);
    refusals.tried('admin').accept('lb1');
    await nextTurn();
    expect(started).to.deep.equal(CONTROLLERS);
    expect(refusals.tried('admin').refuse('lb4', account('lb4'))).to.equal(undefined);
    refusals.tried('admin').accept('lb1');
    for (const name of ['lb2', 'lb3']) expect(refusals.tried('admin').refuse(name, account(name))).to.equal(undefined);
    expect(refusals.tried('admin').refuse('lb5', account('lb5'))).to.equal(reason('lb2, lb3, lb5'));
  });

  it('are sent to fewer controllers after each refusal, also if one has accepted them before', async () => {
    const refusals = new CredentialRefusals();
    refusals.tried('admin').accept('another');
    refusals.tried('admin').refuse('some', account('some'));
    refusals.tried('admin').refuse('other', account('other'));
    expect(await begun(refusals)).to.deep.equal(['lb1']);
  });

  it('hold nobody up once three controllers in a row have refused them: what is asked then is not sent', async () => {
    const refusals = new CredentialRefusals();
    for (const name of ['some', 'other', 'third']) refusals.tried('admin').refuse(name, account(name));
    expect(await begun(refusals)).to.deep.equal(CONTROLLERS);
  });

  it('are reported once, at the third controller in a row, and again after one has accepted them', () => {
    const refusals = new CredentialRefusals();
    const refused = () => CONTROLLERS.map((name) => refusals.tried('admin').refuse(name, account(name)));
    expect(refused()).to.deep.equal([undefined, undefined, reason('lb1, lb2, lb3'), undefined, undefined]);
    refusals.tried('admin').accept('lb1');
    expect(refused()).to.deep.equal([undefined, undefined, reason('lb1, lb2, lb3'), undefined, undefined]);
  });

  it('are not sent again to a controller that has refused them, nor to others after three', () => {
    const refusals = new CredentialRefusals();
    const why = (controller: string, credentials = 'admin') => refusals.tried(credentials).objection(controller);
    expect(why('lb1')).to.equal(undefined);
    refusals.tried('admin').refuse('lb1', account('lb1'));
    expect([why('lb1'), why('lb2'), why('lb1', 'other')]).to.deep.equal([
      'this controller has refused these credentials before',
      undefined,
      undefined,
    ]);
    refusals.tried('admin').accept('lb5');
    for (const name of ['lb2', 'lb3']) refusals.tried('admin').refuse(name, account(name));
    expect(why('lb4')).to.equal(undefined);
    refusals.tried('admin').refuse('lb1', account('lb1'));
    expect([why('lb4'), why('lb5')]).to.deep.equal([
      '3 controllers in a row have refused these credentials',
      undefined,
    ]);
    refusals.tried('admin').accept('lb1');
    expect([why('lb1'), why('lb4')]).to.deep.equal([undefined, undefined]);
    refusals.tried('admin').refuseGuess('lb9');
    expect([
      refusals.tried('admin').objection('lb9') !== undefined,
      refusals.tried('admin').objection('lb1') !== undefined,
    ]).to.deep.equal([true, false]);
    expect(refusals.tried('other').objection('lb9')).to.equal(undefined);
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
    const tried = (controller: string, name: string) =>
      refusals.tried('admin').tryInTurn(controller, WAIT_WITHOUT_FORKS, work(name));
    const [first, second] = [tried('lb1', 'one'), tried('lb1', 'two')];
    const others = ['lb2', 'lb3', 'lb4'].map((name) => tried(name, name));
    await nextTurn();
    expect(log).to.deep.equal(['one', 'lb2', 'lb3']);
    ends.get('one')?.();
    expect(await first).to.equal('one');
    await nextTurn();
    expect(log.length).to.equal(4);
    refusals.tried('admin').accept('lb2');
    ends.get('lb2')?.();
    await others[0];
    await nextTurn();
    expect(log.toSorted()).to.deep.equal(['lb2', 'lb3', 'lb4', 'one', 'two']);
    for (const name of ['two', 'lb3', 'lb4']) ends.get(name)?.();
    expect([await second, await Promise.all(others)]).to.deep.equal(['two', ['lb2', 'lb3', 'lb4']]);
  });

  it('are tried again after a request that failed', async () => {
    const refusals = new CredentialRefusals();
    const failing = refusals.tried('admin').tryInTurn('lb1', WAIT_WITHOUT_FORKS, () => Promise.reject(new Error('no')));
    expect(await failing.catch((error: unknown) => String(error))).to.equal('Error: no');
    expect(await refusals.tried('admin').tryInTurn('lb1', WAIT_WITHOUT_FORKS, () => Promise.resolve('yes'))).to.equal(
      'yes',
    );
    expect(await begun(refusals)).to.deep.equal(['lb1', 'lb2', 'lb3']);
  });
});
