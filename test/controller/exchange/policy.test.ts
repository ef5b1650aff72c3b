import { expect } from 'chai';
import fc from 'fast-check';
import { pauseBefore, retryAfterMs } from '../../../src/controller/exchange/policy.js';

const POLICY = { attempts: 5, baseMs: 500, capMs: 8000, deadlineSeconds: 60 };
const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the pause before the next attempt', () => {
  const pause = (attempts: number, random: number, elapsedMs = 0, pauseMs = 0) =>
    pauseBefore({ attempts, elapsedMs, pauseMs }, POLICY, random);

  it('doubles, and is random between half and all of that', () => {
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 0))).to.deep.equal([250, 500, 1000, 2000]);
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 1))).to.deep.equal([500, 1000, 2000, 4000]);
  });

  it('is at most the cap', () => {
    expect(pauseBefore({ attempts: 30, elapsedMs: 0, pauseMs: 0 }, { ...POLICY, attempts: 99 }, 1)).to.equal(8000);
  });

  it('lasts as long as the controller has asked for, even beyond the cap', () => {
    expect(pause(1, 0, 0, 20_000)).to.equal(20_000);
    expect(pause(1, 0, 0, 100)).to.equal(250);
  });

  it('does not exist after the last attempt, or beyond the deadline', () => {
    expect(pause(5, 0)).to.equal(undefined);
    expect(pause(1, 0, 59_900)).to.equal(undefined);
    expect(pause(1, 0, 0, 61_000)).to.equal(undefined);
  });

  it('never ends beyond the deadline, whatever a controller asks for', () => {
    const header = fc.option(fc.oneof(fc.string(), fc.integer().map(String)), { nil: undefined });
    const pauseMs = header.map((text) => retryAfterMs(text, NOW));
    const attempted = fc.record({ attempts: fc.nat(10), elapsedMs: fc.nat(100_000), pauseMs });
    fc.assert(
      fc.property(attempted, fc.double({ min: 0, max: 1, noNaN: true }), (so, random) => {
        const ms = pauseBefore(so, POLICY, random);
        expect(ms === undefined || (ms >= 0 && so.elapsedMs + ms <= 60_000)).to.equal(true);
      }),
    );
  });

  it('is the value of Retry-After, in seconds or as a date', () => {
    expect(retryAfterMs('20', NOW)).to.equal(20_000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', NOW)).to.equal(30_000);
  });

  it('ignores an invalid Retry-After', () => {
    for (const header of [undefined, '', 'soon', '-5', '1e9', 'Wed, 01 Jan 2020 00:00:00 GMT']) {
      expect(retryAfterMs(header, NOW), String(header)).to.equal(0);
    }
  });
});
