import { expect } from 'chai';
import fc from 'fast-check';
import { TokenBucket } from '../../../src/controller/pace/request_gate.js';

/** When requests that arrive at `wanted` (milliseconds) may start. */
function beginnings(perSecond: number, wanted: readonly number[]): readonly number[] {
  const bucket = new TokenBucket();
  bucket.setRate(perSecond, 0);
  return wanted.map((now) => now + bucket.take(now));
}

describe('a token bucket', () => {
  it('does not delay without a rate', () => {
    const bucket = new TokenBucket();
    expect([1, 2, 3].map(() => bucket.take(0))).to.deep.equal([0, 0, 0]);
  });

  it('lets the requests of a fifth of a second start at once, and spaces the rest', () => {
    expect(beginnings(20, [0, 0, 0, 0, 0, 0])).to.deep.equal([0, 0, 0, 0, 50, 100]);
  });

  it('lets one start at once, however low the rate', () => {
    expect(beginnings(0.5, [0, 0, 0])).to.deep.equal([0, 2000, 4000]);
  });

  it('refills while idle, but not beyond its size', () => {
    expect(beginnings(10, [0, 0, 60_000, 60_000, 60_000])).to.deep.equal([0, 0, 60_000, 60_000, 60_100]);
  });

  it('changes to another rate, and to none', () => {
    const bucket = new TokenBucket();
    bucket.setRate(10, 0);
    expect([0, 0, 0].map((now) => bucket.take(now))).to.deep.equal([0, 0, 100]);
    bucket.setRate(1, 1000);
    expect([1000, 1000].map((now) => bucket.take(now))).to.deep.equal([0, 1000]);
    bucket.setRate(Infinity, 1000);
    expect(bucket.take(1000)).to.equal(0);
  });

  it('lets requests start one after the other without bursts', () => {
    const bucket = new TokenBucket();
    bucket.setRate(20, 0, false);
    expect([0, 0, 1000, 1000].map((now) => bucket.take(now))).to.deep.equal([0, 50, 0, 50]);
  });

  it('never lets more start than the rate and one burst allow', () => {
    const gaps = fc.array(fc.nat(500), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 100, noNaN: true }), gaps, (rate, waits) => {
        let now = 0;
        const began = beginnings(
          rate,
          waits.map((wait) => (now += wait)),
        );
        for (const [at, first] of began.entries()) {
          const inSecond = began.slice(at).filter((other) => other < first + 1000).length;
          expect(inSecond).to.be.at.most(Math.ceil(rate + Math.max(1, rate / 5) + 1e-6));
        }
      }),
    );
  });
});
