import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkExpression, checkTemplates } from '../../src/language/check.js';
import { evaluate, isTrue, renderText } from '../../src/language/render.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { failure, HERE, variables } from './scopes.js';

const scope = variables({
  env: 'prod',
  port: 443,
  names: ['a', 'b'],
  servers: [
    { name: 's1', port: 1 },
    { name: 's2', port: 2 },
  ],
  tree: [{ name: 'x', children: [{ name: 'y', children: [] }] }],
});

function rendered(text: string): unknown {
  return renderText(text, scope, HERE);
}

describe('a name that is a word of the language', () => {
  const words = ['true', 'false', 'none', 'True', 'False', 'None', 'not', 'and', 'or', 'is', 'in', 'if', 'else'];
  for (const word of words)
    it(`cannot be bound: ${word}`, () => {
      for (const text of [
        `{% set ${word} = 1 %}`,
        `{% for ${word} in [1] %}{% endfor %}`,
        `{% set a, ${word} = [1, 2] %}`,
      ])
        expect(
          failure(() => rendered(text)),
          text,
        ).to.be.instanceOf(TemplateError);
    });
});

/**
 * Statements that only Evenkeel has, such as those between Handlebars blocks; `ansible/statements.ts` has the others.
 */
describe('statements', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['{##}{{ names | join }}{# a #}', 'ab'],
    ['{{#each servers}}{% if port == 1 %}{{name}}{% else %}-{% endif %}{{/each}}', 's1-'],
    ['{% for s in servers %}{{#if s.port == 2}}{{s.name}}{{/if}}{% endfor %}', 's2'],
    ['{{#each servers}}{% set n = name ~ @index %}{{n}} {{/each}}', 's10 s21 '],
    ['{{#each names}}{% if @first %}{% set n = this %}{% endif %}{{n | default("-")}}{{/each}}', 'a-'],
    ['{% for n in names %}{{#each servers}}{{n}}{{name}} {{/each}}{% endfor %}', 'as1 as2 bs1 bs2 '],
    ['{{#each names as |n|}}{% for s in @root.servers %}{{n}}{{s.name}} {% endfor %}{{/each}}', 'as1 as2 bs1 bs2 '],
    ['{% for n in [1, 2, 3, 4] %}{{ loop.cycle("a", "b", "c") }}{% endfor %}', 'abca'],
    ['{% set l = ["a", "b"] %}{% set _ = l.remove("a") %}{{ l }}', ['b']],
    ['{% set c = cycler("a", "b") %}{{ c.next() }}{{ c.next() }}{{ c.next() }}', 'aba'],
    ['{% set env = "test" %}{{env}} {{@root.env}}', 'test prod'],
    ['{% set a, (b, c) = [1, [2, 3]] %}{{ a }}{{ b }}{{ c }}', '123'],
    ['{% for (a, (b, c)), d in [[[1, [2, 3]], 4]] %}{{ a }}{{ b }}{{ c }}{{ d }}{% endfor %}', '1234'],
    ['{{#with servers[0]}}{% set p = port + 1 %}{{p}}{{/with}}', '2'],
    ['{% for n in tree recursive %}{{n.name}}{% if n.children %}({{loop(n.children)}}){% endif %}{% endfor %}', 'x(y)'],
    ['{% set ns = namespace(a=1) %}{{ ns }}', { a: 1 }],
  ];
  for (const [text, expected] of cases) {
    it(`render ${text} as ${JSON.stringify(expected)}`, () => {
      expect(rendered(text)).to.deep.equal(expected);
    });
  }
});

