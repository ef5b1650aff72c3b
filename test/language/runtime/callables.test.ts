import { expect } from 'chai';
import { Unsafe, type Value } from '../../../src/core/model/values/value.js';
import { CallableArguments, type Invoke } from '../../../src/language/runtime/arguments.js';
import {
  callable,
  callableForUndefined,
  CallableTable,
  form,
  MOST_REDIRECTS,
  table,
  withoutCollection,
} from '../../../src/language/runtime/callable.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import type { Plugin, PluginCall, Plugins } from '../../../src/language/runtime/plugins.js';
import { OMIT, Undefined } from '../../../src/language/runtime/result.js';
import { defineFilter, userFilter } from '../../../src/language/runtime/user_filter.js';

const FRAME = { scope: { get: () => undefined, names: () => [] }, block: undefined };

function args(values: readonly (Value | undefined)[], rest: readonly Value[] = []): CallableArguments {
  return new CallableArguments('f', values, rest, new Map(), FRAME, {} as Invoke);
}

function refusal(run: () => unknown): string {
  try {
    return `returned ${String(run())}`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof TemplateError ? error.hint : undefined;
    return hint === undefined ? error.message : `${error.message} — ${hint}`;
  }
}

describe('A signature', () => {
  const rows: readonly (readonly [
    signature: string,
    parameters: readonly string[],
    required: number,
    variadic: boolean,
    open: boolean,
  ])[] = [
    ['', [], 0, false, false],
    ['a', ['a'], 1, false, false],
    ['a, b?', ['a', 'b'], 1, false, false],
    ['a?, b?', ['a', 'b'], 0, false, false],
    ['a, b, ...others', ['a', 'b'], 2, true, false],
    ['...others', [], 0, true, false],
    ['a, ...others, fill=', ['a', 'fill'], 1, true, false],
    ['a, **', ['a'], 1, false, true],
    ['...arguments, **', [], 0, true, true],
  ];
  for (const [signature, parameters, required, variadic, open] of rows)
    it(JSON.stringify(signature), () => {
      const made = [callable, callableForUndefined, form].map((make) => make(signature, () => 1));
      const parsed = { text: signature, parameters, required, variadic, open };
      for (const one of made) expect(one.signature()).to.deep.include(parsed);
      expect(made[0]).to.include({ type: 'function', acceptsUndefined: false });
      expect(made[1]).to.include({ type: 'function', acceptsUndefined: true });
      expect(made[2]).to.include({ type: 'form' });
    });
});

