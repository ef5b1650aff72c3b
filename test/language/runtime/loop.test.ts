import { expect } from 'chai';
import { LazyMapping, type Value } from '../../../src/core/model/values/value.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { Gaps, type EvaluationScope, type NamesBlock, type NamesOfBlock } from '../../../src/language/runtime/frame.js';
import {
  currentLoop,
  Cycler,
  ForLoopState,
  Joiner,
  iteratedItems,
  Namespace,
  roundsIn,
} from '../../../src/language/runtime/loop.js';
import { Undefined } from '../../../src/language/runtime/result.js';

const MISSING = new Undefined(() => new TemplateError('"a" is undefined'));

function stateAt(index: number, items: readonly (Value | Undefined)[] = ['a', 'b', 'c'], depth = 2): ForLoopState {
  const rounds = items.map((item) => [item, new Map()] as const);
  const loop = new ForLoopState(rounds.values(), depth, undefined);
  loop.index = index;
  return loop;
}

function entries(loop: LazyMapping): Record<string, Value | undefined> {
  return Object.fromEntries([...loop.keys()].map((name) => [name, loop.get(name)]));
}

describe('The variable loop', () => {
  it('shows the first, a middle and the last item', () => {
    const always = { length: 3, depth: 2, depth0: 1 };
    const first = { index: 1, index0: 0, revindex: 3, revindex0: 2, first: true, last: false };
    expect(entries(stateAt(0))).to.deep.equal({ ...first, ...always, nextitem: 'b' });
    const second = { index: 2, index0: 1, revindex: 2, revindex0: 1, first: false, last: false };
    expect(entries(stateAt(1))).to.deep.equal({ ...second, ...always, previtem: 'a', nextitem: 'c' });
    const last = { index: 3, index0: 2, revindex: 1, revindex0: 0, first: false, last: true };
    expect(entries(stateAt(2))).to.deep.equal({ ...last, ...always, previtem: 'b' });
  });

  it('has one item that is first and last', () => {
    expect(entries(stateAt(0, ['a'], 1))).to.include({ first: true, last: true, depth: 1, depth0: 0 });
  });

  it('has no neighbour that is undefined, and no other names', () => {
    const loop = stateAt(1, [MISSING, 'b', MISSING]);
    expect([loop.get('previtem'), loop.get('nextitem')]).to.deep.equal([undefined, undefined]);
    expect([...loop.keys()])
      .to.not.include('previtem')
      .and.not.include('nextitem');
    expect([loop.get('items'), loop.get('constructor'), loop.get('changed')]).to.deep.equal(
      Array.from({ length: 3 }, () => undefined),
    );
    expect(stateAt(1, [null, 'b']).get('previtem')).to.equal(null);
  });

  it('knows what changed since it was asked last', () => {
    const loop = stateAt(0);
    const values: readonly (readonly Value[])[] = [['a'], ['a'], ['b'], ['b', 1], ['b', true], ['a'], [], []];
    expect(values.map((one) => loop.changed(one))).to.deep.equal([true, false, true, true, false, true, true, false]);
  });

  it('is that of the innermost loop around', () => {
    const scope: EvaluationScope = { get: () => undefined, names: () => [] };
    const block = (loop: Value | undefined, outer?: NamesOfBlock): NamesBlock => ({
      type: 'names',
      outer,
      names: new Map(loop === undefined ? [] : [['loop', loop]]),
    });
    const [outer, inner] = [stateAt(0), stateAt(1)];
    const of = (one: NamesOfBlock | undefined): ForLoopState | undefined => currentLoop({ scope, block: one });
    expect(of(undefined)).to.equal(undefined);
    expect(of(block(undefined))).to.equal(undefined);
    expect(of(block(outer))).to.equal(outer);
    expect(of(block(inner, block(outer)))).to.equal(inner);
    expect(of(block(undefined, block(outer)))).to.equal(outer);
    expect(of(block('a variable', block(outer)))).to.equal(outer);
    const each: NamesOfBlock = { type: 'value', outer: block(outer), value: 1, params: new Map(), data: new Map() };
    expect(of(each)).to.equal(outer);
  });
});

describe('The rounds of loops', () => {
  const scope: EvaluationScope = { get: () => undefined, names: () => [] };

  it('are counted together with those of the loop around', () => {
    const rounds = { next: (): void => undefined };
    const block: NamesOfBlock = {
      type: 'names',
      names: new Map(),
      outer: { type: 'names', names: new Map(), outer: undefined, rounds },
    };
    expect(roundsIn({ scope, block })).to.equal(rounds);
    expect(roundsIn({ scope, block: undefined })).to.not.equal(roundsIn({ scope, block: undefined }));
  });

  it('are at most two million', () => {
    const rounds = roundsIn({ scope, block: undefined });
    for (let round = 0; round < 2_000_000; round += 1) rounds.next('');
    expect(() => {
      rounds.next('');
    }).to.throw(TemplateError, 'a loop and the loops in it run more than 2000000 times');
  });

  it('write at most fifty million characters', () => {
    const rounds = roundsIn({ scope, block: undefined });
    const text = 'x'.repeat(50_000_000);
    rounds.next(text);
    expect(() => {
      rounds.next(`${text}x`);
    }).to.throw(TemplateError, 'a loop writes more than 50000000 characters');
  });
});

