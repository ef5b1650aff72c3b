import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluate } from '../../../src/language/render.js';
import { Variables } from '../../../src/language/scope.js';
import { HERE, variables } from '../scopes.js';

const scope = variables({
  config: { name: 'lb', ports: [80, 443], note: 'yes', text: 'a\nb', empty: {}, nothing: null },
  accents: 'é☃',
});

/** A number beyond 2⁵³ reads back as text, to keep its digits. */
const EXACT = fc
  .jsonValue()
  .map((json) => JSON.parse(JSON.stringify(json)) as Value)
  .filter((json) => !/(?<![\d.])\d{16,}/.test(JSON.stringify(json)));

function value(expression: string): unknown {
  return evaluate(expression, scope, HERE);
}

describe('encodings', () => {
  it('write YAML that YAML 1.1 readers understand correctly', () => {
    expect(value('config | to_nice_yaml(indent=2)')).to.equal(
      "empty: {}\nname: lb\nnote: 'yes'\nnothing: null\nports:\n- 80\n- 443\ntext: 'a\n\n  b'\n",
    );
    expect(value('{"a": [1, 2], "b": {"c": "no"}} | to_yaml')).to.equal("a: [1, 2]\nb: {c: 'no'}\n");
  });

  it('write JSON as Python does', () => {
    expect(value('accents | to_json')).to.equal(String.raw`"\u00e9\u2603"`);
    expect(value('accents | to_json(ensure_ascii=false)')).to.equal('"é☃"');
    expect(value('{"b": [], "a": {"x": 1}} | to_nice_json(indent=2)')).to.equal(
      '{\n  "a": {\n    "x": 1\n  },\n  "b": []\n}',
    );
  });

  it('read back their own output', () => {
    fc.assert(
      fc.property(EXACT, (plain) => {
        const own = new Variables([{ level: 'facts', origin: 'test', literal: true, values: { it: plain } }]);
        expect(evaluate('it | to_json | from_json', own)).to.deep.equal(plain);
        expect(evaluate('it | to_nice_json | from_json', own)).to.deep.equal(plain);
        expect(evaluate('(it | to_json) == (it | to_json | b64encode | b64decode)', own)).to.equal(true);
      }),
    );
  });

  it('keep the digits of whole numbers beyond 2⁵³', () => {
    expect(value(`'{"id": 12345678901234567890, "mtu": 1500}' | from_json`)).to.deep.equal({
      id: 12345678901234567890n,
      mtu: 1500,
    });
  });

  it('write numbers as Python does', () => {
    const values = { small: 1e-7, large: 1.5e21, whole: 1e21, plain: 0.1, endless: Infinity, odd: NaN };
    const own = new Variables([{ level: 'facts', origin: 'test', literal: true, values }]);
    const texts = Object.keys(values).map((name) => evaluate(`${name} | string ~ " " ~ ${name}`, own));
    expect(texts).to.deep.equal(['1e-07 1e-07', '1.5e+21 1.5e+21', '1e+21 1e+21', '0.1 0.1', 'inf inf', 'nan nan']);
  });

  it('report invalid texts', () => {
    expect(() => value('"{" | from_json')).to.throw(/^from_json: the text is not JSON$/);
    expect(() => value('"a: [" | from_yaml')).to.throw(
      /^from_yaml: the text is not YAML: .+ end with a \] at line 1, column 5$/,
    );
    expect(() => value('"x" | hash("md6")')).to.throw('hash: there is no algorithm "md6"');
    expect(() => value('"x" | regex_replace("(", "")')).to.throw('"(" is not a regular expression: ');
  });

  it('say why aliases of YAML are refused', () => {
    const read = (text: string): unknown => evaluate('it | from_yaml', variables({ it: text }), HERE);
    expect(read(`a: &x 5\nb: [${'*x, '.repeat(150)}]`))
      .to.have.property('b')
      .of.length(150);
    expect(() => read('a: 1\n<<: 5')).to.throw(/^from_yaml: the text is not YAML: << needs mappings$/);
    expect(() => read('&a [*a]')).to.throw(/: an alias has no anchor, or is within its own$/);
    const levels = Array.from(
      { length: 8 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(10)}]`,
    );
    expect(() => read(['l0: &l0 x', ...levels].join('\n'))).to.throw('more than 1000000 values');
  });

  it('quote nothing of an invalid text, which may be a secret', () => {
    const said = (text: string, filter: string): string => {
      try {
        return JSON.stringify(evaluate(`it | ${filter}`, variables({ it: text }), HERE));
      } catch (error) {
        return String(error);
      }
    };
    for (const text of ['hunter2', '{"pw": hunter2}', '{"pw": "hunter2" "x"}', '["hunter2'])
      expect(said(text, 'from_json')).to.match(/from_json: the text is not JSON$/);
    const invalid = ['a: *hunter2', '!hunter2! x', 'a: |hunter2', 'a: 1\n}hunter2', '"\\Uhunter2"', '[a] hunter2'];
    for (const text of invalid)
      for (const filter of ['from_yaml', 'from_yaml_all'])
        expect(said(text, filter)).to.match(
          /the text is not YAML: (?:a mistake at line \d, column \d|an alias has no anchor, or .+)$/,
        );
  });
});