describe('methods that change a value', () => {
  it('do not change variables', () => {
    const text =
      '{% set mine = names %}{% set _ = mine.append("c") %}{{ mine | join }} {{ names | join }} {{ @root.names | join }}';
    expect(rendered(text)).to.equal('abc ab ab');
    expect(
      rendered('{% set s = servers[0] %}{% set _ = s.update({"port": 9}) %}{{ s.port }} {{ servers[0].port }}'),
    ).to.equal('9 1');
    expect(
      rendered('{% set d = {"l": names} %}{% set _ = d.l.append("c") %}{{ d.l | join }} {{ names | join }}'),
    ).to.equal('abc ab');
  });

  it('return nothing but what they take out or find', () => {
    const list =
      '{% set l = [1, 2, 3] %}{{ [l.append(4), l.extend([5]), l.insert(0, 0), l.remove(2), l.pop(), l.pop(0)] }}';
    expect(rendered(`${list}{{ l }}`)).to.equal('[null,null,null,null,5,0][1,3,4]');
    const mapping =
      '{% set d = {"a": 1} %}{{ [d.update(b=2), d.setdefault("c", 3), d.setdefault("a", 9), d.pop("b")] }}';
    expect(rendered(`${mapping}{{ d }}`)).to.equal('[null,3,1,2]{"a":1,"c":3}');
  });

  it('can set a key of any name', () => {
    const text =
      '{% set d = {} %}{% set _ = d.update([["__proto__", names]]) %}{{ d | length }}{{ d.append is defined }}';
    expect(rendered(text)).to.equal('1False');
  });

  const refused: readonly (readonly [text: string, message: string, hint?: string])[] = [
    [
      '{{ names.append("c") }}',
      'append: "names", which {% set %} did not make, cannot be changed',
      'write {% set mine = names %}, and change that',
    ],
    [
      '{% for s in servers %}{% set _ = s.update({"port": 9}) %}{% endfor %}',
      'update: "s", which {% set %} did not make, cannot be changed',
      'write {% set mine = s %}, and change that',
    ],
    ['{{ [1].append(2) }}', 'append: a list cannot be changed', 'give it a name with {% set %} first'],
    [
      '{% set n = 5 %}{% set _ = n.append(2) %}',
      'append: the number 5 cannot be changed',
      'only lists and mappings can',
    ],
    [
      '{% set ns = namespace() %}{% set _ = ns.update(a=1) %}',
      'update: a namespace cannot be changed',
      'write {% set name.key = value %}',
    ],
    ['{% set l = [] %}{% set _ = l.append(l) %}{% set _ = l.append([l]) %}', 'append: the value would contain itself'],
    [
      '{% set d = {} %}{% set _ = d.update(a=1) %}{% set _ = d.setdefault("b", {"c": d}) %}',
      'setdefault: the value would contain itself',
    ],
    [
      '{% set l = [] %}{% set _ = l.insert(0, l) %}{% set _ = l.insert(0, [l]) %}',
      'insert: the value would contain itself',
    ],
    ['{% set l = [] %}{% set _ = l.insert("a", 1) %}', 'insert: a whole number is needed, not a text'],
    ['{% set l = [] %}{% set _ = l.append() %}', 'append: an argument is missing'],
    [
      '{% set l = [1] %}{% for i in range(30) %}{% set _ = l.extend(l) %}{% endfor %}',
      'extend: the list gets more than 1000000 items',
    ],
    ['{% set l = [0] * 1000000 %}{% set _ = l.append(1) %}', 'append: the list gets more than 1000000 items'],
    ['{% set l = [0] * 1000000 %}{% set _ = l.insert(0, 1) %}', 'insert: the list gets more than 1000000 items'],
  ];
  for (const [text, message, hint] of refused) {
    it(`are refused in ${text}`, () => {
      const error = failure(() => rendered(text));
      expect(error).to.be.instanceOf(TemplateError);
      expect(error).to.include({ message, hint });
    });
  }
});

describe('a condition with statements', () => {
  it('is evaluated, with a warning', () => {
    const conditions = ['{% if port == 443 %}true{% else %}false{% endif %}', '{% if port %}port == 80{% endif %}'];
    expect(conditions.map((one) => isTrue(evaluate(one, scope, HERE)))).to.deep.equal([true, false]);
    expect(checkExpression(conditions[0] ?? '', HERE)).to.deep.equal([
      {
        severity: 'warning',
        rule: 'no-jinja-when',
        message: 'an expression needs no {% %}',
        source: HERE,
        hint: 'write the expression alone; a if b else c chooses one of two',
      },
    ]);
  });
});

