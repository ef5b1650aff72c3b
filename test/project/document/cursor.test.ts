import { expect } from 'chai';
import { Diagnostics, LoadError } from '../../../src/core/model/source/diagnostic.js';
import { Unsafe, Vaulted, type Value } from '../../../src/core/model/values/value.js';
import {
  checkVariableNames,
  Cursor,
  dataIn,
  describeKind,
  names,
  text,
  texts,
  allTexts,
  variableName,
  warnOfOldForm,
} from '../../../src/project/document/cursor.js';
import { flag, plainFlag, quantity, templated, template } from '../../../src/project/document/templated.js';
import { worded } from '../../rig/loaded.js';

const place = (prefix: string) => (path: readonly (string | number)[]) => ({
  file: `${prefix}/${path.join('/')}`,
  line: 1,
  column: path.length,
});

/** An encrypted value, of which the envelope does not matter. */
const vaulted = (decrypt: () => string): Vaulted => new Vaulted('', () => place('v')([]), decrypt);

function read(value: Value): { readonly cursor: Cursor; readonly said: () => readonly string[] } {
  const diagnostics = new Diagnostics();
  const spelling = (path: readonly (string | number)[]): string => `<${path.join('/')}>`;
  const reading = { diagnostics, locate: place('v'), locateKey: place('k'), spelling };
  return { cursor: new Cursor(value, reading), said: () => diagnostics.list.map(worded) };
}

describe('the kind of a value, in messages', () => {
  for (const [value, kind] of [
    [null, 'nothing'],
    [[null], 'a list'],
    [[], 'a list'],
    [{}, 'a mapping'],
    [{ a: [] }, 'a mapping'],
    [false, 'false'],
    [0, '0'],
    [9_223_372_036_854_775_807n, '9223372036854775807'],
    ['', 'text'],
    [new Unsafe('1'), 'text'],
  ] as const)
    it(`is ${kind} for a value of type ${typeof value}`, () => {
      expect(describeKind(value)).to.equal(kind);
    });
});

