import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluatePath } from '../../../src/language/evaluation/path.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import type { EvaluationScope, NamesOfBlock, TemplateFrame } from '../../../src/language/runtime/frame.js';
import { OMIT, Undefined, type Result } from '../../../src/language/runtime/result.js';
import type { PathExpression } from '../../../src/language/syntax/expressions/nodes.js';

const VARIABLES: Readonly<Record<string, Value>> = {
  name: 'edge',
  servers: [{ addr: 'a1' }, { addr: 'a2' }],
  site: { zone: { id: 7 }, many: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 } },
  inventory_hostname: 'lb1',
  item: 'of the play',
};

const scope: EvaluationScope = {
  get: (name) => {
    if (name === 'broken') throw new TemplateError('it is broken');
    if (name === 'hollow') throw new TemplateError('"x" is missing', { undefinedName: 'x' });
    return VARIABLES[name];
  },
  names: () => Object.keys(VARIABLES),
};

function path(original: string, more: Partial<PathExpression> = {}): PathExpression {
  const parts = original.replace(/^@/, '').split('.');
  return { type: 'PathExpression', data: original.startsWith('@'), depth: 0, own: false, parts, original, ...more };
}

function shown(result: Result): unknown {
  if (!(result instanceof Undefined)) return result;
  const { message, hint, undefinedName } = result.explain();
  return `${message}${hint === undefined ? '' : ` — ${hint}`} [${undefinedName}]`;
}

function at(one: PathExpression, block?: NamesOfBlock, isFilter = false): unknown {
  const frame: TemplateFrame = { scope, block };
  return shown(evaluatePath(one, undefined, isFilter)(frame));
}

const names = (entries: Readonly<Record<string, Result>>, outer?: NamesOfBlock): NamesOfBlock => ({
  type: 'names',
  outer,
  names: new Map(Object.entries(entries)),
});

const each = (
  value: Value,
  data: Readonly<Record<string, Value>> = {},
  params: Readonly<Record<string, Value>> = {},
  outer?: NamesOfBlock,
): NamesOfBlock => ({
  type: 'value',
  outer,
  value,
  data: new Map(Object.entries(data)),
  params: new Map(Object.entries(params)),
});

describe('A path outside of blocks', () => {
  const rows: readonly (readonly [original: string, found: unknown])[] = [
    ['name', 'edge'],
    ['servers.1.addr', 'a2'],
    ['servers.-1.addr', 'a2'],
    ['site.zone.id', 7],
    ['@root.site.zone', { id: 7 }],
    ['@root.name', 'edge'],
    ['omit', OMIT],
    ['ansible_host', 'lb1'],
    ['nmae', 'variable "nmae" is not defined — did you mean "name"? [nmae]'],
    ['whatever.x', 'variable "whatever" is not defined [whatever.x]'],
    ['site.zoen.id', '"site" has no "zoen": it is a mapping with zone, many — did you mean "zone"? [site.zoen.id]'],
    ['site.zone.id.x', '"site.zone.id" has no "x": it is the number 7 [site.zone.id.x]'],
    ['site.many.zz', '"site.many" has no "zz": it is a mapping with a, b, c, d, e, f, g, h, … [site.many.zz]'],
    ['servers.2.addr', '"servers" has no "2": it is a list of 2 [servers.2.addr]'],
    ['name.x', '"name" has no "x": it is a text [name.x]'],
    ['hollow', '"x" is missing [x]'],
    ['@index', '"@index" has no value here — @index, @key, @first and @last belong inside {{#each}} [@index]'],
    ['@root', '"@root" has no value here — @index, @key, @first and @last belong inside {{#each}} [@root]'],
  ];
  for (const [original, found] of rows)
    it(`is found: ${original}`, () => expect(at(path(original))).to.deep.equal(found));

  it('of no names belongs inside a block', () => {
    expect(at(path('this', { parts: [] }))).to.equal(
      '"this" has no value here — "this" belongs inside {{#each}} or {{#with}} [this]',
    );
  });

  it('fails with a variable that cannot be rendered, but not because of another', () => {
    expect(() => at(path('broken'))).to.throw(TemplateError, 'it is broken');
    const frame: TemplateFrame = { scope: { ...scope, reach: () => undefined }, block: undefined };
    expect(shown(evaluatePath(path('broken.x'), undefined, false)(frame))).to.equal(
      'variable "broken" is not defined [broken.x]',
    );
  });

  it('reaches into a variable without the rest of it, if that is possible', () => {
    const asked: (readonly string[])[] = [];
    const reach = (parts: readonly string[]): Value => {
      asked.push(parts);
      return 'reached';
    };
    const frame: TemplateFrame = { scope: { ...scope, reach }, block: undefined };
    const found = ['site.zone', 'name', '@root.site.zone'].map((one) =>
      evaluatePath(path(one), undefined, false)(frame),
    );
    expect(found).to.deep.equal(['reached', 'edge', 'reached']);
    expect(asked).to.deep.equal([
      ['site', 'zone'],
      ['site', 'zone'],
    ]);
  });

  it('may be a function instead, if it is a single name that no variable has', () => {
    const evaluated = (one: PathExpression): unknown =>
      shown(evaluatePath(one, () => 'called', true)({ scope, block: undefined }));
    expect(evaluated(path('now'))).to.equal('called');
    expect(evaluated(path('name'))).to.equal('edge');
    expect(evaluated(path('omit'))).to.equal(OMIT);
    expect(evaluated(path('now.x'))).to.include('variable "now" is not defined');
    expect(evaluated(path('now', { own: true }))).to.include('variable "now" is not defined');
    expect(evaluated(path('@now'))).to.include('"@now" has no value here');
  });

  it('says how a function is called', () => {
    expect(at(path('length.a'), undefined, true)).to.equal(
      'variable "length" is not defined — for the function, write its arguments in parentheses: length(…) [length.a]',
    );
    expect(at(path('nmae.a'), undefined, true)).to.include('did you mean "name"?');
  });

  it('has no address without a name of the controller', () => {
    const frame: TemplateFrame = { scope: { get: () => undefined, names: () => [] }, block: undefined };
    expect(shown(evaluatePath(path('ansible_host'), undefined, false)(frame))).to.equal(
      'variable "ansible_host" is not defined [ansible_host]',
    );
  });
});

