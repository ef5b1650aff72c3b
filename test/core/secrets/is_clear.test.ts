import { expect } from 'chai';
import fc from 'fast-check';
import { Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { isClear, maskValue } from '../../../src/core/secrets/mask_value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';

const SECRET = 'hunter22!';
const secrets = new Secrets();
secrets.add(SECRET);

const KEYS = fc.oneof(
  fc.string(),
  fc.constantFrom('password', 'passwords', 'key', 'value', 'name', SECRET, '__proto__'),
);
const TEXTS = fc.constantFrom('', SECRET, `x${SECRET}`, '<sensitive>', 'mtu', 'token=abcdef', 'https://u:p@h/');
const { value: VALUES } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Value>(null, true, NaN, -0, Infinity, 1500),
    fc.string(),
    TEXTS,
    TEXTS.map((text) => new Unsafe(text)),
    fc.array(tie('value')),
    fc.array(fc.tuple(KEYS, tie('value'))).map((entries): Value => Object.fromEntries(entries)),
  ),
}));

describe('what is clear', () => {
  it('is what masking leaves unchanged, and JSON restores', () => {
    fc.assert(
      fc.property(VALUES, (value) => {
        if (!isClear(value, secrets)) return;
        expect(maskValue(value, secrets)).to.deep.equal(value);
        expect(JSON.parse(JSON.stringify(value))).to.deep.equal(value);
      }),
      { numRuns: 1000 },
    );
  });

  for (const [value, clear] of [
    [{ name: 'edge', mtu: 1500, list: [null, true, ''] }, true],
    [{ name: SECRET }, false],
    [{ [SECRET]: 1 }, false],
    [{ password: 'anything' }, false],
    [{ password: '' }, true],
    [{ password: '<sensitive>' }, true],
    [{ password: 1 }, false],
    [{ passwords: ['anything'] }, false],
    [{ key: 'password', value: 'anything' }, false],
    [{ key: 'mtu', value: 'anything' }, true],
    [{ ratio: NaN }, false],
    [{ zero: -0 }, false],
    [new Unsafe('text'), false],
  ] as const) {
    it(`${clear ? 'is' : 'is not'} ${JSON.stringify(value)}`, () => {
      expect(isClear(value, secrets)).to.equal(clear);
    });
  }

  it('excludes endless nesting', () => {
    let value: Value = 1;
    for (let depth = 0; depth < 200; depth++) value = [value];
    expect(isClear(value, secrets)).to.be.false;
  });
});
