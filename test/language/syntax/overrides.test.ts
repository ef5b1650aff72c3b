import { expect } from 'chai';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { JINJA_DELIMITERS, withStandardDelimiters, type Delimiters } from '../../../src/language/syntax/delimiters.js';
import { TextLines } from '../../../src/language/syntax/lines.js';
import { ANSIBLE, OVERRIDES, readOverrides, withSetting } from '../../../src/language/syntax/syntax.js';

function refusal(run: () => unknown): string {
  try {
    return `returned ${JSON.stringify(run())}`;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return error.hint === undefined ? error.message : `${error.message} — ${error.hint}`;
  }
}

describe('The line #jinja2: of a template', () => {
  const syntaxOf = (line: string) => readOverrides(`#jinja2:${line}\ntext`, ANSIBLE).syntax;

  it('is the first one, and is left out', () => {
    expect(readOverrides('text', ANSIBLE)).to.deep.equal({ rest: 'text', syntax: ANSIBLE });
    expect(readOverrides('#jinja2: trim_blocks: True\na\nb', ANSIBLE).rest).to.equal('a\nb');
    expect(readOverrides('#jinja2: trim_blocks: True', ANSIBLE).rest).to.equal('');
    expect(readOverrides('#jinja2: trim_blocks: True\n', ANSIBLE).rest).to.equal('');
    for (const text of [' #jinja2: trim_blocks: True', '\n#jinja2: x', '# jinja2: x', '#jinja2 x'])
      expect(text.startsWith(OVERRIDES), text).to.equal(false);
    expect(readOverrides('#jinja2: trim_blocks: False', ANSIBLE).syntax.spacing.trim).to.equal(false);
  });

  it('sets how white space is treated', () => {
    expect(ANSIBLE.spacing).to.deep.equal({ trim: true, lstrip: false });
    expect(syntaxOf('trim_blocks: False').spacing).to.deep.equal({ trim: false, lstrip: false });
    expect(syntaxOf(' lstrip_blocks:True').spacing).to.deep.equal({ trim: true, lstrip: true });
    expect(syntaxOf('lstrip_blocks: True, trim_blocks : False').spacing).to.deep.equal({ trim: false, lstrip: true });
    expect(syntaxOf('trim_blocks: False').delimiters).to.equal(JINJA_DELIMITERS);
    expect(syntaxOf('trim_blocks: False, trim_blocks: True').spacing.trim).to.equal(true);
  });

  const strings: readonly (readonly [name: string, changed: Partial<Delimiters>])[] = [
    ['variable_start_string', { variable: ['[[', '}}'] }],
    ['variable_end_string', { variable: ['{{', '[['] }],
    ['block_start_string', { block: ['[[', '%}'] }],
    ['block_end_string', { block: ['{%', '[['] }],
    ['comment_start_string', { comment: ['[[', '#}'] }],
    ['comment_end_string', { comment: ['{#', '[['] }],
  ];
  for (const [name, changed] of strings)
    it(`sets ${name}`, () =>
      expect(syntaxOf(` ${name}: '[['`)).to.deep.equal({
        ...ANSIBLE,
        delimiters: { ...JINJA_DELIMITERS, ...changed },
      }));

  it('sets several', () => {
    expect(syntaxOf(` variable_start_string: "<<", variable_end_string: '>>', block_start_string: ':'`)).to.deep.equal({
      ...ANSIBLE,
      delimiters: { ...JINJA_DELIMITERS, variable: ['<<', '>>'], block: [':', '%}'] },
    });
  });

  const known =
    'trim_blocks, lstrip_blocks, variable_start_string, variable_end_string, block_start_string, block_end_string, ' +
    'comment_start_string, comment_end_string';
  const refused: readonly (readonly [line: string, message: string])[] = [
    ['', `#jinja2: "" cannot be set — these can: ${known}`],
    [' autoescape: True', `#jinja2: "autoescape" cannot be set — these can: ${known}`],
    [' trim_blocks: True,', `#jinja2: "" cannot be set — these can: ${known}`],
    [' trim_blocks', '#jinja2: trim_blocks must be True or False'],
    [' trim_blocks: yes', '#jinja2: trim_blocks must be True or False'],
    [' trim_blocks: true', '#jinja2: trim_blocks must be True or False'],
    [' lstrip_blocks: 1', '#jinja2: lstrip_blocks must be True or False'],
    [` block_start_string: ''`, '#jinja2: block_start_string must be a text in quotes'],
    [' block_start_string: [[', '#jinja2: block_start_string must be a text in quotes'],
    [' block_start_string: 1', '#jinja2: block_start_string must be a text in quotes'],
    [' comment_end_string', '#jinja2: comment_end_string must be a text in quotes'],
  ];
  for (const [line, message] of refused)
    it(`is refused: ${JSON.stringify(line)}`, () => expect(refusal(() => syntaxOf(line))).to.equal(message));

  it('is changed one by one', () => {
    const one = withSetting(ANSIBLE, 'trim_blocks', false);
    expect(withSetting(one, 'block_end_string', '%]').spacing).to.equal(one.spacing);
    expect(ANSIBLE.spacing.trim).to.equal(true);
  });
});

