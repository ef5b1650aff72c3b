import { expect } from 'chai';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { BlockStack } from '../../../src/language/syntax/block_stack.js';
import { shortStatement, TextLines } from '../../../src/language/syntax/lines.js';
import { outline } from '../../../src/language/syntax/outline.js';
import { readInside, readTag, textEnd, type Spacing } from '../../../src/language/syntax/tags.js';
import { hasJinja } from '../../../src/language/syntax/template.js';

/** The message, where it is, and the hint of what is thrown. */
function refusal(run: () => unknown): string {
  try {
    return `returned ${JSON.stringify(run())}`;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const place = error.place === undefined ? '' : ` @${error.place.line}:${error.place.column}`;
    return `${error.message}${place}${error.hint === undefined ? '' : ` — ${error.hint}`}`;
  }
}

describe('The lines of a text', () => {
  it('have places that count from 1', () => {
    const lines = new TextLines('ab\ncd\n\nx');
    const places = [0, 1, 2, 3, 5, 6, 7].map((at) => lines.place(at));
    expect(places.map(({ line, column }) => `${line}:${column}`)).to.deep.equal([
      '1:1',
      '1:2',
      '1:3',
      '2:1',
      '2:3',
      '3:1',
      '4:1',
    ]);
  });

  it('may begin elsewhere in their file', () => {
    expect(new TextLines('ab\ncd', { line: 10, columns: true }).place(4)).to.deep.equal({ line: 11, column: 2 });
    expect(new TextLines('ab\ncd', { line: 10, columns: false }).place(4)).to.deep.equal({ line: 11, column: 1 });
  });

  it('are named in errors, if there are several', () => {
    expect(
      refusal(() => {
        throw new TextLines('ab\ncd').error('odd', 3, 'why');
      }),
    ).to.equal('odd (line 2) @2:1 — why');
    expect(
      refusal(() => {
        throw new TextLines('ab\n\n').error('odd', 1);
      }),
    ).to.equal('odd @1:2');
  });

  it('say how far apart they are', () => {
    const lines = new TextLines('a\nb\nc');
    expect([lines.linesAboveText(0, 1), lines.linesAboveText(0, 2), lines.linesAboveText(0, 4)]).to.deep.equal([
      '',
      ', opened 1 line above',
      ', opened 2 lines above',
    ]);
  });

  it('add a place to errors of templates only', () => {
    const lines = new TextLines('a\nb');
    const within = (error: Error) => () =>
      lines.locating(2, () => {
        throw error;
      });
    expect(refusal(within(new TemplateError('odd', { hint: 'why' })))).to.equal('odd (line 2) @2:1 — why');
    const other = new RangeError('other');
    expect(within(other)).to.throw(other);
    expect(lines.locating(2, () => 7)).to.equal(7);
  });

  it('are shortened for messages', () => {
    expect(shortStatement('{%  if\n  a %}')).to.equal('{% if a %}');
    expect(shortStatement('x'.repeat(60))).to.equal('x'.repeat(60));
    expect(shortStatement('x'.repeat(61))).to.equal(`${'x'.repeat(56)}… %}`);
  });
});

describe('The inside of braces', () => {
  const rows: readonly (readonly [text: string, close: string, inner: string | undefined, rest?: string])[] = [
    ['a }} b', '}}', 'a ', ' b'],
    ['}}', '}}', '', ''],
    ['{"a": {}} }}x', '}}', '{"a": {}} ', 'x'],
    ['{"a": {}}}}x', '}}', '{"a": {}}', 'x'],
    ["'}}' }}", '}}', "'}}' ", ''],
    ['"}}" }}', '}}', '"}}" ', ''],
    [String.raw`'\'}}' }}`, '}}', String.raw`'\'}}' `, ''],
    [`"'" }} "'" }}`, '}}', `"'" `, ` "'" }}`],
    ["it's }} x", '}}', "it's ", ' x'],
    [`it's "}} x`, '}}', `it's "`, ' x'],
    ['a }', '}}', undefined],
    ['{ }}', '}}', undefined],
    ['a %} }}', '%}', 'a ', ' }}'],
    ['', '}}', undefined],
  ];
  for (const [text, close, inner, rest] of rows)
    it(`of ${JSON.stringify(text)}`, () => {
      const found = readInside(`{{${text}`, 2, close);
      expect(found && [found[0], `{{${text}`.slice(found[1])]).to.deep.equal(
        inner === undefined ? undefined : [inner, rest],
      );
    });
});