describe('The arguments of a call', () => {
  type Read = (given: CallableArguments) => unknown;
  const rows: readonly (readonly [what: string, read: Read, found: unknown])[] = [
    ['a text', (one) => one.text(0), 'x'],
    ['a number as text', (one) => one.text(1), '7'],
    ['true as text', (one) => one.text(2), 'True'],
    ['the text in place of a missing one', (one) => one.text(9, 'd'), 'd'],
    ['the given text, not the other', (one) => one.text(0, 'd'), 'x'],
    ['an empty text in place of a missing one', (one) => one.text(9, ''), ''],
    ['a plain text', (one) => one.plainText(0), 'x'],
    ['null as Python writes it', (one) => one.string(3), 'None'],
    ['a missing one as Python writes null', (one) => one.string(9), 'None'],
    ['a number', (one) => one.number(1), 7],
    ['true as a number', (one) => one.number(2), 1],
    ['the number in place of a missing one', (one) => one.number(9, 4), 4],
    ['zero in place of a missing one', (one) => one.number(9, 0), 0],
    ['the given number, not the other', (one) => one.number(1, 4), 7],
    ['a number with blanks', (one) => one.number(4), 12.5],
    ['a big number with all digits', (one) => one.whole(5), 12345678901234567890n],
    ['a big number as a number', (one) => one.number(5), 12345678901234567000],
    ['a small number as a whole one', (one) => one.whole(1), 7],
    ['an amount', (one) => one.amount(1), 7],
    ['the most', (one) => one.amount(9, 1_000_000), 1_000_000],
    [
      'what is true',
      (one) => [0, 1, 2, 3, 6, 7, 9].map((index) => one.flag(index)),
      [true, true, true, false, true, true, false],
    ],
    ['a list', (one) => one.list(6), ['a']],
    ['the items of a list', (one) => one.items(6), ['a']],
    ['the items of a mapping', (one) => one.items(7), ['k']],
    ['the items of a text', (one) => one.items(8), ['a', '😀']],
    ['no items of a missing one', (one) => one.items(9), []],
    ['a mapping', (one) => one.mapping(7), { k: 1 }],
    ['a value', (one) => one.value(0), 'x'],
    ['null for a missing one', (one) => one.value(9), null],
    ['what may be missing', (one) => [one.optional(3), one.optional(9)], [null, undefined]],
    ['a key', (one) => ['a', 1, true, null].map((value) => one.key(value)), ['a', '1', 'true', 'null']],
    ['all, in their order', (one) => one.given().slice(-3), [undefined, 'r', 's']],
  ];
  const values = ['x', 7, true, null, ' 12.5 ', 12345678901234567890n, ['a'], { k: 1 }, 'a😀', undefined];
  for (const [what, read, found] of rows)
    it(`are read: ${what}`, () => expect(read(args(values, ['r', 's']))).to.deep.equal(found));

  const refused: readonly (readonly [read: Read, message: string])[] = [
    [(one) => one.text(3), 'f: a text is needed, not null'],
    [(one) => one.text(9), 'f: a text is needed, not null'],
    [(one) => one.text(3, 'd'), 'f: a text is needed, not null'],
    [(one) => one.text(6), 'f: a text is needed, not a list'],
    [(one) => one.plainText(1), 'f: a text is needed, not the number 7'],
    [(one) => one.number(0), 'f: a number is needed, not a text'],
    [(one) => one.number(9), 'f: a number is needed, not null'],
    [(one) => one.whole(7), 'f: a number is needed, not a mapping'],
    [(one) => one.amount(9, 1_000_001), 'f: 1000001 are too many — at most 1000000'],
    [(one) => one.list(8), 'f: a list is needed, not a text'],
    [(one) => one.list(9), 'f: a list is needed, not null'],
    [(one) => one.items(3), 'f: a list is needed, not null'],
    [(one) => one.items(1), 'f: a list is needed, not the number 7'],
    [(one) => one.mapping(6), 'f: a mapping is needed, not a list'],
    [(one) => one.mapping(9), 'f: a mapping is needed, not null'],
    [(one) => one.key(['a']), 'f: a key cannot be a list'],
    [(one) => one.key({}), 'f: a key cannot be a mapping'],
  ];
  for (const [index, [read, message]] of refused.entries())
    it(`are refused ${index}: ${message}`, () => expect(refusal(() => read(args(values)))).to.equal(message));

  it('of blanks are no number', () => {
    expect(refusal(() => args([' ']).number(0))).to.equal('f: a number is needed, not a text');
    expect(refusal(() => args(['']).number(0))).to.equal('f: a number is needed, not an empty text');
  });

  it('may have undefined items first', () => {
    const items = ['a', new Undefined(() => new TemplateError('gone'))];
    const given = new CallableArguments('f', [undefined], [], new Map(), FRAME, {} as Invoke, items);
    expect(given.results()).to.equal(items);
    expect(args([['x']]).results()).to.deep.equal(['x']);
  });
});