describe('a mistake in a statement', () => {
  const cases: readonly (readonly [text: string, message: string, hint?: string])[] = [
    ['{% set l = [1] %}{% set _ = l.remove(5) %}', 'remove: the number 5 is not in the list'],
    ['{% set l = [] %}{% set _ = l.pop() %}', 'pop: the list has no item -1'],
    ['{% set l = [1] %}{% set _ = l.pop(7) %}', 'pop: the list has no item 7'],
    ['{% set d = {} %}{% set _ = d.pop("b") %}', 'pop: the mapping has no "b"'],
    ['{% set l = [1] %}{% set _ = l.update({}) %}', 'update: a list has no such method'],
    ['{% set d = {} %}{% set _ = d.append(1) %}', 'append: a mapping has no such method'],
    [
      '{% set d = {} %}{% set _ = d.popitem() %}',
      'cannot read {% set _ = d.popitem() %}: there is no method "popitem"',
      'write mapping | dict2items | last',
    ],
    ['{% set l = [1] %}{% set _ = l.setdefault("a") %}', 'setdefault: a list has no such method'],
    ['{{#each [1]}}', '{{#each}} is never closed', 'write {{/each}} where it ends'],
    ['{{#foo 1}}{{/foo}}', 'there is no block "{{#foo}}"', 'blocks are {{#if}}, {{#unless}}, {{#each}} and {{#with}}'],
    ['{{#if 1 as |x|}}{{/if}}', '{{#if}} has no block parameters'],
    ['{{{{raw}}}}', '{{{{raw}}}} is never closed', 'write {{{{/raw}}}} where it ends'],
    ['{% if 1 is %}{% endif %}', 'cannot read {% if 1 is %}: it ends where the name of a test is expected'],
    ['{{ 1 is }}', 'cannot read the expression "1 is": it ends where the name of a test is expected'],
    ['{% for x in %}{% endfor %}', 'cannot read {% for x in %}: it ends where a value is expected'],
    ['{% if 1 %}', '{% if 1 %} is never closed', 'write {% endif %} where it ends'],
    ['{% do x %}', '{% do %} does not exist here', 'write {% set _ = expression %}'],
    [
      '{% autoescape true %}{% endautoescape %}',
      '{% autoescape %} does not exist here',
      'nothing is escaped here: leave it out',
    ],
    ['{% trans %}{% endtrans %}', '{% trans %} does not exist here', 'write the text itself'],
    ['{% import "x" as y %}', '{% import %} does not exist here', 'keep what is shared in variables'],
    ['{% from "x" import y %}', '{% from %} does not exist here', 'keep what is shared in variables'],
    [
      '{% extends "x" %}',
      '{% extends %} does not exist here',
      'write {{ lookup("template", "name") }} where another file belongs',
    ],
    [
      '{% block b %}{% endblock %}',
      '{% block %} does not exist here',
      'write {{ lookup("template", "name") }} where another file belongs',
    ],
    [
      '{% for x in [1] %}{% continue %}{% endfor %}',
      '{% continue %} does not exist here',
      'choose the items in the loop: {% for x in list if condition %}',
    ],
    [
      '{% filter upper %}a{% endfilter %}',
      '{% filter %} does not exist here',
      'write {% set text %}…{% endset %}{{ text | filter }}',
    ],
    [
      '{% call m() %}{% endcall %}',
      '{% call %} does not exist here',
      'keep the text in a variable and write {{ variable }} where it is needed',
    ],
    ['{% foo %}', 'there is no statement {% foo %}', 'did you mean "for"?'],
    [
      '{{ x.iteritems() }}',
      'cannot read the expression "x.iteritems()": there is no method "iteritems"',
      'write mapping.items()',
    ],
    [
      '{{ x.popitem() }}',
      'cannot read the expression "x.popitem()": there is no method "popitem"',
      'write mapping | dict2items | last',
    ],
    [
      '{{ x.iterkeys() }}',
      'cannot read the expression "x.iterkeys()": there is no method "iterkeys"',
      'write mapping.keys()',
    ],
    [
      '{{ x.itervalues() }}',
      'cannot read the expression "x.itervalues()": there is no method "itervalues"',
      'write mapping.values()',
    ],
    ['{{ x.clear() }}', 'cannot read the expression "x.clear()": there is no method "clear"', 'write [] or {}'],
    ['{{ x.uper() }}', 'cannot read the expression "x.uper()": there is no method "uper"', 'did you mean "upper"?'],
    [
      '{{ x.reverse() }}',
      'cannot read the expression "x.reverse()": there is no method "reverse"',
      'write list | reverse',
    ],
    ['{% if port %}x', '{% if port %} is never closed', 'write {% endif %} where it ends'],
    ['a\n{% for n in names %}\nb', '{% for n in names %} is never closed (line 2)', 'write {% endfor %} where it ends'],
    ['{% set x %}a', '{% set x %} is never closed', 'write {% endset %} where it ends'],
    ['a\n{% endfor %}', '{% endfor %} closes a block that was never opened (line 2)'],
    [
      '{% for n in names %}\n{% endif %}',
      '{% endif %} cannot close {% for n in names %}, opened 1 line above (line 2)',
      'write {% endfor %}',
    ],
    ['{% if port %}{{#each names}}{% endif %}{{/each}}', '{% endif %} cannot close {{#each}}', 'write {{/each}}'],
    ['{{#if port}}{% endif %}', '{% endif %} cannot close {{#if}}', 'write {{/if}}'],
    ['{{#if port}}{% else %}{{/if}}', '{% else %} does not belong to {{#if}}', 'write {{else}}'],
    ['{% if port %}{{else}}{% endif %}', '{{else}} does not belong to {% if port %}', 'write {% elif %} or {% else %}'],
    [
      '{% for n in names %}{% elif n %}{% endfor %}',
      '{% elif %} does not belong to {% for n in names %}',
      'write {% else %}',
    ],
    ['{% else %}', '{% else %} is outside of any block'],
    ['{% if port %}{% else %}{% else %}{% endif %}', '{% if port %} has two {% else %}'],
    ['{% if port %}{% else %}{% elif port %}{% endif %}', '{% elif %} after {% else %}'],
    ['{% endfro %}', 'there is no statement {% endfro %}', 'did you mean "endfor"?'],
    ['{% esle %}', 'there is no statement {% esle %}', 'did you mean "else"?'],
    ['{% if port', '"{% if port" is never closed', 'write %} where it ends'],
    ['{% raw %}{{ x }}', '{% raw %} is never closed', 'write {% endraw %} where it ends'],
    ['{% if %}x{% endif %}', 'cannot read {% if %}: it ends where a value is expected'],
    [
      '{% if port = 1 %}x{% endif %}',
      'cannot read {% if port = 1 %}: "=" is not expected after "if port"',
      'write == to compare',
    ],
    [
      '{% for n of names %}{% endfor %}',
      'cannot read {% for n of names %}: "of" found where "in" is expected (character 7)',
    ],
    ['{% for n in %}{% endfor %}', 'cannot read {% for n in %}: it ends where a value is expected'],
    [
      '{% set port %}{% endset %}{% set = 1 %}',
      'cannot read {% set = 1 %}: "=" found where a name is expected (character 5)',
    ],
    [
      '{% set env.x = 1 %}',
      '{% set env.x %}: "env" is a text, not a namespace',
      'write {% set env = namespace(x=…) %} first',
    ],
    ['{% for a, b in [[1, 2, 3]] %}{% endfor %}', 'a list cannot be unpacked into a, b: it has 3 items'],
    ['{% for a in port %}{% endfor %}', '{% for %} needs a list, a mapping or a text, not the number 443'],
    ['{% for a in nams %}{% endfor %}', 'variable "nams" is not defined', 'did you mean "names"?'],
    [
      '{% for server in servers %}{{ servr.name }}{% endfor %}',
      'variable "servr" is not defined',
      'did you mean "server"?',
    ],
    [
      '{% for s in servers %}{{ s.nam }}{% endfor %}',
      '"s" has no "nam": it is a mapping with name, port',
      'did you mean "name"?',
    ],
    ['{{ loop(names) }}', 'loop: only a recursive loop can be called', 'write {% for item in list recursive %}'],
    ['{{ env.cycle("a") }}', 'cycle: it belongs to "loop" inside {% for %}, not to a text'],
    [
      '{% macro m() %}{% endmacro %}',
      '{% macro %} does not exist here',
      'keep the text in a variable and write {{ variable }} where it is needed',
    ],
    ['{% include "x.j2" %}', '{% include %} does not exist here', 'write {{ lookup("template", "name") }}'],
    [
      '{% for n in names %}{% break %}{% endfor %}',
      '{% break %} does not exist here',
      'choose the items in the loop: {% for x in list if condition %}',
    ],
    [
      '#jinja2: line_statement_prefix: "%"\n{% if port %}x{% endif %}',
      '#jinja2: "line_statement_prefix" cannot be set',
      'these can: trim_blocks, lstrip_blocks, variable_start_string, variable_end_string, block_start_string, block_end_string, comment_start_string, comment_end_string',
    ],
    ['#jinja2: trim_blocks: no\n{{ port }}', '#jinja2: trim_blocks must be True or False'],
    ['#jinja2: comment_end_string: 5\n{{ port }}', '#jinja2: comment_end_string must be a text in quotes'],
    [
      "#jinja2: variable_start_string: '<<', variable_end_string: '>>'\n<< port }} {{",
      '"<< port }} {{" is never closed',
      'write >> where it ends',
    ],
    [
      '{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}',
      'a loop and the loops in it run more than 2000000 times',
    ],
    ['{% for a in range(100) %}{{ "x" * 1000000 }}{% endfor %}', 'a loop writes more than 50000000 characters'],
    ['{% for a in range(10 ** 9) %}{% endfor %}', 'range: 1000000000 numbers are too many'],
    ['{{ env.next() }}', 'next: it works on a cycler() or joiner(), not on a text'],
    ['{{ reset(env) }}', 'reset: it works on a cycler(), not on a text'],
    ['{{ comma() }}', 'there is no filter or function "comma"'],
  ];
  for (const [text, message, hint] of cases) {
    it(`is reported in ${JSON.stringify(text)}`, () => {
      expect(failure(() => rendered(text)))
        .to.be.instanceOf(TemplateError)
        .that.deep.includes({ message, hint, source: HERE });
    });
  }

  it('is reported before anything is rendered', () => {
    const messages = checkTemplates(
      '{% for x in y | srot if x is strng %}{% set z = x | uper %}{% endfor %}',
      () => HERE,
    ).map(({ message }) => message);
    expect(messages).to.deep.equal([
      'there is no filter or function "srot"',
      'there is no test "strng"',
      'there is no filter or function "uper"',
    ]);
  });
});

