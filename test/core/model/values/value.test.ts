import { expect } from 'chai';
import fc from 'fast-check';
import {
  compareNumbers,
  isNumeric,
  isReadBack,
  isWhole,
  parseJson,
  toWholeNumber,
  parseWholeNumber,
} from '../../../../src/core/model/values/json.js';
import {
  decodedUri,
  encodedPart,
  encodedPath,
  halfCharacter,
  isDecodable,
} from '../../../../src/core/model/values/uri.js';
import {
  displayNamed,
  jsonText,
  entry,
  isMapping,
  lazyEntries,
  LazyMapping,
  mapValues,
  parseFlag,
  readBoolean,
  Unsafe,
  valueAt,
} from '../../../../src/core/model/values/value.js';
import { compareVersions, VERSION } from '../../../../src/core/model/version.js';
import { pythonNumber } from '../../../../src/language/python/representation.js';
import { SEED } from '../../../rig/random_seed.js';

class Gaps extends LazyMapping {
  override get(key: string): number | undefined {
    return key === 'gap' ? undefined : 1;
  }
  override keys(): readonly string[] {
    return ['a', 'gap'];
  }
}

describe('values', () => {
  it('are true or false in any spelling of Ansible, in any case', () => {
    const [on, off] = ['true yes on 1 y t', 'false no off 0 n f'].map((words) => words.split(' '));
    for (const word of on ?? []) expect([parseFlag(word), parseFlag(word.toUpperCase())]).to.deep.equal([true, true]);
    for (const word of off ?? [])
      expect([parseFlag(word), parseFlag(word.toUpperCase())]).to.deep.equal([false, false]);
    expect([true, false, 1, 0, 1n].map(parseFlag)).to.deep.equal([true, false, true, false, true]);
    expect(['', 'tru', 2, null, ['yes'], new Unsafe('yes')].map(parseFlag)).to.deep.equal(Array(6).fill(undefined));
    expect(['true', 'YES', 'False', 'no', 'on', '1', 1, null].map(readBoolean)).to.deep.equal([
      true,
      true,
      false,
      false,
      'on',
      '1',
      1,
      null,
    ]);
  });

  it('are found at a path of names and places, unless they are inherited', () => {
    const value = { a: { list: [{ b: 1 }, { b: 2 }] }, 'x.y': 3 };
    expect(valueAt(value, 'a.list.1.b')).to.equal(2);
    expect(valueAt(value, ['a', 'list', 0, 'b'])).to.equal(1);
    expect(valueAt(value, ['x.y'])).to.equal(3);
    expect(valueAt(value, [])).to.equal(value);
    for (const path of ['a.list.2.b', 'a.constructor', 'a.list.b', 'x.y', 'a.list.0.b.c'])
      expect(valueAt(value, path), path).to.equal(undefined);
    expect([entry({ a: 1 }, 'a'), entry({ a: 1 }, 'toString'), entry({ a: 1 }, '__proto__')]).to.deep.equal([
      1,
      undefined,
      undefined,
    ]);
  });

  it('are mappings if they are neither lists, texts nor looked up', () => {
    expect([{}, [], null, 'a', undefined, new Unsafe('a'), new Gaps()].map(isMapping)).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(lazyEntries(new Gaps())).to.deep.equal([
      ['a', 1],
      ['gap', null],
    ]);
    expect(mapValues({ a: 1, b: 2 }, (value, name) => `${name}${value}`)).to.deep.equal({ a: 'a1', b: 'b2' });
    expect([displayNamed('x', 'text'), displayNamed('y', [1])]).to.deep.equal(['x: text', 'y: [\n  1\n]']);
  });

  it('are compared exactly if they are numbers of two types', () => {
    const numbers = [-(2n ** 70n), -1.5, 0, 1, 2 ** 53, 2n ** 53n + 1n, 2n ** 70n, Infinity];
    for (const [at, one] of numbers.entries())
      for (const [place, other] of numbers.entries())
        expect(Math.sign(compareNumbers(one, other)), `${one} ${other}`).to.equal(Math.sign(at - place));
    expect([compareNumbers(5n, 5), compareNumbers(5, 5n)]).to.deep.equal([0, 0]);
    expect([compareNumbers(NaN, 5n), compareNumbers(5n, NaN), compareNumbers(NaN, NaN)]).to.deep.equal([NaN, NaN, NaN]);
    expect([1, 1n, NaN, '1', null, true].map(isNumeric)).to.deep.equal([true, true, true, false, false, false]);
  });
});

describe('parts of addresses', () => {
  it('are encoded, and half characters replaced', () => {
    expect([encodedPart('a b/c?%'), encodedPart('\ud800x\udc00'), encodedPart('😀')]).to.deep.equal([
      'a%20b%2Fc%3F%25',
      '%EF%BF%BDx%EF%BF%BD',
      '%F0%9F%98%80',
    ]);
    expect([encodedPath('/api/a b/%2F?x=ä'), encodedPath('/\udc00')]).to.deep.equal([
      '/api/a%20b/%2F?x=%C3%A4',
      '/%EF%BF%BD',
    ]);
    expect([halfCharacter('a\ud800b\udc00'), halfCharacter('\udfff'), halfCharacter('a😀')]).to.deep.equal([
      String.raw`\ud800`,
      String.raw`\udfff`,
      undefined,
    ]);
  });

  it('are decoded if their escapes are well-formed', () => {
    expect(['a%20b', '%', '%ff', 'a'].map(isDecodable)).to.deep.equal([true, false, false, true]);
    expect(['a%20b%2F', '%', '%ff', 'a'].map(decodedUri)).to.deep.equal(['a b/', '%', '%ff', 'a']);
  });
});

describe('versions', () => {
  it('are compared number by number', () => {
    const order = ['9.9.9', '20.1.3', '20.1.10', '20.2.0', '21.0.0'];
    for (const [at, one] of order.entries())
      for (const [place, other] of order.entries())
        expect(Math.sign(compareVersions(one, other)), `${one} ${other}`).to.equal(Math.sign(at - place));
    expect([compareVersions('20.1', '20.1.0'), compareVersions('20.1.1', '20')]).to.deep.equal([0, 1]);
    expect(VERSION).to.equal('0.0.0-source');
  });
});

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
        expect(parseWholeNumber(String(value))).to.equal(held);
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
