import { expect } from 'chai';
import fc from 'fast-check';
import { pauseBefore, retryAfterMs } from '../../../src/controller/exchange/policy.js';

const POLICY = { attempts: Infinity, baseMs: 500, capMs: 8000, deadlineSeconds: 60 };
const PATIENCE = 15_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the pause before the next attempt', () => {
  const pause = (attempts: number, random: number, failingMs = 0, more = { pauseMs: 0, askedMs: 0 }) =>
    pauseBefore({ attempts, failingMs, ...more }, POLICY, PATIENCE, random);
  const asked = (ms: number) => ({ pauseMs: ms, askedMs: ms });

  it('doubles, and is random between half and all of that', () => {
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 0))).to.deep.equal([250, 500, 1000, 2000]);
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 1))).to.deep.equal([500, 1000, 2000, 4000]);
  });

  it('is at most the cap', () => {
    expect(pause(30, 1)).to.equal(8000);
  });

  it('lasts as long as other requests to the controller must wait', () => {
    expect(pause(1, 0, 0, { pauseMs: 3000, askedMs: 0 })).to.equal(3000);
    expect(pause(1, 0, 0, { pauseMs: 100, askedMs: 0 })).to.equal(250);
  });

  it('ends with the patience, so that the last attempt is there, and then there is none', () => {
    expect(pause(6, 1, 9000)).to.equal(6000);
    expect(pause(6, 1, 9000, { pauseMs: 20_000, askedMs: 0 })).to.equal(6000);
    expect(pause(7, 1, 14_999)).to.equal(undefined);
    expect(pause(1, 0, 15_000, asked(1000))).to.equal(undefined);
    expect(pauseBefore({ attempts: 1, failingMs: 0, ...asked(0) }, POLICY, 0, 1)).to.equal(undefined);
  });

  it('lasts as long as the controller has asked for, also beyond the cap and the patience, but not the deadline', () => {
    expect(pause(1, 0, 0, asked(9_000))).to.equal(9_000);
    expect(pause(1, 0, 0, asked(20_000))).to.equal(20_000);
    expect(pause(1, 0, 0, asked(61_000))).to.equal(undefined);
    expect(pause(3, 0, 14_000, asked(47_000))).to.equal(undefined);
    const hour = 3_600_000;
    expect(pauseBefore({ attempts: 1, failingMs: 0, ...asked(61_000) }, POLICY, hour, 0)).to.equal(undefined);
    expect(pauseBefore({ attempts: 9, failingMs: 70_000, ...asked(50_000) }, POLICY, hour, 0)).to.equal(50_000);
  });

  it('makes a request fail at the end of the patience, or of the deadline if a controller asks for that', () => {
    const header = fc.option(fc.oneof(fc.string(), fc.integer().map(String)), { nil: undefined });
    const askedMs = header.map((text) => retryAfterMs(text, NOW));
    const attempted = fc
      .record({
        attempts: fc.integer({ min: 1, max: 10 }),
        failingMs: fc.nat(100_000),
        pauseMs: fc.nat(100_000),
        askedMs,
      })
      // What the controller asked for is a part of the pause.
      .map((so) => ({ ...so, pauseMs: Math.max(so.pauseMs, so.askedMs) }));
    fc.assert(
      fc.property(attempted, fc.nat(100_000), fc.double({ min: 0, max: 1, noNaN: true }), (so, patience, random) => {
        const ms = pauseBefore(so, POLICY, patience, random);
        if (ms === undefined) return;
        expect(ms).to.be.within(so.askedMs, 100_000);
        expect(so.failingMs + ms).to.be.at.most(so.askedMs > 0 ? Math.max(patience, 60_000) : patience);
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