describe('A path inside of blocks', () => {
  const gone = new Undefined(() => new TemplateError('gone', { undefinedName: 'g' }));
  const inner = each(
    { addr: 'a1', deep: { x: 1 } },
    { index: 3 },
    { one: { y: 2 } },
    names({ set: 's', item: 'mine' }),
  );
  const outer = each({ addr: 'outer' }, { index: 9, key: 'k' }, { two: 'b' });
  const nested = each({ addr: 'inner' }, { index: 0 }, {}, names({ set: 's' }, outer));
  const up = (original: string, parts: string, depth: number): PathExpression =>
    path(original, { parts: parts === '' ? [] : parts.split('.'), depth });

  const rows: readonly (readonly [what: string, one: PathExpression, block: NamesOfBlock, found: unknown])[] = [
    ['a name of its value', path('addr'), inner, 'a1'],
    ['a name in it', path('deep.x'), inner, 1],
    ['its value', path('this', { parts: [], own: true }), each('v'), 'v'],
    ['a parameter', path('one.y'), inner, 2],
    ['a set name outside of it', path('set'), inner, 's'],
    ['a set name rather than a variable', path('item'), inner, 'mine'],
    [
      'no parameter',
      path('one', { own: true }),
      inner,
      '"one" is not defined in this block\'s value, which is a mapping [one]',
    ],
    ['its index', path('@index'), inner, 3],
    ['a variable from the root', path('@root.name'), inner, 'edge'],
    ['the value further out', up('../addr', 'addr', 1), nested, 'outer'],
    ['its own value', path('addr'), nested, 'inner'],
    ['a parameter further out', path('two'), nested, 'b'],
    ['the data further out', path('@key'), nested, 'k'],
    ['the variables outside of all', up('../../name', 'name', 2), nested, 'edge'],
    ['a variable in a block of names', path('name'), names({ set: 's' }), 'edge'],
    ['what is undefined', path('g'), names({ g: gone }), 'gone [g]'],
    [
      'the names that are set',
      path('sset'),
      names({ set: 's' }),
      'variable "sset" is not defined — did you mean "set"? [sset]',
    ],
    ['what a set name lacks', path('set.x'), names({ set: 's' }), '"set" has no "x": it is a text [set.x]'],
    [
      'that a variable is outside',
      path('name'),
      each({ a: 1 }),
      '"name" is not defined in this block\'s value, which is a mapping — inside a block names are looked up in its value: write @root.name for the variable [name]',
    ],
    [
      'a similar name',
      path('adr'),
      each({ addr: 1 }),
      '"adr" is not defined in this block\'s value, which is a mapping — did you mean "addr"? [adr]',
    ],
    ['what its value lacks', path('deep.z'), inner, '"deep" has no "z": it is a mapping with x [deep.z]'],
    [
      'no loop',
      path('@key'),
      each('v'),
      '"@key" has no value here — @index, @key, @first and @last belong inside {{#each}} [@key]',
    ],
  ];
  for (const [what, one, block, found] of rows) it(`finds ${what}`, () => expect(at(one, block)).to.deep.equal(found));

  it('finds the index of the loop around', () => {
    const index = path('@index');
    expect(at({ ...index, depth: 1, original: '@../index' }, nested)).to.equal(9);
    expect(at({ ...index, depth: 2, original: '@../../index' }, nested)).to.include('has no value here');
  });
});
