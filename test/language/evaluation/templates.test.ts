import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { renderText } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { failure, variables } from '../scopes.js';

const scope = variables({
  tree: [
    { n: 'a', c: [{ n: 'b', c: [] }] },
    { n: 'c', c: [] },
  ],
  l: ['x', 'y'],
  m: { p: 1, q: 2 },
  o: { p: 1, q: { r: 2 } },
  t: true,
  f: false,
  s: 'text',
});

describe('a template', () => {
  const results: readonly (readonly [template: string, result: Value])[] = [
    ['{% for x in [1, 2, 3] if x > 1 %}{{ x }}{{ loop.first }}{% else %}none{% endfor %}', '2True3False'],
    ['{% for x in [1] if x > 1 %}{{ x }}{% else %}none{% endfor %}', 'none'],
    ['{% for a, (b, c) in [[1, [2, 3]], [4, "56"]] %}{{ a }}{{ b }}{{ c }};{% endfor %}', '123;456;'],
    ['{% for x in tree recursive %}{{ x.n }}{{ loop.depth }}{{ loop(x.c) }}{% endfor %}', 'a1b2c1'],
    ['{% set a, b = [1, 2] %}{{ b }}{{ a }}', '21'],
    ['{% set ns = namespace(x=1) %}{% for i in [1, 2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}', '4'],
    ['{% set x | upper %}a{{ 1 }}{% endset %}{{ x }}-{% set y %}{{ s }}{% endset %}{{ y }}', 'A1-text'],
    ['{% set a = 0 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}', '100'],
    ['{% set ns = namespace(a=1, b=none) %}{{#each ns}}{{@key}}={{this}};{{/each}}', 'a=1;b=;'],
    [
      '{{#each l as |item key|}}{{item}}{{key}}{{@index}}{{@first}}{{@last}};{{else}}none{{/each}}',
      'x00TrueFalse;y11FalseTrue;',
    ],
    ['{{#each m}}{{@key}}{{this}};{{/each}}{{#each none}}a{{else}}none{{/each}}', 'p1;q2;none'],
    ['{{#with m as |w|}}{{p}}{{w.q}}{{else}}none{{/with}}{{#with f}}a{{else}}none{{/with}}', '12none'],
    ['{% if t %}1{% elif f %}2{% elif f %}3{% else %}4{% endif %}', '1'],
    ['{% if f %}1{% elif t %}2{% elif f %}3{% else %}4{% endif %}', '2'],
    ['{% if f %}1{% elif f %}2{% elif t %}3{% else %}4{% endif %}', '3'],
    ['{% if f %}1{% elif f %}2{% elif f %}3{% else %}4{% endif %}', '4'],
    ['{{ "a-b" | replace(*["a", "c"]) }}', 'c-b'],
    ['{{ "a" | replace("a", *["b"], **{"count": 1}) }}', 'b'],
    ['{{ dict(a=1, **{"b": 2}) }}', { a: 1, b: 2 }],
    ['{{ "x" | center(**{"width": 3}) }}|', ' x |'],
    ['{{ range(*[1, 4]) | list }}', [1, 2, 3]],
    ['{{ ["x", none] | map("default", "d", true) | list }}', ['x', 'd']],
    ['{{ [{"a": 1}, {}] | map(attribute="a") | select("defined") | list }}', [1]],
    ['{{ [{"a": 1}, {}] | map(attribute="a", default=0) | list }}', [1, 0]],
    ['{{ [1, 2] | map("add", 5) | list }}', [6, 7]],
    ['{{ now is string }}', true],
    ['{{ add 5 -3 }}{{ 5 -3 }}{{ 5 - 3 }}{{ - 5 }}', '222-5'],
    ['{# a #}b{#- c -#} d', 'bd'],
    ['{{ abs 5 - 3 }}', 2],
    ['{{ abs (-5) + 1 }}', 6],
    ['{{ replace ("aa") "a" "b" }}', 'bb'],
    ['{{#each l}}{{../s}}{{this}}{{/each}}', 'textxtexty'],
    ['{{#with o}}{{#with q}}{{r}}{{../p}}{{../../s}}{{.././p}}{{this.r}}{{./r}}{{/with}}{{/with}}', '21text122'],
    ['{{#with o}}{{ . }}{{/with}}', { p: 1, q: { r: 2 } }],
  ];
  for (const [template, result] of results)
    it(`gives ${JSON.stringify(result)}: ${template}`, () => {
      expect(renderText(template, scope)).to.deep.equal(result);
    });

  const refusals: readonly (readonly [template: string, message: string])[] = [
    ['{% for a, b in [[1]] %}{% endfor %}', 'a list cannot be unpacked into a, b: it has 1 item'],
    ['{% for a, (b, c) in [[1, [2, 3, 4]]] %}{% endfor %}', 'a list cannot be unpacked into b, c: it has 3 items'],
    ['{% for a, (b, c), d in ["x"] %}{% endfor %}', 'a text cannot be unpacked into a, (b, c), d: it has 1 item'],
    ['{% for a in 5 %}{% endfor %}', '{% for %} needs a list, a mapping or a text, not the number 5'],
    [
      '{% set ns = {} %}{% set ns.x = 1 %}',
      '{% set ns.x %}: "ns" is a mapping, not a namespace — write {% set ns = namespace(x=…) %} first',
    ],
    [
      '{{ replace ("aa", count=1) "b" }}',
      'cannot read the expression "replace ("aa", count=1) "b"": ""b"" is not expected after "replace ("aa", count=1)" — put an operator before "b", such as == or in',
    ],
    ['{{#each l}}{{../gone}}{{/each}}', 'variable "gone" is not defined'],
    ['{{#each l}}{{../}}{{/each}}', '".." has no value here — "this" belongs inside {{#each}} or {{#with}}'],
    ['{{#with o}}{{./zz}}{{/with}}', `"./zz" is not defined in this block's value, which is a mapping`],
    ['{{#with o}}{{this.zz}}{{/with}}', `"this.zz" is not defined in this block's value, which is a mapping`],
    ['{{@zz}}', '"@zz" has no value here — @index, @key, @first and @last belong inside {{#each}}'],
    ['{{ o["q"]["zz"] }}', '"o.q" has no "zz": it is a mapping with r'],
    ['{{ l[5] }}', '"l" has no "5": it is a list of 2'],
    ['{{#each s}}a{{/each}}', '{{#each}} needs a list or a mapping, not a text'],
    ['{{ "x" | replace(*5) }}', 'the value after * must be a list, not the number 5'],
    ['{{ dict(**[1]) }}', 'the value after ** must be a mapping, not a list'],
    [
      '{{ "x" | replace(*["a"]) }}',
      '"replace" takes 3 to 4 arguments, but 2 are given — write replace(text, old, new, count?)',
    ],
    ['{{ range }}', 'variable "range" is not defined — for the function, write its arguments in parentheses: range(…)'],
  ];
  for (const [template, message] of refusals)
    it(`is refused: ${template}`, () => {
      const error = failure(() => renderText(template, scope));
      if (!(error instanceof TemplateError)) throw error;
      expect(error.hint === undefined ? error.message : `${error.message} — ${error.hint}`).to.equal(message);
    });
});