describe('The table of what templates call', () => {
  const [upper, both, even, other] = [0, 1, 2, 3].map((value) => callable('value', () => value));
  const filters = table([{ ...(upper && { upper }), ...(both && { both }) }, {}]);
  const tests = table([{ ...(even && { even }), ...(other && { both: other }) }]);
  const plain = new CallableTable(filters, tests);

  /** The plugins, by type and name; `certain` ones replace what is built in. */
  function plugins(
    found: Readonly<Record<string, 'certain' | 'maybe'>>,
    redirects: Readonly<Record<string, string>> = {},
  ): { readonly plugins: Plugins; readonly called: readonly PluginCall[] } {
    const called: PluginCall[] = [];
    const plugin: Plugin = {
      call: (one) => {
        called.push(one);
        return 'of a plugin';
      },
    };
    const find: Plugins['find'] = (type, name, isKnown) => {
      const how = found[`${type} ${name}`];
      return how === 'certain' || (how === 'maybe' && !isKnown) ? plugin : undefined;
    };
    const redirect: Plugins['redirect'] = (type, name) => redirects[`${type} ${name}`];
    return { plugins: { find, redirect } as Partial<Plugins> as Plugins, called };
  }

  it('has tests that are called like filters, and filters like tests', () => {
    expect([plain.filter('even'), plain.test('upper')]).to.deep.equal([even, upper]);
    expect([plain.filter('both'), plain.test('both')]).to.deep.equal([both, other]);
    expect([plain.filter('none'), plain.test('none')]).to.deep.equal([undefined, undefined]);
    expect(['upper', 'even', 'both', 'none'].map((name) => plain.has(name))).to.deep.equal([true, true, true, false]);
    expect(plain.called({ name: 'both' })).to.equal(both);
    expect(plain.called({ name: 'both', test: true })).to.equal(other);
    expect(plain.called({ name: 'none' })).to.equal(undefined);
  });

  it('lists its names', () => {
    expect([plain.filterNames(), plain.testNames()]).to.deep.equal([
      ['upper', 'both'],
      ['even', 'both'],
    ]);
  });

  const names: readonly (readonly [name: string, short: string])[] = [
    ['ansible.builtin.upper', 'upper'],
    ['ansible.legacy.upper', 'upper'],
    ['ansible.utils.ipaddr', 'ipaddr'],
    ['ansible.netcommon.ipaddr', 'ipaddr'],
    ['community.general.json_query', 'json_query'],
    ['community.general.to_yaml', 'community.general.to_yaml'],
    ['community.general.to_nice_yaml', 'community.general.to_nice_yaml'],
    ['community.general.to_yamls', 'to_yamls'],
    ['community.crypto.upper', 'community.crypto.upper'],
    ['my.ansible.builtin.upper', 'my.ansible.builtin.upper'],
    ['ansible.builtins.upper', 'ansible.builtins.upper'],
    ['upper', 'upper'],
  ];
  for (const [name, short] of names)
    it(`without its collection: ${name}`, () => expect(withoutCollection(name)).to.equal(short));

  it('takes the collection off the names of what is built in', () => {
    expect(plain.plain('ansible.builtin.upper')).to.equal('upper');
    expect(plain.plain('ansible.builtin.even')).to.equal('even');
    expect(plain.plain('ansible.builtin.none')).to.equal('ansible.builtin.none');
    expect(plain.plain('upper')).to.equal('upper');
    expect(plain.called({ name: 'ansible.builtin.both', test: true })).to.equal(other);
    const own = plain.with(table([{ ...(other && { 'ansible.builtin.upper': other }) }]));
    expect(own.plain('ansible.builtin.upper')).to.equal('ansible.builtin.upper');
  });

  it('leaves it to names that the project ships in that collection', () => {
    for (const type of ['filter', 'test']) {
      const shipped = plain.withPlugins(plugins({ [`${type} ansible.utils.upper`]: 'certain' }).plugins);
      expect(shipped.plain('ansible.utils.upper'), type).to.equal('ansible.utils.upper');
      expect(shipped.plain('ansible.builtin.upper'), type).to.equal('upper');
    }
    const maybe = plain.withPlugins(plugins({ 'filter ansible.utils.upper': 'maybe' }).plugins);
    expect(maybe.plain('ansible.utils.upper')).to.equal('upper');
  });

  it('prefers a plugin that certainly is one of that name', () => {
    const { plugins: found } = plugins({ 'filter upper': 'certain', 'filter both': 'maybe', 'filter none': 'maybe' });
    const own = plain.withPlugins(found);
    expect(own.called({ name: 'upper' })).to.include({ type: 'form', isPlugin: true });
    expect(own.called({ name: 'upper', test: true })).to.equal(upper);
    expect(own.called({ name: 'both' })).to.equal(both);
    expect(own.called({ name: 'none' })).to.include({ isPlugin: true });
    expect(own.called({ name: 'none', test: true })).to.equal(undefined);
  });

  it('gives a plugin its arguments, evaluated', () => {
    const { plugins: found, called } = plugins({ 'test mine': 'maybe' });
    const mine = plain.withPlugins(found).called({ name: 'mine', test: true });
    if (mine?.type !== 'form') throw new Error('no plugin');
    const gone = new Undefined(() => new TemplateError('gone'));
    const bound = {
      slots: [() => 'a', undefined, () => gone],
      rest: [() => 'b'],
      named: [['c', () => 1] as const],
    };
    expect(mine.run(bound, FRAME)).to.equal('of a plugin');
    expect(called).to.deep.equal([{ args: ['a', gone, 'b'], named: new Map([['c', 1]]), frame: FRAME }]);
  });

  it('follows what a collection gives in place of a name, but not in a circle', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`filter n${index}`, index === 11 ? 'upper' : `n${index + 1}`]),
    );
    const own = plain.withPlugins(
      plugins({}, { ...chain, 'filter a': 'b', 'filter b': 'a', 'filter upper': 'both', 'test t': 'even' }).plugins,
    );
    expect(own.called({ name: `n${12 - MOST_REDIRECTS}` })).to.equal(upper);
    expect(own.called({ name: `n${11 - MOST_REDIRECTS}` })).to.equal(undefined);
    expect(own.called({ name: 'a' })).to.equal(undefined);
    expect(own.called({ name: 'upper' })).to.equal(upper);
    expect(own.called({ name: 't', test: true })).to.equal(even);
    expect(own.called({ name: 't' })).to.equal(undefined);
  });

  it('keeps everything else when something is added', () => {
    const { plugins: found } = plugins({});
    const own = plain
      .withPlugins(found)
      .withJoiners(['comma'])
      .with(table([{ ...(even && { mine: even }) }]));
    expect(own.joiners).to.deep.equal(new Set(['comma']));
    expect(own.plugins).to.equal(found);
    expect(own.filter('mine')).to.equal(even);
    expect([own.filter('upper'), own.test('even')]).to.deep.equal([upper, even]);
    expect(plain.filter('mine')).to.equal(undefined);
    expect(plain.withJoiners([])).to.equal(plain);
    expect(plain.withJoiners(['x']).withPlugins(found).joiners).to.deep.equal(new Set(['x']));
    expect(plain.joiners).to.deep.equal(new Set());
  });
});

