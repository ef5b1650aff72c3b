import { expect } from 'chai';
import type { Source } from '../../src/core/model/source/diagnostic.js';
import { Unsafe } from '../../src/core/model/values/value.js';
import { checkExpression, checkTemplates, hasTemplate } from '../../src/language/check.js';
import { Library } from '../../src/language/library.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { HERE } from './scopes.js';

/** The path as a file name. */
function locate(path: readonly (string | number)[]): Source {
  return { file: path.join('.'), line: 1, column: 1 };
}

describe('checking templates', () => {
  it('finds all mistakes with their positions, and renders nothing', () => {
    const value = {
      good: '{{ anything | default("x") }}',
      list: ['{{ x | uper }}', 'text', '{{ eq a }}'],
      inner: { bad: '{{#if x}}', worse: '{% if x %}', '{{ y | frobnicate }}': 1, data: new Unsafe('{{#if x}}') },
    };
    expect(checkTemplates(value, locate)).to.deep.equal([
      {
        severity: 'error',
        message: 'there is no filter or function "uper"',
        hint: 'did you mean "upper"?',
        source: locate(['list', 0]),
      },
      {
        severity: 'error',
        message: '"eq" takes 2 arguments, but one is given',
        hint: 'write eq(left, right)',
        source: locate(['list', 2]),
      },
      {
        severity: 'error',
        message: '{{#if}} is never closed',
        hint: 'write {{/if}} where it ends',
        source: locate(['inner', 'bad']),
      },
      {
        severity: 'error',
        message: '{% if x %} is never closed',
        hint: 'write {% endif %} where it ends',
        source: locate(['inner', 'worse']),
      },
      {
        severity: 'error',
        message: 'there is no filter or function "frobnicate"',
        hint: undefined,
        source: locate(['inner', '{{ y | frobnicate }}']),
      },
    ]);
  });

  it('finds several mistakes in one text, even inside blocks and arguments', () => {
    const messages = checkTemplates('{{#each x | srot}}{{upper (lowre y) z=1}}{{/each}}', locate).map(
      ({ message }) => message,
    );
    expect(messages).to.deep.equal([
      'there is no filter or function "srot"',
      '"upper" has no argument "z"',
      'there is no filter or function "lowre"',
    ]);
  });

  it('checks conditions', () => {
    expect(checkExpression('env == "prod" and x is defined', HERE)).to.deep.equal([]);
    expect([true, null, '', 3].flatMap((one) => checkExpression(one, HERE))).to.deep.equal([]);
    expect(checkExpression('env = "prod"', HERE)).to.deep.equal([
      {
        severity: 'error',
        message: 'cannot read the expression "env = "prod"": "=" is not expected after "env"',
        hint: 'write == to compare',
        source: HERE,
      },
    ]);
    expect(checkExpression('r is chagned', HERE)).to.deep.equal([
      { severity: 'error', message: 'there is no test "chagned"', hint: 'did you mean "changed"?', source: HERE },
    ]);
    expect(checkExpression('{{ x }}', HERE)).to.deep.equal([
      {
        severity: 'warning',
        message: 'an expression needs no {{ }}',
        hint: 'remove the braces: x',
        source: HERE,
        rule: 'no-jinja-when',
      },
    ]);
    expect(checkExpression('{{ x }} == 1', HERE)).to.deep.equal([
      {
        severity: 'warning',
        message: 'an expression needs no {{ }}',
        hint: 'remove the braces: x == 1',
        source: HERE,
        rule: 'no-jinja-when',
      },
    ]);
  });

  it('checks names of filters, tests and lookups in the arguments of a call', () => {
    const problems = (text: string): readonly unknown[] =>
      checkTemplates({ text }, locate).map(({ message, hint }) => [message, hint]);
    expect(problems('{{ a | map("uper") }}')).to.deep.equal([
      ['map: there is no filter or function "uper"', 'did you mean "upper"?'],
    ]);
    expect(problems('{{ a | select("evn") }}')).to.deep.equal([
      ['select: there is no test "evn"', 'did you mean "even"?'],
    ]);
    expect(problems('{{ a | rejectattr("x", "equalt", 1) }}')).to.deep.equal([
      ['rejectattr: there is no test "equalt"', 'did you mean "equalto"?'],
    ]);
    expect(problems('{{ lookup("fiel", "x") }}')).to.deep.equal([
      ['there is no lookup "fiel"', 'did you mean "file"?'],
    ]);
    expect(problems('{% for x in y | uper %}{% endfor %}')).to.have.length(1);
    expect(problems('{% for x in y | uper if x | lowre %}{% endfor %}')).to.have.length(2);
    expect(problems('{{ query("upper", "x") }}').length, 'a filter is no lookup').to.equal(1);
    expect(problems('{{ a | select("replace") }}').length, 'a filter is no test').to.equal(1);
    for (const good of ['a | map("upper")', 'a | select("even")', 'a | selectattr("x", "eq", 1)', 'q("file", "x")'])
      expect(problems(`{{ ${good} }}`), good).to.deep.equal([]);
  });

  it('finds what --no-exec refuses, wherever it is named', () => {
    const library = new Library(BUILT_IN, new Set(['own']));
    const refusals: Readonly<Record<string, readonly string[]>> = {
      'lookup("pipe", "x")': ['"pipe" runs a command'],
      'q("lines", "x")': ['"lines" runs a command'],
      'query("url", "x") + q("pipe", "x")': ['"url" sends a request', '"pipe" runs a command'],
      'x | select("url")': [],
      'x | url': [],
      'x | reject("own")': ['the filter "own" is code that --no-exec does not load'],
      'own(x)': ['the filter "own" is code that --no-exec does not load'],
    };
    for (const [expression, messages] of Object.entries(refusals)) {
      const found = checkExpression(expression, HERE, library).filter(({ rule }) => rule === 'no-exec');
      const shown = found.map(({ message }) => message.replace(', which --no-exec refuses', ''));
      expect(shown, expression).to.deep.equal(messages);
    }
  });

  it('recognises templates', () => {
    expect(['{{x}}', 'a {{x}}', '{% if x %}', '{# x #}'].map(hasTemplate)).to.deep.equal([true, true, true, true]);
    expect(['{%- if', '{%if x'].map(hasTemplate)).to.deep.equal([true, true]);
    expect(['', 'text', '{ x }', '100{%', '{#', '{% %}'].map(hasTemplate).filter(Boolean)).to.deep.equal([]);
  });
});