describe('Other delimiters', () => {
  const SQUARE: Delimiters = { variable: ['[[', ']]'], block: ['[%', '%]'], comment: ['[#', '#]'] };
  const written = (text: string, delimiters = SQUARE): string =>
    withStandardDelimiters(new TextLines(text), delimiters);

  const rows: readonly (readonly [text: string, standard: string])[] = [
    ['plain', 'plain'],
    ['', ''],
    ['[[ a ]]', '{{  a  }}'],
    ['[[a]]b[[c]]', '{{ a }}b{{ c }}'],
    ['[[-a-]]', '{{- a-}}'],
    ['[[a-]]', '{{ a-}}'],
    ['[["]]"]]', '{{ "]]" }}'],
    ['[[ "]]', '{{  " }}'],
    ['[[{"a": [[1]]}]]', '{{ {"a": [[1]]} }}'],
    ['[%- if a -%]x[% endif %]', '{%- if a -%}x{% endif %}'],
    ['a[# c\nd #]b', 'a{#\n #}b'],
    ['[#- c -#]', '{#- -#}'],
    ['[#+ c +#]', '{#+ +#}'],
    ['[#-#]', '{#- #}'],
    ['[##]', '{# #}'],
    ['a [b] [', 'a [b] ['],
    ['[% raw %][[ a ]][% endraw %]', '{% raw %}[[ a ]]{% endraw %}'],
    ['[%- raw +%][% if %][%+ endraw -%]x', '{%- raw +%}[% if %]{%+ endraw -%}x'],
    ['{{ a }}', '{{ "{" }}{ a }}'],
    ['{% a %}{# b #}', '{{ "{" }}% a %}{{ "{" }}# b #}'],
    ['{ a }', '{ a }'],
    ['a{', 'a{{ "{" }}'],
    ['{[[a]]', '{{ "{" }}{{ a }}'],
    [String.raw`\{{ a }}`, String.raw`\{{ "{" }}{ a }}`],
    [String.raw`\[[a]]`, String.raw`\{{ a }}`],
    [String.raw`\[% if a %]\[% endif %]`, String.raw`\{% if a %}\{% endif %}`],
    [String.raw`a\ `, String.raw`a\ `],
  ];
  for (const [text, standard] of rows)
    it(`are replaced: ${JSON.stringify(text)}`, () => expect(written(text)).to.equal(standard));

  it('may begin alike: the longest one counts', () => {
    const alike: Delimiters = { variable: ['<', '>'], block: ['<%', '%>'], comment: ['<%#', '%>'] };
    expect(written('<a><% if b %>x<% endif %><%# note %>', alike)).to.equal('{{ a }}{% if b %}x{% endif %}{# #}');
  });

  it('may have any signs', () => {
    const odd: Delimiters = { variable: ['$(', ')'], block: ['.*', '*.'], comment: ['\\', '/'] };
    expect(written('x $(a) .* if b *.c.* endif *. \\ d /', odd)).to.equal('x {{ a }} {% if b %}c{% endif %} {# #}');
  });

  const refused: readonly (readonly [text: string, message: string])[] = [
    ['[[ a', '"[[ a" is never closed — write ]] where it ends'],
    ['[% if', '"[% if" is never closed — write %] where it ends'],
    ['x\n[# c\nd', '"[# c" is never closed (line 2) — write #] where it ends'],
    ['[% raw %]x', '"[% raw %]x" is never closed — write [% endraw %] where it ends'],
  ];
  for (const [text, message] of refused)
    it(`are closed: ${JSON.stringify(text)}`, () => expect(refusal(() => written(text))).to.equal(message));
});
