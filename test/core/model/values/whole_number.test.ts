import { expect } from 'chai';
import fc from 'fast-check';
import { jsonText, parseJson } from '../../../../src/core/model/values/json.js';
import { isReadBack, isWhole, toWholeNumber, wholeNumber } from '../../../../src/core/model/values/whole_number.js';
import { pythonNumber } from '../../../../src/language/python/representation.js';
import { SEED } from '../../../rig/random_seed.js';

/** Also numbers that a double holds, but with other digits: 61618434009965290 is 61618434009965288. */
const whole = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: 0n, max: 2n ** 11n }).map((some) => (some * 10n ** 16n) / 2n ** 4n),
  fc.constantFrom(61_618_434_009_965_290n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 10n ** 20n),
);

describe('whole numbers', () => {
  it('keep all digits, computed and written', () => {
    fc.assert(
      fc.property(whole, (value) => {
        const held = toWholeNumber(value);
        expect(BigInt(held)).to.equal(value);
        expect(wholeNumber(String(value))).to.equal(held);
        expect(isWhole(held)).to.equal(true);
        expect(pythonNumber(held)).to.equal(String(value));
        expect(jsonText([held])).to.equal(`[${value}]`);
        expect(parseJson(`[${value}]`)).to.deep.equal([held]);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('are not the large numbers that were written as fractions', () => {
    expect(isWhole(6.161843400996529e16)).to.equal(false);
    expect(pythonNumber(6.161843400996529e16)).to.equal('6.161843400996529e+16');
    const numbers = [0, -1, 1.5, 1e-7, 2 ** 53, 1e21, -0, 1e20, 6.161843400996529e16, NaN, Infinity];
    expect(numbers.filter(isReadBack)).to.deep.equal([0, -1, 1.5, 1e-7, 2 ** 53, 1e21]);
  });
});
