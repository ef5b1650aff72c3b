import { expect } from 'chai';
import { LockedOutError, Lockouts, notSent } from '../../../src/controller/access/lockouts.js';
import { ControllerError, type ErrorDetails } from '../../../src/controller/exchange/controller_error.js';

const WRITE = { method: 'PUT', path: '/api/systemconfiguration', repeatable: true } as const;
const READ = { ...WRITE, method: 'GET' } as const;

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