describe('a file for the lookup "template"', () => {
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-statements-'));
  });

  after(() => rm(folder, { recursive: true }));

  async function lookUp(text: string, options = ''): Promise<unknown> {
    await writeFile(join(folder, 'page.j2'), text);
    return evaluate(
      `lookup("template", "page.j2"${options})`,
      variables({ names: ['a', 'b'], playbook_dir: folder }),
      HERE,
    );
  }

  it('can have statements, with the same white space as in Ansible', async () => {
    expect(await lookUp('{% for n in names %}\n- {{ n }}\n{% endfor %}\nend\n')).to.equal('- a\n- b\nend\n');
    expect(
      await lookUp('#jinja2: trim_blocks: False, lstrip_blocks: True\n  {% if names %}\nx\n  {% endif %}\n'),
    ).to.equal('\nx\n');
  });

  it('becomes a list or a mapping if it looks like one, unless convert_data is false', async () => {
    const text = '[{% for n in names %}"{{ n }}"{{ "," if not loop.last }}{% endfor %}]';
    expect(await lookUp(text)).to.deep.equal(['a', 'b']);
    expect(await lookUp(text, ', convert_data=false')).to.equal('["a","b"]');
  });

  it('can have escapes with backslashes as in Python', async () => {
    expect(await lookUp(String.raw`{{ "a\tb" | length }}{{ "x1" | regex_replace("\\d", "y") }}`)).to.equal('3xy');
  });
});
