import { expect } from 'chai';
import { LazyMapping, Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { Wire, withObjectTexts } from '../../../src/language/plugins/wire.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { PythonObject } from '../../../src/language/runtime/plugins.js';
import { OMIT, Undefined, type Result } from '../../../src/language/runtime/result.js';

class Lazy extends LazyMapping {
  override get(key: string): Value | undefined {
    return key === 'a' ? [1n] : undefined;
  }

  override keys(): Iterable<string> {
    return ['a'];
  }
}

const missing = (name?: string): Undefined =>
  new Undefined(() => new TemplateError('gone', { ...(name !== undefined && { undefinedName: name }) }));

describe('A value on its way to Python', () => {
  const rows: readonly (readonly [value: Result, wire: unknown])[] = [
    [null, null],
    [true, true],
    [1.5, 1.5],
    ['{{ a }}', '{{ a }}'],
    [12345678901234567890n, { $: 'int', v: '12345678901234567890' }],
    [NaN, { $: 'float', v: 'nan' }],
    [Infinity, { $: 'float', v: 'inf' }],
    [-Infinity, { $: 'float', v: '-inf' }],
    [
      [1, [2n]],
      [1, [{ $: 'int', v: '2' }]],
    ],
    [{ a: { b: 2n } }, { a: { b: { $: 'int', v: '2' } } }],
    [
      { $: 'int', v: 1n },
      {
        $: 'dict',
        v: [
          ['$', 'int'],
          ['v', { $: 'int', v: '1' }],
        ],
      },
    ],
    [new Unsafe('{{ a }}'), '{{ a }}'],
    [new PythonObject('2024', 'pickled'), { $: 'object', v: 'pickled' }],
    [[new PythonObject('2024', 'pickled')], [{ $: 'object', v: 'pickled' }]],
    [new Lazy(), { a: [{ $: 'int', v: '1' }] }],
    [{ a: OMIT, b: [OMIT, 1] }, { b: [1] }],
    [missing('a.b'), { $: 'undefined', v: 'a.b' }],
    [missing(), { $: 'undefined', v: 'it' }],
    [new Undefined(() => new TemplateError('gone'), undefined, ['x', missing('y')]), ['x', { $: 'undefined', v: 'y' }]],
  ];
  for (const [index, [value, wire]] of rows.entries())
    it(`row ${index}: ${JSON.stringify(wire)}`, () => expect(new Wire().encode(value)).to.deep.equal(wire));

  it('cannot be omit alone', () => {
    expect(() => new Wire().encode(OMIT)).to.throw(TemplateError, 'omit must be the whole value');
  });
});

describe('A value from Python', () => {
  const pair = (key: unknown, value: unknown, name: unknown): readonly unknown[] => [key, value, name];
  const rows: readonly (readonly [wire: unknown, value: Value])[] = [
    [null, null],
    [false, false],
    ['a', 'a'],
    [1.5, 1.5],
    [undefined, null],
    [{ $: 'int', v: '5' }, 5],
    [{ $: 'int', v: '-12345678901234567890' }, -12345678901234567890n],
    [{ $: 'float', v: 'nan' }, NaN],
    [{ $: 'float', v: 'inf' }, Infinity],
    [{ $: 'float', v: '-inf' }, -Infinity],
    [
      [1, [{ $: 'int', v: '5' }]],
      [1, [5]],
    ],
    [{ a: { $: 'int', v: '5' } }, { a: 5 }],
    [
      { $: 1, v: 2 },
      { $: 1, v: 2 },
    ],
    [{ $: 'tuple', v: [1, { $: 'int', v: '5' }] }, [1, 5]],
    [{ $: 'set' }, []],
    [
      { $: 'dict', v: [pair(1, 'x', '1'), pair('b', [2], 'b')] },
      { 1: 'x', b: [2] },
    ],
    [{ $: 'dict', v: [] }, {}],
    [{ $: 'dict' }, {}],
    [
      { $: 'dict', v: [pair(null, 1, 'None'), pair(true, 2, 'True')] },
      { None: 1, True: 2 },
    ],
  ];
  for (const [index, [wire, value]] of rows.entries())
    it(`row ${index}: ${JSON.stringify(wire)}`, () => expect(new Wire().decode(wire)).to.deep.equal(value));

  it('may be an object that only Python knows', () => {
    const wire = new Wire();
    const found = wire.decode([
      { $: 'object', v: 'pickled', t: '2024' },
      { $: 'object', v: 'other', t: '2025' },
    ]);
    expect(found).to.deep.equal([new PythonObject('2024', 'pickled'), new PythonObject('2025', 'other')]);
    expect(wire.objects).to.equal(2);
    wire.decode('x');
    expect(wire.objects).to.equal(2);
  });

  it('may be undefined as a whole, and nothing in it', () => {
    const found = new Wire().decode({ $: 'undefined', v: 'a' });
    if (!(found instanceof Undefined)) throw new Error('it is defined');
    expect(found.explain()).to.include({ message: '"a" is not defined', undefinedName: 'a' });
    const gone = { $: 'undefined', v: 'a' };
    for (const wire of [[gone], { a: gone }, { $: 'tuple', v: [gone] }, { $: 'dict', v: [pair('a', gone, 'a')] }])
      expect(() => new Wire().decode(wire), JSON.stringify(wire)).to.throw(
        TemplateError,
        'it returned a list or mapping with undefined values',
      );
  });

  it('is read once, however deep it is', () => {
    let reads = 0;
    const leaf = {
      get one() {
        reads += 1;
        return 1;
      },
    };
    const wire = { $: 'dict', v: [pair('a', { $: 'tuple', v: [{ $: 'tuple', v: [leaf] }] }, 'a')] };
    expect(new Wire().decode(wire)).to.deep.equal({ a: [[{ one: 1 }]] });
    expect(reads).to.equal(1);
  });

  it('has no two keys that read alike', () => {
    const wire = { $: 'dict', v: [pair('a', 1, 'a'), pair(1, 'x', '1'), pair('1', 'y', '1')] };
    expect(() => new Wire().decode(wire)).to.throw(TemplateError, 'it returned a mapping with two keys that read "1"');
  });
});

describe('A value from Python and back', () => {
  const back = (sent: unknown): unknown => {
    const wire = new Wire();
    return wire.encode(wire.decode(sent));
  };

  it('keeps the type of a list', () => {
    for (const type of ['tuple', 'set', 'frozenset'])
      expect(back({ $: type, v: [1, { $: 'tuple', v: ['a'] }] })).to.deep.equal({
        $: type,
        v: [1, { $: 'tuple', v: ['a'] }],
      });
    expect(back([1, ['a']])).to.deep.equal([1, ['a']]);
  });

  it('keeps the keys of a mapping, also where numbers come first', () => {
    const sent = {
      $: 'dict',
      v: [
        ['b', 1, 'b'],
        [2, 'x', '2'],
        [null, true, 'None'],
        [1, 'y', '1'],
        [{ $: 'tuple', v: ['a', 1] }, 0, "('a', 1)"],
      ],
    };
    expect(back(sent)).to.deep.equal({
      $: 'dict',
      v: [
        [1, 'y'],
        [2, 'x'],
        ['b', 1],
        [null, true],
        [{ $: 'tuple', v: ['a', 1] }, 0],
      ],
    });
  });

  it('keeps neither in a copy, nor for another bridge', () => {
    const wire = new Wire();
    const list = wire.decode({ $: 'tuple', v: ['a'] });
    if (list instanceof Undefined) throw new Error('it is undefined');
    expect(new Wire().encode(list)).to.deep.equal(['a']);
    expect(wire.encode([list])).to.deep.equal([{ $: 'tuple', v: ['a'] }]);
    expect(wire.encode(structuredClone(list))).to.deep.equal(['a']);
  });

  it('keeps objects', () => {
    expect(back({ a: { $: 'object', v: 'pickled', t: '2024' } })).to.deep.equal({ a: { $: 'object', v: 'pickled' } });
  });
});

describe('What others see of objects of Python', () => {
  it('are their texts, wherever they are', () => {
    const one = new PythonObject('2024', 'pickled');
    expect(withObjectTexts(one)).to.equal('2024');
    expect(withObjectTexts([one, { a: [one] }, 1])).to.deep.equal(['2024', { a: ['2024'] }, 1]);
    const unsafe = new Unsafe('x');
    expect(withObjectTexts(unsafe)).to.equal(unsafe);
    expect(withObjectTexts(null)).to.equal(null);
  });
});