describe('A text of Jinja', () => {
  const yes = ['{% if a %}', '{%if', '{%- if', '{%+ set', '{%\nif', '{# x #}', '{##}', '{% nothing', '{%_a'];
  const no = ['', 'a', '{{ a }}', '{%', '{% 5', '{%- %}', '{%=', '{# x', '{#}', '{{# x #}', '#}{#', '{ % if'];
  for (const text of yes) it(`is ${JSON.stringify(text)}`, () => expect(hasJinja(text)).to.equal(true));
  for (const text of no) it(`is not ${JSON.stringify(text)}`, () => expect(hasJinja(text)).to.equal(false));
});

const NONE: Spacing = { trim: false, lstrip: false };
const STRIPPED: Spacing = { trim: true, lstrip: true };

describe('A tag', () => {
  const tag = (text: string, spacing = NONE): string => {
    const { kind, word, rest, written, sign, end, endSign } = readTag(new TextLines(text), 0, spacing);
    return [kind, word, JSON.stringify(rest), written, `${sign}/${endSign}`, text.slice(end)].join('|');
  };
  const rows: readonly (readonly [text: string, tag: string])[] = [
    ['{% if a %}x', 'opens|if|"a"|{% if a %}|/|x'],
    ['{%if(a)%}', 'opens|if|"(a)"|{% if (a) %}|/|'],
    ['{%- if a -%}x', 'opens|if|"a"|{% if a %}|-/-|x'],
    ['{%+ for a in b +%}', 'opens|for|"a in b"|{% for a in b %}|+/+|'],
    ['{% with %}', 'opens|with|""|{% with %}|/|'],
    ['{% elif a %}', 'divides|elif|"a"|{% elif a %}|/|'],
    ['{% else %}', 'divides|else|""|{% else %}|/|'],
    ['{% endif %}', 'closes|endif|""|{% endif %}|/|'],
    ['{% endfor %}', 'closes|endfor|""|{% endfor %}|/|'],
    ['{% endset %}', 'closes|endset|""|{% endset %}|/|'],
    ['{% endwith %}', 'closes|endwith|""|{% endwith %}|/|'],
    ['{% set a = 1 %}', 'alone|set|"a = 1"|{% set a = 1 %}|/|'],
    ['{% set a, b = c %}', 'alone|set|"a, b = c"|{% set a, b = c %}|/|'],
    ['{% set a %}', 'opens|set|"a"|{% set a %}|/|'],
    ['{% set a | upper %}', 'opens|set|"a | upper"|{% set a | upper %}|/|'],
    ['{% set a.b = 1 %}', 'alone|set|"a.b = 1"|{% set a.b = 1 %}|/|'],
    ['{% if a == "%}" %}x', 'opens|if|"a == \\"%}\\""|{% if a == "%}" %}|/|x'],
    ['{# a #}x', 'alone|comment|""|{# #}|/|x'],
    ['{#- a -#}x', 'alone|comment|""|{# #}|-/-|x'],
    ['{#-#}', 'alone|comment|""|{# #}|-/|'],
    ['{#--#}', 'alone|comment|""|{# #}|-/-|'],
    ['{% raw %} {{ a }} {% endraw %}x', 'alone|raw|" {{ a }} "|{% raw %}|/|x'],
    ['{% raw -%} {{ a }} {%- endraw %}x', 'alone|raw|"{{ a }}"|{% raw %}|/|x'],
    ['{%- raw %} a {% endraw -%}x', 'alone|raw|" a "|{% raw %}|-/-|x'],
    ['{% raw +%}\na {%+ endraw +%}', 'alone|raw|"\\na "|{% raw %}|/+|'],
  ];
  for (const [text, read] of rows) it(`is read: ${JSON.stringify(text)}`, () => expect(tag(text)).to.equal(read));

  it('of raw text drops blanks before its end, if statements do', () => {
    const text = '{% raw %}a\n  {% endraw %}';
    expect(tag(text)).to.include('"a\\n  "');
    expect(tag(text, STRIPPED)).to.include('"a\\n"');
  });

  const absent: readonly (readonly [text: string, message: string])[] = [
    ['{% if', '"{% if" is never closed @1:1 — write %} where it ends'],
    [`{% if ${'x'.repeat(40)}`, `"{% if ${'x'.repeat(34)}" is never closed @1:1 — write %} where it ends`],
    ['{% if\na', '"{% if" is never closed (line 1) @1:1 — write %} where it ends'],
    ['{% raw %} x', '{% raw %} is never closed @1:1 — write {% endraw %} where it ends'],
    ['{% endfi %}', 'there is no statement {% endfi %} @1:1 — did you mean "endif"?'],
    [
      '{% whatsoever %}',
      'there is no statement {% whatsoever %} @1:1 — use one of if, elif, else, endif, for, endfor, set, endset, with, endwith, raw, endraw',
    ],
    ...(['macro', 'call', 'endmacro', 'endcall'] as const).map(
      (word) =>
        [
          `{% ${word} x %}`,
          `{% ${word} %} does not exist here @1:1 — keep the text in a variable and write {{ variable }} where it is needed`,
        ] as const,
    ),
    ...(['import', 'from'] as const).map(
      (word) =>
        [`{% ${word} x %}`, `{% ${word} %} does not exist here @1:1 — keep what is shared in variables`] as const,
    ),
    ...(['extends', 'block', 'endblock'] as const).map(
      (word) =>
        [
          `{% ${word} x %}`,
          `{% ${word} %} does not exist here @1:1 — write {{ lookup("template", "name") }} where another file belongs`,
        ] as const,
    ),
    ...(['break', 'continue'] as const).map(
      (word) =>
        [
          `{% ${word} %}`,
          `{% ${word} %} does not exist here @1:1 — choose the items in the loop: {% for x in list if condition %}`,
        ] as const,
    ),
    ['{% include x %}', '{% include %} does not exist here @1:1 — write {{ lookup("template", "name") }}'],
    [
      '{% filter upper %}',
      '{% filter %} does not exist here @1:1 — write {% set text %}…{% endset %}{{ text | filter }}',
    ],
    ['{% do a() %}', '{% do %} does not exist here @1:1 — write {% set _ = expression %}'],
    ['{% autoescape %}', '{% autoescape %} does not exist here @1:1 — nothing is escaped here: leave it out'],
    ['{% trans %}', '{% trans %} does not exist here @1:1 — write the text itself'],
  ];
  for (const [text, message] of absent)
    it(`is refused: ${JSON.stringify(text)}`, () => expect(refusal(() => tag(text))).to.equal(message));
});

