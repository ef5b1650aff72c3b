import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Unsafe } from '../../../src/core/model/values/value.js';
import { parseYaml } from '../../../src/project/yaml/parse_yaml.js';

function read(text: string): unknown {
  const diagnostics = new Diagnostics();
  const parsed = parseYaml(text, 'x.yml', diagnostics);
  expect(diagnostics.list).to.deep.equal([]);
  return parsed?.value;
}

/** Every diagnostic as `line:column message — hint`. */
function complaints(text: string): readonly string[] {
  const diagnostics = new Diagnostics();
  parseYaml(text, 'x.yml', diagnostics);
  return diagnostics.list.map(({ source, message, hint }) => {
    expect(source?.file).to.equal('x.yml');
    return `${source?.line}:${source?.column} ${message}${hint === undefined ? '' : ` — ${hint}`}`;
  });
}

describe('parseYaml: lines within quotes and brackets', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["a:\n  b: 'one\n\ttwo'\n  c: 1\n", { a: { b: 'one two', c: 1 } }],
    ["a:\n  b: 'one\ntwo\n\n  three'\n", { a: { b: 'one two\nthree' } }],
    ['a:\n  - b: "one\ntwo \\\n\t\\  three"\n  - c\n', { a: [{ b: 'one two   three' }, 'c'] }],
    ["a:\n  b: 'it''s\n\tone'\n  c: 'it\nis'\n", { a: { b: "it's one", c: 'it is' } }],
    ['a:\n  b: [1,\n2, "x\ny"]\n  c: {d: 1,\n\te: [2]\n}\n', { a: { b: [1, 2, 'x y'], c: { d: 1, e: [2] } } }],
    ["a:\n  b: [it's, # isn't\n2]\n", { a: { b: ["it's", 2] } }],
    ['a:\n  b: "say \\"\ny\n\\" twice"\n  c: 1\n', { a: { b: 'say " y " twice', c: 1 } }],
    ["a:\n  b: 'one\ntwo\\'\n  c: '1'\n", { a: { b: 'one two\\', c: '1' } }],
    ["a:\n  b: '[\ntwo'\n  c: [']',\n2]\n", { a: { b: '[ two', c: [']', 2] } }],
    ["a:\n  b: 'one\n  \ntwo'\n", { a: { b: 'one\ntwo' } }],
  ];
  for (const [text, value] of cases) {
    it(`can have any indentation, as in Ansible: ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.deep.equal(value);
    });
  }

  it('keep their positions', () => {
    const parsed = parseYaml("a:\n  b: [1,\n2, x]\n  c: 'one\n\ttwo'\n  d: 1\n", 'x.yml', new Diagnostics());
    const places = [
      ['a', 'b', 1],
      ['a', 'b', 2],
      ['a', 'c'],
      ['a', 'd'],
    ].map((path) => parsed?.locate(path));
    expect(places.map((one) => `${one?.line}:${one?.column}`)).to.deep.equal(['3:1', '3:4', '4:6', '6:6']);
  });

  it('do not hide a missing quote, or mistakes further down', () => {
    expect(complaints('a:\n  b: "x\nc: 1\nd: y"\n')).to.deep.equal([
      '2:6 " is not closed — write another " where the text ends',
    ]);
    expect(complaints("a:\n  b: 'x\ny'\n  c: one\n\ttwo\n")).to.deep.equal([
      '5:1 YAML does not allow tabs for indentation — use spaces',
    ]);
    expect(complaints("a:\n  b: 'x\ny'\n  c: [1,\n2\n")).to.have.length(1);
  });

  it('are indented quickly, even if there are many', () => {
    const text = 'a:\n' + "  b: 'x\ny'\n".repeat(2_000);
    expect(complaints(text)).to.have.length.at.least(1);
    expect(complaints(`a:\n  b: '${'x\n'.repeat(20_000)}'\n`)).to.deep.equal([]);
    expect(complaints(`a:\n  b: ${'[\n'.repeat(200)}`)).to.have.length(1);
  });
});

describe('parseYaml: values', () => {
  const scalars: readonly (readonly [string, unknown])[] = [
    ['', null],
    ['~', null],
    ['null', null],
    ['yes', true],
    ['On', true],
    ['TRUE', true],
    ['no', false],
    ['OFF', false],
    ['y', 'y'],
    ['"yes"', 'yes'],
    ['12', 12],
    ['-3', -3],
    ['007', 7],
    ['0o17', 15],
    ['0x1F', 31],
    ['1.50', 1.5],
    ['1e3', 1000],
    ['.inf', Infinity],
    ['1.2.3', '1.2.3'],
    ['10:30', '10:30'],
    ['2024-01-31', '2024-01-31'],
    ["'12'", '12'],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['|\n  a\n  b', 'a\nb\n'],
    ['>\n  a\n  b', 'a b\n'],
  ];
  for (const [text, value] of scalars) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(read(`key: ${text}\n`)).to.deep.equal({ key: value });
    });
  }

  it('reads an empty text as null', () => {
    expect(read('')).to.equal(null);
    expect(read('# nothing\n---\n')).to.equal(null);
  });

  it('keeps keys as they are written', () => {
    expect(read('80: a\nyes: b\n1.0: c\n"q": d\n')).to.deep.equal({ '80': 'a', yes: 'b', '1.0': 'c', q: 'd' });
  });

  it('reads values with the tags of YAML', () => {
    const text =
      'a: !!str 5\nb: !!int 5\nc: !!float 1.5\nd: !!bool true\ne: !!null ~\nf: !!map {a: 1}\ng: !!seq [1]\nh: ! 7';
    expect(read(text)).to.deep.equal({ a: '5', b: 5, c: 1.5, d: true, e: null, f: { a: 1 }, g: [1], h: '7' });
  });

  it('reads !unsafe texts, and all texts inside an !unsafe mapping or list', () => {
    expect(read('a: !unsafe "{{ x }}"')).to.deep.equal({ a: new Unsafe('{{ x }}') });
    expect(read('a: !unsafe\n  - b\n  - 1')).to.deep.equal({ a: [new Unsafe('b'), 1] });
  });

  it("merges: the mapping's own keys win, then the first of several mappings", () => {
    const text = 'x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  c: 3\n';
    expect(read(text)).to.have.deep.property('z', { a: 1, b: 1, c: 3 });
  });

  it('shares the values of aliases', () => {
    const value = read('x: &x [1]\ny: *x') as Record<string, unknown>;
    expect(value['y']).to.equal(value['x']);
  });

  it('treats "__proto__" as data', () => {
    const value = read('__proto__: {a: 1}') as object;
    expect(Object.keys(value)).to.deep.equal(['__proto__']);
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
  });

  it('reads JSON indented with tabs', () => {
    expect(read('{\n\t"a": [\n\t\t1\n\t]\n}')).to.deep.equal({ a: [1] });
  });

  it('reads back any JSON value that was written as YAML', () => {
    // A number of so many digits that JavaScript changes them is refused.
    const exact = (_: string, one: unknown): unknown => (Number.isInteger(one) && !Number.isSafeInteger(one) ? 0 : one);
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value), exact) as unknown);
    fc.assert(
      fc.property(json, (value) => {
        expect(read(stringify(value, { schema: 'yaml-1.1', version: '1.1', compat: 'core' }))).to.deep.equal(value);
      }),
    );
  });
});

describe('parseYaml: mistakes', () => {
  it('reports a duplicate key with both positions', () => {
    expect(complaints('a:\n  b: 1\n  c: 2\n  b: 3\n')).to.deep.equal([
      '4:3 duplicate key "b": first defined on line 2 — keep one of them',
    ]);
  });

  it('reports every unquoted template with a fix', () => {
    expect(complaints('a: {{ b }}\nc:\n  - {{ d }}\ne: {{ f }}/x\n')).to.deep.equal([
      '1:4 a value that starts with "{{" must be quoted — write "{{ b }}"',
      '3:5 a value that starts with "{{" must be quoted — write "{{ d }}"',
      '4:4 a value that starts with "{{" must be quoted — write "{{ f }}/x"',
    ]);
    expect(complaints('a: {{ b | default("x") }}')).to.deep.equal([
      '1:4 a value that starts with "{{" must be quoted — write \'{{ b | default("x") }}\'',
    ]);
    expect(complaints('- a: {{#if x}}y{{/if}}')).to.deep.equal([
      '1:6 a value that starts with "{{" must be quoted — write "{{#if x}}y{{/if}}"',
    ]);
  });

  it('does not quote a secret in the fix for a template', () => {
    expect(complaints('db_password: {{ a }}-hunter2\ntoken: {{ b }}\n')).to.deep.equal([
      '1:14 a value that starts with "{{" must be quoted — quote the whole value',
      '2:8 a value that starts with "{{" must be quoted — write "{{ b }}"',
    ]);
  });

  it('reports the first syntax error', () => {
    expect(complaints('a:\n\tb: 1\n')).to.deep.equal(['2:1 YAML does not allow tabs for indentation — use spaces']);
    expect(complaints('a: b: c\n')).to.deep.equal(['1:4 this line has a second ": " — quote the value']);
    expect(complaints('- a: 1\n  b:\n    - c: d=1\n  - e: 1\n')).to.deep.equal([
      '4:3 the indentation of this line does not match the lines around it — all entries of a mapping or list start in the same column',
    ]);
    expect(complaints('a: 1\n---\nb: 2\n')).to.deep.equal([
      '2:1 a second YAML document starts here; a file can have only one',
    ]);
    expect(complaints('a: "x\n')).to.deep.equal(['1:4 " is not closed — write another " where the text ends']);
  });

  it('warns of secrets that are read as other numbers, in all forms of YAML', () => {
    const warning = 'is read as a number, whose digits differ from what is written — quote it';
    for (const text of ['a_password: 0042\n', 'a_password: 0042 # x\nb: !!str x\n'])
      expect(complaints(text)).to.deep.equal([`1:13 "a_password" ${warning}`]);
    expect(complaints('a: {pin: 0042, token: 1.50, key: 0x1F}\n')).to.deep.equal([`1:23 "token" ${warning}`]);
    expect(complaints('a_password: 42 # x\nb_password: "0042"\nc_token: 4.5\nd: {e_token: 42}\n')).to.deep.equal([]);
  });

  it('reports unknown tags and damaged vault values', () => {
    expect(complaints('a: !foo 1\nb: !vault |\n  x\n')).to.deep.equal([
      '1:9 unknown tag "!foo"',
      `2:11 this encrypted value is damaged: its first line is not "$ANSIBLE_VAULT;1.1;AES256" — evenkeel vault encrypt-string encrypts it again`,
    ]);
  });

  it('reports names that are not text', () => {
    expect(complaints('? [a]\n: 1\n')).to.deep.equal(['1:3 the name before ":" must be text']);
  });

  it('reports aliases without an anchor, and aliases in their own value', () => {
    expect(complaints('a: *x\nb: &b [*b]')).to.deep.equal([
      '1:4 the alias "*x" has no anchor "&x" before it',
      '2:8 the alias "*b" refers to a value that contains it',
    ]);
  });

  it('refuses an alias bomb, once', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++) lines.push(`a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`);
    expect(complaints(lines.join('\n'))).to.deep.equal([
      '7:10 aliases make this document too large; write it without them',
    ]);
  });
});

describe('parseYaml: positions', () => {
  const text = 'base: &base\n  mtu: 1\nlist:\n  - name: x\n    empty:\n    <<: *base\n';
  const places: readonly (readonly [readonly (string | number)[], string, string])[] = [
    [[], '1:1', '1:1'],
    [['list'], '4:3', '3:1'],
    [['list', 0, 'name'], '4:11', '4:5'],
    [['list', 0, 'empty'], '5:5', '5:5'],
    [['list', 0, 'mtu'], '2:8', '2:3'],
    [['list', 0, 'none', 'at', 'all'], '4:5', '4:5'],
  ];
  for (const [path, value, key] of places) {
    it(`locates ${JSON.stringify(path)}`, () => {
      const parsed = parseYaml(text, 'x.yml', new Diagnostics());
      const written = parsed?.locate(path);
      const named = parsed?.locateKey(path);
      expect(`${written?.line}:${written?.column}`).to.equal(value);
      expect(`${named?.line}:${named?.column}`).to.equal(key);
    });
  }
});
