import { expect } from 'chai';
import { lazyEntries, LazyMapping, Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { contains, equals, isTrue, order } from '../../../src/language/runtime/comparison.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import {
  asKey,
  asString,
  asText,
  characters,
  converted,
  countCharacters,
  describe as described,
  evaluateLazy,
  isUndefined,
  listKeys,
  OMIT,
  requireDefined,
  step,
  toListResult,
  Undefined,
  walk,
} from '../../../src/language/runtime/result.js';

class Lazy extends LazyMapping {
  constructor(private readonly entries: Readonly<Record<string, Value>>) {
    super();
  }

  override get(key: string): Value | undefined {
    return this.entries[key];
  }

  override keys(): Iterable<string> {
    return Object.keys(this.entries);
  }
}

const BIG = 12345678901234567890n;

/** The message and the hint of what is thrown. */
function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError)
      return error.hint === undefined ? error.message : `${error.message} — ${error.hint}`;
    throw error;
  }
  return 'nothing';
}

describe('A step into a value', () => {
  const rows: readonly (readonly [value: Value, part: string, found: Value | undefined])[] = [
    [{ a: 1 }, 'a', 1],
    [{ a: null }, 'a', null],
    [{ a: 1 }, 'b', undefined],
    [{}, 'constructor', undefined],
    [{}, 'length', undefined],
    [{ 0: 'x' }, '0', 'x'],
    [['x', 'y'], '0', 'x'],
    [['x', 'y'], '-1', 'y'],
    [['x', 'y'], '2', undefined],
    [['x', 'y'], '-3', undefined],
    [['x', 'y'], 'length', 2],
    [['x', 'y'], '0.5', undefined],
    [['x', 'y'], '1x', undefined],
    [['x', 'y'], '', undefined],
    [['x', 'y'], 'map', undefined],
    ['xyz', '1', 'y'],
    ['xyz', '-1', 'z'],
    ['xyz', 'length', 3],
    ['xyz', '3', undefined],
    ['xyz', 'trim', undefined],
    ['x😀z', '1', '😀'],
    ['x😀z', '-1', 'z'],
    ['x😀z', '2', 'z'],
    ['x😀z', 'length', 3],
    ['', 'length', 0],
    [7, 'length', undefined],
    [null, 'a', undefined],
    [true, '0', undefined],
    [new Unsafe('abc'), '0', undefined],
    [new Lazy({ a: 2 }), 'a', 2],
    [new Lazy({ a: 2 }), 'length', undefined],
  ];
  for (const [value, part, found] of rows)
    it(`${JSON.stringify(part)} of ${JSON.stringify(value)}`, () => expect(step(value, part)).to.deep.equal(found));

  it('follows another', () => {
    const value = { a: [{ b: 'xyz' }] };
    expect(walk(value, ['a', '0', 'b', '-1'])).to.equal('z');
    expect(walk(value, ['a', '1', 'b'])).to.equal(undefined);
    expect(walk(value, [])).to.equal(value);
    expect(walk({ a: null }, ['a'])).to.equal(null);
  });
});

describe('The keys of a value', () => {
  it('are those of mappings', () => {
    expect(listKeys({ a: 1, b: 2 })).to.deep.equal(['a', 'b']);
    expect(listKeys(new Lazy({ c: 1 }))).to.deep.equal(['c']);
    for (const value of [['x'], 'x', 1, null, new Unsafe('x')]) expect(listKeys(value)).to.deep.equal([]);
  });
});

describe('Lazy mappings', () => {
  it('are computed wherever they are', () => {
    const lazy = new Lazy({ a: new Lazy({ b: 1 }), c: [new Lazy({ d: 2 })] });
    const plain = { a: { b: 1 }, c: [{ d: 2 }] };
    expect(evaluateLazy(lazy)).to.deep.equal(plain);
    expect(evaluateLazy([[{ x: lazy }]])).to.deep.equal([[{ x: plain }]]);
    expect(evaluateLazy({ x: [lazy, 1], y: 2 })).to.deep.equal({ x: [plain, 1], y: 2 });
  });

  it('leave what holds none as it is', () => {
    const unsafe = new Unsafe('x');
    for (const value of [[1, [2]], { a: { b: 1 } }, unsafe]) expect(evaluateLazy(value)).to.equal(value);
  });

  it('have null for a key without a value', () => {
    class Empty extends Lazy {
      override get(): undefined {
        return undefined;
      }
    }
    expect(evaluateLazy(new Empty({ a: 1 }))).to.deep.equal({ a: null });
  });
});

describe('The characters of a text', () => {
  it('are those that Python counts', () => {
    expect(characters('a😀é')).to.deep.equal(['a', '😀', 'é']);
    expect(characters('ab')).to.deep.equal(['a', 'b']);
    expect(characters('')).to.deep.equal([]);
    expect(['a😀', 'ab', ''].map(countCharacters)).to.deep.equal([2, 2, 0]);
  });
});