describe('The text before a statement', () => {
  const rows: readonly (readonly [text: string, from: number, sign: string, end: number])[] = [
    ['a\n  ', 0, '', 2],
    ['  ', 0, '', 0],
    ['a  ', 0, '', 3],
    ['a\nb ', 0, '', 4],
    ['a\n  ', 0, '+', 4],
    ['a\n  ', 0, '-', 4],
    ['x\n  ', 2, '', 2],
    ['xx  ', 2, '', 4],
    ['a\n\n\t', 0, '', 3],
  ];
  for (const [text, from, sign, end] of rows)
    it(`ends where its line begins, if that is blank: ${JSON.stringify([text, from, sign])}`, () => {
      expect(textEnd(text, from, text.length, sign, STRIPPED)).to.equal(end);
      expect(textEnd(text, from, text.length, sign, NONE)).to.equal(text.length);
    });
});

describe('The open blocks of a template', () => {
  const TEXT = 'one\ntwo\nthree';
  type Use = (stack: BlockStack) => void;
  const used = (use: Use): string =>
    refusal(() => {
      use(new BlockStack(new TextLines(TEXT)));
    });

  const heads: readonly (readonly [sigil: string, content: string, head: object])[] = [
    ['#', 'if a', { name: 'if', expression: 'a', params: '' }],
    ['^', 'unless  a and b ', { name: 'unless', expression: 'a and b', params: '' }],
    ['#', 'each items as |one|', { name: 'each', expression: 'items', params: ' as |one|' }],
    ['#', 'each items as |one index|', { name: 'each', expression: 'items', params: ' as |one index|' }],
    ['#', 'with a | b as |c|', { name: 'with', expression: 'a | b', params: ' as |c|' }],
    ['#', 'with a |', { name: 'with', expression: 'a |', params: '' }],
    ['#', 'with a |b|', { name: 'with', expression: 'a |b|', params: '' }],
    ['#', 'with alas |b|', { name: 'with', expression: 'alas |b|', params: '' }],
  ];
  for (const [sigil, content, head] of heads)
    it(`begin with a head: ${sigil}${content}`, () =>
      expect(new BlockStack(new TextLines(TEXT)).open(sigil, content, 0)).to.deep.equal(head));

  const fine: readonly Use[] = [
    (stack) => {
      stack.open('#', 'if a', 0);
      stack.otherwise(1);
      stack.close('if', 2);
      stack.finish();
    },
    (stack) => {
      stack.open('#', 'if a', 0);
      stack.chain('else if b', 1);
      stack.otherwise(1);
    },
    (stack) => {
      stack.openStatement('for', '{% for %}', 0);
      stack.divide('else', 1);
      stack.closeStatement('endfor', 2);
    },
    (stack) => {
      stack.openStatement('if', '{% if a %}', 0);
      stack.divide('elif', 1);
      stack.divide('elif', 1);
      stack.divide('else', 2);
      stack.openStatement('with', '{% with %}', 3);
      stack.closeStatement('endwith', 4);
      stack.closeStatement('endif', 5);
      stack.finish();
    },
    (stack) => {
      for (let depth = 0; depth < 50; depth += 1) stack.open('#', 'if a', 0);
    },
  ];
  for (const [index, use] of fine.entries())
    it(`are divided and closed ${index}`, () => expect(used(use)).to.match(/^returned/));

  const faults: readonly (readonly [use: Use, message: string])[] = [
    [
      (stack) => {
        stack.close('if', 0);
      },
      '{{/if}} closes a block that was never opened (line 1) @1:1',
    ],
    [
      (stack) => {
        stack.closeStatement('endif', 4);
      },
      '{% endif %} closes a block that was never opened (line 2) @2:1',
    ],
    [
      (stack) => {
        stack.otherwise(0);
      },
      '{{else}} is outside of any block (line 1) @1:1',
    ],
    [
      (stack) => {
        stack.divide('elif', 0);
      },
      '{% elif %} is outside of any block (line 1) @1:1',
    ],
    [
      (stack) => {
        stack.chain('else if a', 0);
      },
      '{{else if a}} is outside of any block (line 1) @1:1',
    ],
    [
      (stack) => {
        stack.open('#', 'if a', 0);
        stack.close('each', 4);
      },
      '{{/each}} cannot close {{#if}}, opened 1 line above (line 2) @2:1 — write {{/if}}',
    ],
    [
      (stack) => {
        stack.open('^', 'if a', 0);
        stack.closeStatement('endif', 1);
      },
      '{% endif %} cannot close {{#if}} (line 1) @1:2 — write {{/if}}',
    ],
    [
      (stack) => {
        stack.open('#', 'if a', 0);
        stack.otherwise(1);
        stack.otherwise(4);
      },
      '{{#if}} has two {{else}} (line 2) @2:1',
    ],
    [
      (stack) => {
        stack.openStatement('if', '{% if a %}', 0);
        stack.divide('else', 1);
        stack.divide('else', 4);
      },
      '{% if a %} has two {% else %} (line 2) @2:1',
    ],
    [
      (stack) => {
        stack.openStatement('if', '{% if a %}', 0);
        stack.divide('else', 1);
        stack.divide('elif', 4);
      },
      '{% elif %} after {% else %} (line 2) @2:1',
    ],
    [
      (stack) => {
        stack.openStatement('for', '{% for a in b %}', 0);
        stack.divide('elif', 4);
      },
      '{% elif %} does not belong to {% for a in b %}, opened 1 line above (line 2) @2:1 — write {% else %}',
    ],
    [
      (stack) => {
        stack.openStatement('if', '{% if a %}', 0);
        stack.otherwise(0);
      },
      '{{else}} does not belong to {% if a %} (line 1) @1:1 — write {% elif %} or {% else %}',
    ],
    [
      (stack) => {
        stack.openStatement('set', '{% set a %}', 0);
        stack.divide('else', 0);
      },
      '{% else %} does not belong to {% set a %} (line 1) @1:1 — write {% endset %} first',
    ],
    [
      (stack) => {
        stack.open('#', 'if a', 0);
        stack.divide('else', 0);
      },
      '{% else %} does not belong to {{#if}} (line 1) @1:1 — write {{else}}',
    ],
    [
      (stack) => {
        stack.open('#', 'if a', 0);
        stack.open('#', 'with b', 8);
        stack.finish();
      },
      '{{#with}} is never closed (line 3) @3:1 — write {{/with}} where it ends',
    ],
    [
      (stack) => {
        stack.openStatement('for', '{% for a in b %}', 4);
        stack.finish();
      },
      '{% for a in b %} is never closed (line 2) @2:1 — write {% endfor %} where it ends',
    ],
    [
      (stack) => Array.from({ length: 51 }, () => stack.open('#', 'if a', 4)),
      'the blocks are nested too deeply (line 2) @2:1',
    ],
    [
      (stack) =>
        Array.from({ length: 51 }, () => {
          stack.openStatement('if', '{% if %}', 4);
        }),
      'the blocks are nested too deeply (line 2) @2:1',
    ],
    [
      (stack) => {
        stack.open('#', 'ech a', 0);
      },
      'there is no block "{{#ech}}" — did you mean "each"?',
    ],
    [
      (stack) => {
        stack.open('^', 'lookup a', 0);
      },
      'there is no block "{{^lookup}}" — blocks are {{#if}}, {{#unless}}, {{#each}} and {{#with}}',
    ],
    [
      (stack) => {
        stack.open('#', 'if', 0);
      },
      '{{#if}} needs an expression — write {{#if expression}}',
    ],
    [
      (stack) => {
        stack.open('#', 'each as |a|', 0);
      },
      '{{#each}} needs an expression — write {{#each expression}}',
    ],
    [
      (stack) => {
        stack.open('#', 'if a as |b|', 0);
      },
      '{{#if}} has no block parameters',
    ],
    [
      (stack) => {
        stack.open('#', 'unless a as |b|', 0);
      },
      '{{#unless}} has no block parameters',
    ],
    [
      (stack) => {
        stack.open('#', 'if a', 0);
        stack.chain('else if', 0);
      },
      '{{else if}} needs an expression — write {{else if expression}}',
    ],
  ];
  for (const [index, [use, message]] of faults.entries())
    it(`are refused ${index}: ${message}`, () => expect(used(use)).to.equal(message));
});