describe('A filter of a project', () => {
  const filter = (run: (...values: never[]) => unknown, signature = 'a, b?, ...more') =>
    userFilter(defineFilter({ name: 'mine', signature, run })).callable;
  const called = (run: (...values: never[]) => unknown, given = args(['x', undefined], ['y'])): Value | Undefined => {
    const one = filter(run);
    if (one.type !== 'function') throw new Error('no function');
    return one.run(given);
  };

  it('gets all its arguments, and undefined for omitted ones', () => {
    expect(called((...values: readonly unknown[]) => values.map(String))).to.deep.equal(['x', 'undefined', 'y']);
  });

  it('gets neither keys nor items that are omit', () => {
    const given = args([{ a: OMIT, b: [OMIT, 1] }]);
    expect(called((value: Value) => value, given)).to.deep.equal({ b: [1] });
    expect(refusal(() => called(run, args([OMIT])))).to.contain('omit must be the whole value');
  });

  it('gets copies', () => {
    const list = [{ a: 1 }];
    called(
      (one: { a: number }[]) => {
        one.push({ a: 2 });
        return one.length;
      },
      args([list]),
    );
    expect(list).to.deep.equal([{ a: 1 }]);
  });

  const returned: readonly (readonly [value: unknown, found: Value])[] = [
    [null, null],
    ['', ''],
    [false, false],
    [1.5, 1.5],
    [5n, 5],
    [12345678901234567890n, 12345678901234567890n],
    [
      [1, [5n]],
      [1, [5]],
    ],
    [{ a: { b: 5n } }, { a: { b: 5 } }],
    [Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
  ];
  for (const [index, [value, found]] of returned.entries())
    it(`returns plain values ${index}`, () => expect(called(() => value)).to.deep.equal(found));

  const hint = 'a filter returns text, numbers, true, false, null, and lists and mappings of them';
  const unfit: readonly (readonly [value: unknown, message: string])[] = [
    [undefined, `f: it returned nothing — ${hint}`],
    [() => 1, `f: it returned a function — ${hint}`],
    [NaN, `f: it returned NaN — ${hint}`],
    [Infinity, `f: it returned Infinity — ${hint}`],
    [new Date(0), `f: it returned Date — ${hint}`],
    [new Map(), `f: it returned Map — ${hint}`],
    [new Unsafe('x'), `f: it returned Unsafe — ${hint}`],
    [[1, undefined], `f: it returned nothing — ${hint}`],
    [{ a: new Set() }, `f: it returned Set — ${hint}`],
    [Symbol.for('x'), `f: it returned Symbol(x) — ${hint}`],
    [Promise.resolve(1), 'f: it returned a promise — a filter must be synchronous'],
  ];
  for (const [value, message] of unfit)
    it(`is refused: ${message}`, () => expect(refusal(() => called(() => value))).to.equal(message));

  const run = (): number => 1;
  const noFilter = 'it does not export a filter: export default defineFilter({ … })';
  const signature = (text: string): string =>
    `the signature "${text}" cannot be read: write it like "service, zone?, ...others"`;
  const definitions: readonly (readonly [definition: unknown, message: string])[] = [
    [undefined, noFilter],
    [null, noFilter],
    ['filter', noFilter],
    [run, noFilter],
    [{}, noFilter],
    [{ type: 'module', name: 'mine', signature: '', run }, noFilter],
    [{ type: 'filter', signature: '', run }, noFilter],
    [{ type: 'filter', name: 1, signature: '', run }, noFilter],
    [{ type: 'filter', name: 'mine', run }, noFilter],
    [{ type: 'filter', name: 'mine', signature: [], run }, noFilter],
    [{ type: 'filter', name: 'mine', signature: '' }, noFilter],
    [{ type: 'filter', name: 'mine', signature: '', run: 1 }, noFilter],
    ...['', '1a', 'a-b', 'a.b', 'a b'].map(
      (name) =>
        [
          { type: 'filter', name, signature: '', run },
          `"${name}" is not a valid name: write letters, digits and _`,
        ] as const,
    ),
    ...['a,b', 'a, ', 'a?, b', '...a, b', 'a, a', 'a, a?', '1', 'a, ...', '**', 'a b', ', a', 'a??'].map(
      (text) => [{ type: 'filter', name: 'mine', signature: text, run }, signature(text)] as const,
    ),
  ];
  for (const [index, [definition, message]] of definitions.entries())
    it(`cannot be declared so ${index}`, () => expect(refusal(() => userFilter(definition))).to.equal(message));

  for (const text of ['', 'a', 'a?', '...a', 'a, b, c?, d?, ...e', 'a1, _b, A', 'a, ...b'])
    it(`has the signature ${JSON.stringify(text)}`, () => expect(filter(run, text).signature().text).to.equal(text));

  for (const name of ['a', '_a', 'A1', 'to_x'])
    it(`has the name ${name}`, () =>
      expect(userFilter({ type: 'filter', name, signature: '', run }).name).to.equal(name));
});