describe('a value of a document', () => {
  it('is found by its key, not if it is null, and has a name, a title and two places', () => {
    const { cursor } = read({ a: { b: [{ c: 1 }, 2], none: null } });
    const item = cursor.get('a')?.get('b')?.items()[1];
    expect([cursor.title, cursor.name, item?.title, item?.name, item?.value]).to.deep.equal([
      'the file',
      '',
      'an entry of "b"',
      'b',
      2,
    ]);
    expect(cursor.get('a')?.get('b')?.title).to.equal('"b"');
    expect([
      item?.source.file,
      item?.keySource.file,
      item?.locate(['x']).file,
      item?.locateKey(['y']).file,
    ]).to.deep.equal(['v/a/b/1', 'k/a/b/1', 'v/a/b/1/x', 'k/a/b/1/y']);
    expect(item?.spelling(['z'])).to.equal('<a/b/1/z>');
    expect([cursor.get('a')?.get('none'), cursor.get('x'), cursor.get('a')?.get('b')?.get('0')]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(
      cursor
        .get('a')
        ?.entries()
        .map((one) => one.title),
    ).to.deep.equal(['"b"', '"none"']);
    expect([item?.entries(), item?.items().length]).to.deep.equal([[], 1]);
  });

  it('has the places of the file where it was written in another form', () => {
    const { cursor, said } = read({ above: { old: { x: 1 }, kept: 2 } });
    const above = cursor.get('above') ?? cursor;
    const rewritten = above.rewritten({ new: { x: 1 }, kept: 2, added: 3 }, new Map([['new', 'old']]));
    expect(rewritten.get('new')?.get('x')?.source.file).to.equal('v/above/old/x');
    expect(rewritten.get('new')?.get('x')?.keySource.file).to.equal('k/above/old/x');
    expect(rewritten.get('new')?.spelling(['x'])).to.equal('<above/old/x>');
    expect([rewritten.get('kept')?.source.file, rewritten.get('added')?.keySource.file]).to.deep.equal([
      'v/above/kept',
      'k/above/added',
    ]);
    // A key of that name at another depth is another key.
    expect(rewritten.get('kept')?.locate(['new']).file).to.equal('v/above/kept/new');
    rewritten.get('new')?.error('wrong', 'hint');
    rewritten.get('kept')?.errorAtKey('also wrong');
    expect(said()).to.deep.equal(['v/above/old:1:2 wrong — hint', 'k/above/kept:1:2 also wrong']);
  });

  it('can report to others', () => {
    const { cursor, said } = read({ a: 1 });
    const other = new Diagnostics();
    cursor.reportingTo(other).get('a')?.error('wrong');
    expect([said(), other.list.map(worded)]).to.deep.equal([[], ['v/a:1:1 wrong']]);
  });
});

describe('a text of a document', () => {
  const broken = vaulted(() => {
    throw new LoadError('cannot be decrypted', undefined, 'give a password');
  });

  it('is also a number, and what is unsafe or encrypted', () => {
    const values = ['a', '', 7, 1.5, 9_223_372_036_854_775_807n, new Unsafe('b'), vaulted(() => 'c')];
    const { cursor, said } = read(values);
    expect(cursor.items().map((one) => text(one))).to.deep.equal([
      'a',
      '',
      '7',
      '1.5',
      '9223372036854775807',
      'b',
      'c',
    ]);
    expect([said(), text(undefined), texts(undefined)]).to.deep.equal([[], undefined, []]);
  });

  it('is refused with what it is, and what to do', () => {
    const { cursor, said } = read({ list: [true, ['x'], null], name: {}, secret: broken });
    expect(texts(cursor.get('list'), 'write text')).to.deep.equal([]);
    expect([text(cursor.get('name')), text(cursor.get('secret'))]).to.deep.equal([undefined, undefined]);
    expect(said()).to.deep.equal([
      'v/list/0:1:2 an entry of "list" must be text, not true — write text',
      'v/list/1:1:2 an entry of "list" must be text, not a list — write text',
      'v/list/2:1:2 an entry of "list" must be text, not nothing — write text',
      'v/name:1:1 "name" must be text, not a mapping',
      'v/secret:1:1 cannot be decrypted — give a password',
    ]);
    const failing = read(
      vaulted(() => {
        throw new TypeError('other');
      }),
    );
    expect(() => text(failing.cursor)).to.throw(TypeError, 'other');
  });

  it('can be several, each with its place, and names between commas, each once', () => {
    const { cursor } = read({ one: 'a, b,,a', list: ['b', 'c,a', ' d '] });
    expect(texts(cursor.get('list')).map(({ value, source }) => [value, source.file])).to.deep.equal([
      ['b', 'v/list/0'],
      ['c,a', 'v/list/1'],
      [' d ', 'v/list/2'],
    ]);
    expect([names(cursor.get('one')), names(cursor.get('list')), names(undefined)]).to.deep.equal([
      ['a', 'b'],
      ['b', 'c', 'a', 'd'],
      [],
    ]);
  });

  it('can be the name of a variable', () => {
    const { cursor, said } = read({ a: '_x1', b: '1x', c: 'x-y', d: ['z'], values: { ok: 1, 'not ok': 2, é: 3 } });
    expect(['a', 'b', 'c', 'd', 'none'].map((name) => variableName(cursor.get(name)))).to.deep.equal([
      '_x1',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    checkVariableNames(cursor.get('values') ?? cursor);
    const rule = 'is not a valid variable name: use letters, digits and "_", and do not start with a digit';
    expect(said()).to.deep.equal([
      `v/b:1:1 "1x" ${rule}`,
      `v/c:1:1 "x-y" ${rule}`,
      'v/d:1:1 "d" must be text, not a list',
      `k/values/not ok:1:2 "not ok" ${rule}`,
      `k/values/é:1:2 "é" ${rule}`,
    ]);
  });

  it('can be an old form, which is a warning of its own rule', () => {
    const { cursor } = read({ a: 1 });
    warnOfOldForm(cursor.get('a') ?? cursor, '"a"', 'write "b"');
    expect(cursor.diagnostics.list).to.deep.equal([
      {
        severity: 'warning',
        rule: 'deprecated',
        message: 'newer versions of Ansible refuse "a"',
        source: { file: 'k/a', line: 1, column: 1 },
        hint: 'write "b"',
        group: { message: 'newer versions of Ansible refuse "a"' },
      },
    ]);
  });

  it('is found in every value, but not if it is encrypted', () => {
    const value = { a: 'x', b: ['y', { c: new Unsafe('z') }, 7, null, broken] };
    expect(allTexts(value)).to.deep.equal(['x', 'y', 'z']);
    expect(allTexts(null)).to.deep.equal([]);
  });

  it('is data unless it controls the run, with the parts around templates', () => {
    const task = {
      name: 'no',
      when: 'no',
      register: 'no',
      debug: { msg: 'see {{ a }} and {% if b %} more' },
      vars: { plain: 'a { b', list: ['x', { loop: 'no', y: 'z{{q}}' }] },
    };
    expect(dataIn([task])).to.deep.equal([
      'see {{ a }} and {% if b %} more',
      'see',
      'and',
      'more',
      'a { b',
      'x',
      'z{{q}}',
      'z',
      '',
    ]);
  });
});

describe('a value that may be a template', () => {
  const bad = '{{ a | uper }}';
  const unknown = (place: string) => `${place} there is no filter or function "uper" — did you mean "upper"?`;

  it('is checked where it is written', () => {
    const { cursor, said } = read({ a: bad, b: [bad, 'x'], c: [1] });
    expect(template(cursor.get('a'))).to.deep.equal({ value: bad, source: { file: 'v/a', line: 1, column: 1 } });
    expect(templated(cursor.get('b'))).to.deep.include({ value: [bad, 'x'] });
    expect([template(cursor.get('c')), template(undefined), templated(undefined)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(said()).to.deep.equal([unknown('v/a:1:1'), unknown('v/b/0:1:2'), 'v/c:1:1 "c" must be text, not a list']);
  });

  it('can be a flag, in any spelling', () => {
    const values = { a: true, b: 'no', c: 'Yes', d: bad, e: 'maybe', f: 7, g: [] };
    const { cursor, said } = read(values);
    expect(Object.keys(values).map((name) => flag(cursor.get(name))?.value)).to.deep.equal([
      true,
      false,
      true,
      bad,
      undefined,
      undefined,
      undefined,
    ]);
    expect(flag(cursor.get('b'))?.source.file).to.equal('v/b');
    expect([flag(undefined), plainFlag(undefined), plainFlag(cursor.get('a'))]).to.deep.equal([
      undefined,
      undefined,
      true,
    ]);
    expect(said()).to.deep.equal([
      unknown('v/d:1:1'),
      'v/e:1:1 "e" must be true or false, not "maybe"',
      'v/f:1:1 "f" must be true or false, not 7',
      'v/g:1:1 "g" must be true or false, not a list',
    ]);
    const early = read({ when: '{{ a }}' });
    expect(plainFlag(early.cursor.get('when'))).to.equal(undefined);
    expect(early.said()).to.deep.equal(['v/when:1:1 "when" must be true or false: it is needed before the run']);
  });

  it('can be a quantity, whole or not, from the least', () => {
    const values = { a: 2, b: '3', c: 2.5, d: 1.9, e: ' ', f: 'x', g: '{{ n }}', h: true, i: 'Infinity', j: '-1' };
    const ask = (whole: boolean) => {
      const { cursor, said } = read(values);
      const found = Object.keys(values).map((name) => quantity(cursor.get(name), { least: 2, whole })?.value);
      return { found, said: said() };
    };
    const none = undefined;
    expect(ask(false).found).to.deep.equal([2, 3, 2.5, none, none, none, '{{ n }}', none, none, none]);
    expect(ask(true).found).to.deep.equal([2, 3, none, none, none, none, '{{ n }}', none, none, none]);
    const not = (name: string, shown: string, whole = '') =>
      `v/${name}:1:1 "${name}" must be a ${whole}number from 2, not ${shown}`;
    expect(ask(false).said).to.deep.equal([
      not('d', '1.9'),
      not('e', '" "'),
      not('f', '"x"'),
      not('h', 'true'),
      not('i', '"Infinity"'),
      not('j', '"-1"'),
    ]);
    expect(ask(true).said.slice(0, 2)).to.deep.equal([not('c', '2.5', 'whole '), not('d', '1.9', 'whole ')]);
    const { cursor } = read({ n: 5 });
    expect(quantity(cursor.get('n'), { least: 5 })).to.deep.equal({
      value: 5,
      source: { file: 'v/n', line: 1, column: 1 },
    });
    expect(quantity(undefined, { least: 5 })).to.equal(undefined);
  });
});

describe('a keyword that controls the run', () => {
  const words =
    'name hosts when loop loop_control register tags notify listen changed_when failed_when until break_when delegate_to import_tasks include_tasks import_role include_role import_playbook vars_files roles strategy order environment';
  for (const word of words.split(' '))
    it(`holds no data: ${word}`, () => {
      expect(dataIn([{ [word]: { a: ['x'] } }, { vars: { [word]: 'y', data: 'z' } }])).to.deep.equal(['z']);
    });
});
