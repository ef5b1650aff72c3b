import { expect } from 'chai';
import fc from 'fast-check';
import { StoredValue, storing } from '../../../../src/core/model/values/stored.js';
import {
  isList,
  isMapping,
  LazyMapping,
  Unsafe,
  Vaulted,
  type Value,
} from '../../../../src/core/model/values/value.js';
import { decode, encode } from '../../../../src/core/model/values/value_codec.js';
import { anyText } from '../../../rig/any_text.js';

const KEY = fc.oneof(fc.string(), fc.constantFrom('$', '__proto__', 'constructor', 'toString', ''));
const { value: VALUES } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<Value>(
      null,
      true,
      false,
      NaN,
      Infinity,
      -Infinity,
      -0,
      0,
      1.5,
      1e20,
      2 ** 53,
      6.161843400996529e16,
    ),
    fc.double(),
    fc.integer(),
    anyText(),
    fc.string().map((text) => new Unsafe(text)),
    fc.array(tie('value')),
    fc.array(fc.tuple(KEY, tie('value'))).map((entries): Value => Object.fromEntries(entries)),
  ),
}));

/** Distinguishes -0 from 0, and data that must not be rendered from text. */
function isSame(a: Value, b: Value): boolean {
  if (a instanceof Unsafe) return b instanceof Unsafe && a.text === b.text;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, index) => isSame(one, b[index]!));
  if (!isMapping(a)) return Object.is(a, b);
  const keys = Object.keys(a);
  return isMapping(b) && String(keys) === String(Object.keys(b)) && keys.every((key) => isSame(a[key]!, b[key]!));
}

describe('the value codec', () => {
  it('restores every value', () => {
    fc.assert(
      fc.property(VALUES, (value) => {
        expect(isSame(value, decode(encode(value))), encode(value)).to.be.true;
      }),
      { numRuns: 500 },
    );
  });

  it('never changes the prototype of a restored value', () => {
    const value = decode('{"__proto__": {"polluted": true}, "$": ["mapping", [["__proto__", {"polluted": true}]]]}');
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    expect(Reflect.get({}, 'polluted')).to.be.undefined;
  });

  it('evaluates lazy values, and decrypts encrypted ones', () => {
    class Squares extends LazyMapping {
      get(key: string): Value {
        return Number(key) ** 2;
      }
      keys(): readonly string[] {
        return ['2', '3'];
      }
    }
    const source = () => ({ file: 'f', line: 1, column: 1 });
    const vaulted = new Vaulted('$ANSIBLE_VAULT…', source, () => 'open');
    const value = decode(encode({ squares: new Squares(), vaulted }));
    expect(isSame(value, { squares: { 2: 4, 3: 9 }, vaulted: new Unsafe('open') })).to.be.true;
  });

  it('writes of a stored value only the name of its file, and reads that when it is looked up', () => {
    const read: string[] = [];
    const stored = (digest: string, size: number) =>
      new StoredValue(digest, size, () => {
        read.push(digest);
        return `content of ${digest}`;
      });
    const value = storing([
      ['a', stored('one', 5)],
      ['b', 1],
    ]);
    const text = encode({ x: value });
    expect(text).to.equal('{"x":{"a":{"$":["stored","one",5]},"b":1}}');
    expect(encode({ y: stored('two', 6) })).to.equal('{"y":{"$":["stored","two",6]}}');
    const found: unknown[] = [];
    const find = (digest: string, size: number) => {
      found.push([digest, size]);
      return stored(digest, size);
    };
    const again = decode(text, find);
    expect([read, found]).to.deep.equal([[], [['one', 5]]]);
    expect(isMapping(again) && again['x']).to.deep.equal({ a: 'content of one', b: 1 });
    expect(read).to.deep.equal(['one']);
    expect(decode('[{"$":["stored","three",7]}]', find)).to.deep.equal(['content of three']);
    for (const wrong of [
      '["stored","one",5]',
      '["stored","one"]',
      '["stored",5,5]',
      '["other","x"]',
      '{}',
      '["unsafe",5]',
      '["number",5]',
      '["mapping",5]',
    ])
      expect(() => decode(`{"$":${wrong}}`, wrong === '["stored","one",5]' ? undefined : find), wrong).to.throw(
        SyntaxError,
        'a value has an unknown type',
      );
  });

  it('leaves out fields that are undefined', () => {
    expect(decode(encode({ a: undefined, b: 1 }))).to.deep.equal({ b: 1 });
  });

  for (const text of [
    '{"$": 1}',
    '{"$": ["unknown", 1]}',
    '{"$": ["mapping", [1]]}',
    '{"$": ["mapping", [["a"]]]}',
    '{',
  ]) {
    it(`refuses ${text}`, () => {
      expect(() => decode(text)).to.throw(SyntaxError);
    });
  }
});