describe('What is true', () => {
  const yes: readonly Value[] = [
    true,
    1,
    -1,
    BIG,
    'false',
    '0',
    ' ',
    [null],
    { a: null },
    new Unsafe(''),
    new Lazy({ a: 0 }),
  ];
  const no: readonly Value[] = [false, 0, -0, NaN, '', null, [], {}, new Lazy({}), OMIT];
  for (const [index, value] of yes.entries()) it(`yes ${index}`, () => expect(isTrue(value)).to.equal(true));
  for (const [index, value] of no.entries()) it(`no ${index}`, () => expect(isTrue(value)).to.equal(false));
});

describe('What is equal', () => {
  const rows: readonly (readonly [left: Value, right: Value, is: boolean])[] = [
    [1, 1, true],
    [1, true, true],
    [0, false, true],
    [2, true, false],
    [true, true, true],
    [true, false, false],
    ['1', 1, false],
    ['True', true, false],
    ['', false, false],
    ['', null, false],
    [null, null, true],
    [null, false, false],
    [null, 0, false],
    [BIG, BIG, true],
    [BIG, BIG + 1n, false],
    [2n, 2, true],
    [[], [], true],
    [[1, [2]], [1, [2]], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[null], [], false],
    [[], {}, false],
    [{}, [], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: true }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: null }, { b: null }, false],
    [{ a: 1 }, { a: 2 }, false],
    [{ constructor: 1 }, {}, false],
    [new Lazy({ a: 1 }), { a: 1 }, true],
    [{ a: [1] }, new Lazy({ a: [1] }), true],
    [new Lazy({ a: 1 }), { a: 2 }, false],
    [new Unsafe('x'), new Unsafe('x'), true],
    [new Unsafe('x'), new Unsafe('y'), false],
    [new Unsafe('x'), 'x', false],
  ];
  for (const [index, [left, right, is]] of rows.entries())
    it(`row ${index}: ${is}`, () => expect(equals(left, right)).to.equal(is));
});

describe('The order of values', () => {
  const rows: readonly (readonly [left: Value, right: Value, sign: number])[] = [
    [1, 2, -1],
    [2, 1, 1],
    [1, 1, 0],
    [true, 2, -1],
    [true, 1, 0],
    [false, true, -1],
    [BIG, BIG + 1n, -1],
    [BIG, 1.5, 1],
    ['a', 'b', -1],
    ['b', 'a', 1],
    ['a', 'a', 0],
    ['B', 'a', -1],
    ['10', '9', -1],
    [[1, 2], [1, 3], -1],
    [[1, 3], [1, 2], 1],
    [[1], [1, 2], -1],
    [[1, 2], [1], 1],
    [[1, 2], [1, 2], 0],
    [[], [], 0],
    [['a', { b: 1 }, 2], ['a', { b: 1 }, 1], 1],
    [[[2]], [[1, 9]], 1],
  ];
  for (const [index, [left, right, sign]] of rows.entries())
    it(`row ${index}: ${sign}`, () => expect(Math.sign(order(left, right))).to.equal(sign));

  const refused: readonly (readonly [left: Value, right: Value, message: string])[] = [
    ['1', 1, 'a text and the number 1 cannot be put in order — turn the text into a number first: value | int'],
    [1, 'x', 'the number 1 and a text cannot be put in order — turn the text into a number first: value | int'],
    [null, 1, 'null and the number 1 cannot be put in order'],
    [true, null, 'true and null cannot be put in order'],
    [{}, {}, 'a mapping and a mapping cannot be put in order'],
    [[1], 1, 'a list and the number 1 cannot be put in order'],
    [[{}], [{ a: 1 }], 'a mapping and a mapping cannot be put in order'],
  ];
  for (const [left, right, message] of refused)
    it(`is none: ${message}`, () => expect(refusal(() => order(left, right))).to.equal(message));
});

describe('What is in a value', () => {
  const rows: readonly (readonly [container: Value, item: Value, is: boolean])[] = [
    ['abc', 'bc', true],
    ['abc', 'cb', false],
    ['abc', '', true],
    [[1, 'a'], true, true],
    [[1, 'a'], '1', false],
    [[[1]], [1], true],
    [[], null, false],
    [[null], null, true],
    [{ a: 1 }, 'a', true],
    [{ a: null }, 'a', true],
    [{ a: 1 }, 1, false],
    [{ 1: 'x' }, 1, true],
    [{ true: 'x' }, true, true],
    [{ null: 'x' }, null, true],
    [{ a: 1 }, 'constructor', false],
    [{ '["a"]': 1 }, ['a'], false],
    [new Lazy({ a: 1 }), 'a', true],
    [new Lazy({ a: 1 }), 'b', false],
    [new Lazy({ 1: 'x' }), 1, false],
  ];
  for (const [index, [container, item, is]] of rows.entries())
    it(`row ${index}: ${is}`, () => expect(contains(container, item)).to.equal(is));

  it('is refused for what contains nothing', () => {
    expect(refusal(() => contains('1', 1))).to.equal(
      'a text can only contain a text, not the number 1 — write value | string',
    );
    expect(refusal(() => contains(12, 1))).to.equal(
      '"in" needs a list, a mapping or a text on its right, not the number 12',
    );
    expect(refusal(() => contains(null, 'a'))).to.equal(
      '"in" needs a list, a mapping or a text on its right, not null',
    );
  });
});

