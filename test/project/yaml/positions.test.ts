import { expect } from 'chai';
import { Diagnostics, sourceInside } from '../../../src/core/model/source/diagnostic.js';
import { Unsafe } from '../../../src/core/model/values/value.js';
import { parseYaml, type ParsedYaml } from '../../../src/project/yaml/parse_yaml.js';
import { YamlPositions } from '../../../src/project/yaml/positions.js';

function parse(text: string): ParsedYaml {
  const diagnostics = new Diagnostics();
  const found = parseYaml(text, 'x.yml', diagnostics);
  expect(diagnostics.list).to.deep.equal([]);
  return found ?? expect.fail('not YAML');
}

describe('values with anchors', () => {
  it('are texts and names, too', () => {
    expect(parse('a: &x 5\nb: *x\n').value).to.deep.equal({ a: 5, b: 5 });
    expect(parse('a: &k name\n*k : 1\n').value).to.deep.equal({ a: 'name', name: 1 });
    expect(parse('&k name: 1\nb: *k\n').value).to.deep.equal({ name: 1, b: 'name' });
  });

  it('are found where they are written, also in merged mappings', () => {
    const { locate, locateKey } = parse('a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: [*a, *b]\n  z: 3\nd:\n  <<: *b\n');
    const places = (...path: readonly string[]): readonly string[] =>
      [locateKey(path), locate(path)].map(({ line, column }) => `${line}:${column}`);
    expect([places('c', 'x'), places('c', 'y'), places('c', 'z'), places('d', 'y'), places('c', 'none')]).to.deep.equal(
      [
        ['1:8', '1:11'],
        ['2:8', '2:11'],
        ['5:3', '5:6'],
        ['2:8', '2:11'],
        ['4:3', '4:3'],
      ],
    );
  });
});

describe('places in a text', () => {
  const inside = (text: string, line: number, column: number): string => {
    const found = sourceInside(parse(text).locate(['b']), { line, column });
    return `${found.file}:${found.line}:${found.column}`;
  };

  it('are those of the lines of a block', () => {
    const text = 'a: 1\nb: |\n  one\n    two\n  three\nc: 2\n';
    expect([inside(text, 1, 1), inside(text, 2, 3), inside(text, 3, 2)]).to.deep.equal([
      'x.yml:3:3',
      'x.yml:4:5',
      'x.yml:5:4',
    ]);
    expect(inside('b: |\n\n     one\n     two', 3, 1)).to.equal('x.yml:4:6');
  });

  it('are the beginning of any other text', () => {
    for (const text of ['b: one\n', 'b: "one"\n', 'b: >\n  one\n  two\n'])
      expect(inside(text, 1, 3), text).to.equal('x.yml:1:4');
  });

  it('are the first one where there is nothing, and the last one behind the end', () => {
    const empty = new YamlPositions('# nothing\n', 'x.yml');
    expect([empty.locate([], 'value'), empty.locate(['a', 0], 'key')]).to.deep.equal([
      { file: 'x.yml', line: 1, column: 1 },
      { file: 'x.yml', line: 1, column: 1 },
    ]);
    const two = new YamlPositions('ab\ncd', 'x.yml', undefined, new Map([[1, 1]]));
    expect(
      [0, 2, 3, 4, 5].map((offset) => two.at(offset)).map(({ line, column }) => `${line}:${column}`),
    ).to.deep.equal(['1:1', '1:3', '2:1', '2:1', '2:2']);
    expect([two.spelling([]), new YamlPositions('a: 0x10\nb: "1"\n', 'x.yml').spelling(['a'])]).to.deep.equal([
      'ab cd',
      '0x10',
    ]);
  });
});

describe('values that YAML and JSON mark', () => {
  function read(text: string): readonly [value: unknown, ...said: readonly string[]] {
    const diagnostics = new Diagnostics();
    const value = parseYaml(text, 'x.yml', diagnostics)?.value;
    return [value, ...diagnostics.list.map(({ source, message }) => `${source?.line}:${source?.column} ${message}`)];
  }

  it('are no templates, wherever they are below the mark', () => {
    const text = new Unsafe('{{ y }}');
    expect(read('a: !unsafe {b: &x "{{ y }}", c: [*x], d: &z ["{{ y }}"], e: *z}\n')).to.deep.equal([
      { a: { b: text, c: [text], d: [text], e: [text] } },
    ]);
    expect(read('{"a": [{"__ansible_unsafe": "{{ y }}"}, {"__ansible_unsafe": 5}]}')).to.deep.equal([
      { a: [text, { __ansible_unsafe: 5 }] },
    ]);
    expect(read('a: {"__ansible_unsafe": "{{ y }}"}\n')).to.deep.equal([{ a: { __ansible_unsafe: '{{ y }}' } }]);
  });

  it('are reported where they are damaged', () => {
    const damaged = read('{"a": 1,\n "b": [{"__ansible_vault": "$ANSIBLE_VAULT;1.1;AES256\\n00"}]}');
    expect(damaged[0]).to.deep.equal({ a: 1, b: [null] });
    expect(damaged[1]).to.match(/^2:28 this encrypted value is damaged: it does not hold/);
    expect(read('a: 1\n<<: 5\n')).to.deep.equal([{ a: 1 }, '2:5 "<<" takes a mapping or a list of mappings']);
  });

  it('may be numbers that JSON does not have, and empty texts', () => {
    expect(read('&x a: [.inf, -.inf, +.INF, .nan, .NaN, -.nan, inf]\n')).to.deep.equal([
      { a: [Infinity, -Infinity, Infinity, NaN, NaN, '-.nan', 'inf'] },
    ]);
    const { locate } = parse('&x a: ""\nb:\nc: \'\'\n');
    expect(['a', 'b', 'c'].map((name) => locate([name])).map(({ line, column }) => `${line}:${column}`)).to.deep.equal([
      '1:7',
      '2:1',
      '3:4',
    ]);
  });
});