describe('What a loop goes through', () => {
  class Lazy extends LazyMapping {
    override get(): undefined {
      return undefined;
    }

    override keys(): Iterable<string> {
      return new Set(['a', 'b']);
    }
  }
  const rows: readonly (readonly [from: Value | Undefined, items: readonly (Value | Undefined)[]])[] = [
    [
      ['x', 1],
      ['x', 1],
    ],
    [[], []],
    ['a😀', ['a', '😀']],
    ['', []],
    [{ b: 1, a: 2 }, ['b', 'a']],
    [new Lazy(), ['a', 'b']],
    [new Undefined(MISSING.explain, undefined, ['x', MISSING]), ['x', MISSING]],
    [new Undefined(MISSING.explain, ''), []],
    [new Undefined(MISSING.explain, ['s']), ['s']],
  ];
  for (const [index, [from, items]] of rows.entries())
    it(`row ${index}`, () => expect(iteratedItems(from, 'for')).to.deep.equal(items));

  it('is nothing else', () => {
    for (const [value, words] of [
      [1, 'the number 1'],
      [null, 'null'],
      [true, 'true'],
    ] as const)
      expect(() => iteratedItems(value, '{% for %}')).to.throw(
        TemplateError,
        `{% for %} needs a list, a mapping or a text, not ${words}`,
      );
    expect(() => iteratedItems(MISSING, 'for')).to.throw(TemplateError, '"a" is undefined');
  });
});

describe('The values that remember', () => {
  it('a cycler: its turn, and the start again', () => {
    const cycler = new Cycler(['odd', 'even', 'more']);
    expect(cycler.get('current')).to.equal('odd');
    expect([cycler.next(), cycler.next()]).to.deep.equal(['odd', 'even']);
    expect(cycler.get('current')).to.equal('more');
    expect([cycler.next(), cycler.next()]).to.deep.equal(['more', 'odd']);
    cycler.reset();
    expect([cycler.get('current'), cycler.next()]).to.deep.equal(['odd', 'odd']);
    expect(entries(cycler)).to.deep.equal({ current: 'even' });
    expect(cycler.get('next')).to.equal(undefined);
  });

  it('a joiner: nothing at first', () => {
    const joiner = new Joiner('; ');
    expect([joiner.next(), joiner.next(), joiner.next()]).to.deep.equal(['', '; ', '; ']);
    expect(entries(joiner)).to.deep.equal({});
  });

  it('a namespace: what was set', () => {
    const from = new Map<string, Value>([['a', 1]]);
    const namespace = new Namespace(from);
    namespace.set('b', 2);
    namespace.set('a', 3);
    expect(entries(namespace)).to.deep.equal({ a: 3, b: 2 });
    expect(namespace.get('c')).to.equal(undefined);
    expect(from).to.deep.equal(new Map([['a', 1]]));
  });
});

describe('The gaps of a run', () => {
  it('are counted', () => {
    const gaps = new Gaps();
    expect(gaps.count).to.equal(0);
    gaps.note();
    gaps.note();
    expect(gaps.count).to.equal(2);
  });

  it('are found by the list or mapping that was rendered', () => {
    const gaps = new Gaps();
    const [mapping, list] = [{ a: 'edge-' }, ['edge-']];
    gaps.keep(mapping, { a: 'edge-{{ stage }}' });
    gaps.keep(list, ['edge-{{ stage }}']);
    expect(gaps.writtenIn(mapping, 'a')).to.equal('edge-{{ stage }}');
    expect(gaps.writtenIn(list, '0')).to.equal('edge-{{ stage }}');
    expect(gaps.writtenIn(mapping, 'b')).to.equal(undefined);
    expect(gaps.writtenIn({ a: 'edge-' }, 'a')).to.equal(undefined);
    for (const value of [undefined, null, 'a', 1]) expect(gaps.writtenIn(value, 'length')).to.equal(undefined);
  });

  it('are carried over to a list of the same items only', () => {
    const items = [{ a: 1 }, { a: 1 }];
    const [first = null, second = null] = items;
    const carried = (to: readonly Value[]): Value | undefined => {
      const gaps = new Gaps();
      gaps.keep(items, ['{{ x }}']);
      gaps.carry(items, to);
      return gaps.writtenIn(to, '0');
    };
    expect(carried([first, second])).to.equal('{{ x }}');
    expect(carried([second, first])).to.equal(undefined);
    expect(carried([first])).to.equal(undefined);
    expect(carried([first, second, null])).to.equal(undefined);
    const none = new Gaps();
    none.carry(items, [first, second]);
    expect(none.writtenIn(items, '0')).to.equal(undefined);
  });
});