describe('A value as text', () => {
  const rows: readonly (readonly [value: Value, text: string, string: string, key: string])[] = [
    ['a', 'a', 'a', 'a'],
    [null, '', 'None', 'null'],
    [true, 'True', 'True', 'true'],
    [false, 'False', 'False', 'false'],
    [1, '1', '1', '1'],
    [1.5, '1.5', '1.5', '1.5'],
    [1e21, '1e+21', '1e+21', '1e+21'],
    [BIG, String(BIG), String(BIG), String(BIG)],
    [new Unsafe('{{ x }}'), '{{ x }}', '{{ x }}', '{{ x }}'],
    [new Lazy({ a: new Lazy({ b: 1 }) }), '{"a":{"b":1}}', '{"a":{"b":1}}', '{"a":{"b":1}}'],
  ];
  for (const [index, [value, text, string, key]] of rows.entries())
    it(`row ${index}: ${text}`, () =>
      expect([asText(value), asString(value), asKey(value)].map((one) => one.replaceAll(' ', ''))).to.deep.equal(
        [text, string, key].map((one) => one.replaceAll(' ', '')),
      ));

  it('is refused for a part of a text that is omitted', () => {
    const message = 'omit must be the whole value — omit must be the whole value: "{{x | default(omit)}}"';
    for (const to of [asText, asString, asKey]) expect(refusal(() => to(OMIT))).to.equal(message);
  });
});

describe('Text from a template', () => {
  const rows: readonly (readonly [text: string, value: Value])[] = [
    ['True', true],
    ['False', false],
    ['true', 'true'],
    ['None', 'None'],
    ['null', 'null'],
    ['1', '1'],
    [' True', ' True'],
    ['[1, 2]', [1, 2]],
    ["['a', None]", ['a', null]],
    ['[true]', [true]],
    ['{"a": null}', { a: null }],
    [' [1]', ' [1]'],
    ['[1', '[1'],
    ['{a: 1}', '{a: 1}'],
    ['(1, 2)', '(1, 2)'],
    ['', ''],
  ];
  for (const [text, value] of rows)
    it(`becomes ${JSON.stringify(value)}: ${JSON.stringify(text)}`, () => expect(converted(text)).to.deep.equal(value));
});

describe('A value in a message', () => {
  const rows: readonly (readonly [value: Value, words: string])[] = [
    [null, 'null'],
    [OMIT, 'omit'],
    ['hunter22-x', 'a text'],
    ['', 'an empty text'],
    [1.5, 'the number 1.5'],
    [BIG, `the number ${BIG}`],
    [true, 'true'],
    [false, 'false'],
    [new Unsafe('x'), 'a text'],
    [[], 'a list'],
    [{}, 'a mapping'],
    [new Lazy({}), 'a mapping'],
  ];
  for (const [value, words] of rows) it(words, () => expect(described(value)).to.equal(words));
});

describe('Something undefined', () => {
  const missing = (name: string, ...more: readonly [Value?, (readonly Value[])?]): Undefined =>
    new Undefined(() => new TemplateError(`"${name}" is undefined`), ...more);

  it('is so as a whole, unless it is a list', () => {
    expect(isUndefined(missing('a'))).to.equal(true);
    expect(isUndefined(missing('a', ''))).to.equal(true);
    expect(isUndefined(missing('a', undefined, []))).to.equal(false);
    expect(isUndefined(null)).to.equal(false);
  });

  it('is refused, unless something replaces it', () => {
    expect(refusal(() => requireDefined(missing('a')))).to.equal('"a" is undefined');
    expect(requireDefined(missing('a', ''))).to.equal('');
    expect(requireDefined(missing('a', null))).to.equal(null);
    expect(requireDefined(null)).to.equal(null);
    expect(requireDefined('x')).to.equal('x');
  });

  it('in a list is kept, and the first one explains it', () => {
    const items = ['x', missing('a'), missing('b')];
    const list = toListResult(items);
    expect(list).to.be.instanceOf(Undefined).and.have.property('items', items);
    expect(isUndefined(list)).to.equal(false);
    expect(refusal(() => requireDefined(list))).to.equal('"a" is undefined');
    const plain = ['x', null];
    expect(toListResult(plain)).to.equal(plain);
    expect(toListResult([])).to.deep.equal([]);
  });

  it('is not what is omitted, which has nothing in it', () => {
    expect(lazyEntries(OMIT)).to.deep.equal([]);
    expect(isUndefined(OMIT)).to.equal(false);
  });
});