describe('The outline of a template', () => {
  const drawn = (text: string, jinja?: Spacing): readonly unknown[] => {
    const { text: shape, expressions, statements } = outline(new TextLines(text), jinja);
    return [
      shape,
      ...expressions.map((one) => `${one.text}@${one.at}`),
      ...statements.map(({ word, rest, at }) => `${word} ${rest}@${at}`),
    ];
  };
  const plain: readonly (readonly [text: string, shape: readonly string[]])[] = [
    ['', ['']],
    ['a } b {', ['a } b {']],
    ['a {{ b }} c {{d}}', ['a {{e0}} c {{e1}}', 'b@2', 'd@12']],
    ['{{~ a ~}} b', ['{{~e0~}} b', 'a@0']],
    ['{{- a -}} b', ['{{~e0~}} b', 'a@0']],
    ['{{-1}}', ['{{e0}}', '-1@0']],
    ['{{{ a }}}', ['{{e0}}', 'a@0']],
    ['{{& a }}', ['{{e0}}', 'a@0']],
    ['{{{"a": 1}}}', ['{{e0}}', '{"a": 1}@0']],
    ['{{{}}}', ['{{e0}}', '{}@0']],
    ['{{{a.b: 1}}}', ['{{e0}}', '{a.b: 1}@0']],
    ['{"m": {{ a }}}', ['{"m": {{e0}}{{!}}}', 'a@6']],
    ['{{! note }} x', ['{{! note }} x']],
    ['{{!-- }} --}} x', ['{{!-- }} --}} x']],
    ['{{!-- }} --~}} x', ['{{!-- }} --~}} x']],
    ['{{#if a}}x{{else if b}}y{{else}}z{{/if}}', ['{{#if e0}}x{{else if e1}}y{{else}}z{{/if}}', 'a@0', 'b@10']],
    ['{{#if a}}x{{^}}z{{/if}}', ['{{#if e0}}x{{else}}z{{/if}}', 'a@0']],
    ['{{^if a}}x{{/if}}', ['{{^if e0}}x{{/if}}', 'a@0']],
    ['{{~#each a as |b|~}}{{b}}{{~/each~}}', ['{{~#each e0 as |b|~}}{{e1}}{{~/each~}}', 'a@0', 'b@20']],
    ['\\{{ a }} {{ b }}', ['\\\\{{e0}} {{e1}}', 'a@1', 'b@9']],
    ['\\\\{{ a }}', ['\\\\\\{{e0}}', 'a@2']],
    ['{{{{raw}}}} {{ a }} {{{{/raw}}}}{{ b }}', ['{{{{raw}}}} {{ a }} {{{{/raw}}}}{{e0}}', 'b@32']],
    ['{% if a %}{{ elsewhere }}', ['{% if a %}{{e0}}', 'elsewhere@10']],
  ];
  for (const [text, shape] of plain)
    it(`has no expressions: ${JSON.stringify(text)}`, () => expect(drawn(text)).to.deep.equal(shape));

  const jinja: readonly (readonly [text: string, shape: readonly string[]])[] = [
    ['a{% if b %}c{% endif %}', ['a{{s0}}c{{s1}}', 'if b@1', 'endif @12']],
    ['{%- set a = 1 -%} b', ['{{~s0~}} b', 'set a = 1@0']],
    ['{% set a = 1 %}\nb', ['{{s0}}b', 'set a = 1@0']],
    ['{% set a = 1 %}\r\nb', ['{{s0}}b', 'set a = 1@0']],
    ['{% set a = 1 +%}\nb', ['{{s0}}\nb', 'set a = 1@0']],
    ['x\n  {% set a = 1 %}y', ['x\n{{s0}}y', 'set a = 1@4']],
    ['x\n  {%+ set a = 1 %}y', ['x\n  {{s0}}y', 'set a = 1@4']],
    ['{# a #}\n{{ b }}', ['{{s0}}{{e0}}', 'b@8', 'comment @0']],
    ['{# a {{ b }}', ['{# a {{e0}}', 'b@5']],
    ['{# a #} {# b', ['{{s0}} {# b', 'comment @0']],
    ['{% raw %}{{ a }}{% endraw %}}', ['{{s0}}{{!}}}', 'raw {{ a }}@0']],
    ['\\{% set a = 1 %}', ['\\\\{{s0}}', 'set a = 1@1']],
    ['\\{{ a }}{% set b = 1 %}', ['\\\\{{e0}}{{s0}}', 'a@1', 'set b = 1@8']],
    ['{%5 %}{% set a = 1 %}', ['{%5 %}{{s0}}', 'set a = 1@6']],
  ];
  for (const [text, shape] of jinja)
    it(`has no statements: ${JSON.stringify(text)}`, () => expect(drawn(text, STRIPPED)).to.deep.equal(shape));

  it('keeps line breaks and blanks if the template does', () => {
    expect(drawn('x\n  {% set a = 1 %}\ny', NONE)[0]).to.equal('x\n  {{s0}}\ny');
  });

  const braces = 'write }} where it ends, or {{ "{{" }} for braces that are text';
  const partials = 'keep the text in a variable and write {{variable}}, or {{lookup("file", "name")}}';
  const refused: readonly (readonly [text: string, message: string])[] = [
    ['a {{ b', `"{{ b" is never closed @1:3 — ${braces}`],
    ['{{! b', `"{{! b" is never closed @1:1 — ${braces}`],
    ['{{!-- b }}', `"{{!-- b }}" is never closed @1:1 — ${braces}`],
    ['{{{ a }}', `"{{{ a }}" is never closed @1:1 — ${braces}`],
    ['{{> a }}', `"{{>a}}": partials and decorators do not exist here — ${partials}`],
    ['{{* a }}', `"{{*a}}": partials and decorators do not exist here — ${partials}`],
    ['{{#> a }}', `"{{#> a}}": partials and decorators do not exist here — ${partials}`],
    ['{{#* a }}', `"{{#* a}}": partials and decorators do not exist here — ${partials}`],
    ['{{{{ a }}}}', 'four braces begin only {{{{raw}}}} — write {{{{raw}}}}…{{{{/raw}}}}'],
    ['{{{{raw}}}} a', '{{{{raw}}}} is never closed — write {{{{/raw}}}} where it ends'],
    ['{{#if a}}', '{{#if}} is never closed @1:1 — write {{/if}} where it ends'],
    ['{{/if}}', '{{/if}} closes a block that was never opened @1:1'],
  ];
  for (const [text, message] of refused)
    it(`is refused: ${JSON.stringify(text)}`, () => expect(refusal(() => drawn(text))).to.equal(message));
});
