import { expect } from 'chai';
import fc from 'fast-check';
import { pauseBefore, retryAfterMs } from '../../src/controller/backoff.js';

const POLICY = { attempts: 5, baseMs: 500, capMs: 8000, deadlineSeconds: 60 };
const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the pause before the next attempt', () => {
  const pause = (attempts: number, random: number, elapsedMs = 0, retryAfter?: string) =>
    pauseBefore({ attempts, elapsedMs, retryAfter }, POLICY, random, NOW);

  it('doubles, between half and all of it', () => {
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 0))).to.deep.equal([250, 500, 1000, 2000]);
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 1))).to.deep.equal([500, 1000, 2000, 4000]);
  });

  it('is at most the cap', () => {
    expect(
      pauseBefore({ attempts: 30, elapsedMs: 0, retryAfter: undefined }, { ...POLICY, attempts: 99 }, 1, NOW),
    ).to.equal(8000);
  });

  it('is as long as the controller asks, also beyond the cap', () => {
    expect(pause(1, 0, 0, '20')).to.equal(20_000);
    expect(pause(1, 0, 0, 'Thu, 01 Jan 2026 00:00:30 GMT')).to.equal(30_000);
    expect(pause(1, 0, 0, '0')).to.equal(250);
  });

  it('is none after the last attempt, or beyond the deadline', () => {
    expect(pause(5, 0)).to.equal(undefined);
    expect(pause(1, 0, 59_900)).to.equal(undefined);
    expect(pause(1, 0, 0, '61')).to.equal(undefined);
  });

  it('never takes a run beyond the deadline, whatever a controller asks', () => {
    const header = fc.option(fc.oneof(fc.string(), fc.integer().map(String)), { nil: undefined });
    const attempted = fc.record({ attempts: fc.nat(10), elapsedMs: fc.nat(100_000), retryAfter: header });
    fc.assert(
      fc.property(attempted, fc.double({ min: 0, max: 1, noNaN: true }), (so, random) => {
        const ms = pauseBefore(so, POLICY, random, NOW);
        expect(ms === undefined || (ms >= 0 && so.elapsedMs + ms <= 60_000)).to.equal(true);
      }),
    );
  });

  it('ignores a Retry-After without sense', () => {
    for (const header of [undefined, '', 'soon', '-5', '1e9', 'Wed, 01 Jan 2020 00:00:00 GMT']) {
      expect(retryAfterMs(header, NOW), String(header)).to.equal(0);
    }
  });
});
