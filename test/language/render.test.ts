import { expect } from 'chai';
import { Unsafe, type Value } from '../../src/core/model/values/value.js';
import { Library } from '../../src/language/library.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { evaluate, isTrue, renderText, renderValue } from '../../src/language/render.js';
import { callable } from '../../src/language/runtime/callable.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { OMIT } from '../../src/language/runtime/result.js';
import { Variables } from '../../src/language/scope.js';
import { failure, HERE, layer, variables } from './scopes.js';

const scope = variables({
  ansible_facts: {},
  env: 'prod',
  port: 443,
  on: true,
  nothing: null,
  names: ['a', 'b'],
  empty: [],
  config: { host: 'lb', deep: { size: 3 } },
  servers: [
    { name: 's1', port: 1 },
    { name: 's2', port: 2 },
  ],
  note: new Unsafe('{{ not a template }}'),
});

function rendered(text: string): unknown {
  return renderText(text, scope, HERE);
}

describe('rendering a text', () => {
  it('keeps the type of exactly one expression', () => {
    expect(rendered('{{port}}')).to.equal(443);
    expect(rendered('{{ on }}')).to.equal(true);
    expect(rendered('{{nothing}}')).to.equal(null);
    expect(rendered('{{names}}')).to.deep.equal(['a', 'b']);
    expect(rendered("{{{'a': 1}}}")).to.deep.equal({ a: 1 });
    expect(rendered(`{{{ "}}": {'b': 'c'}}}}`)).to.deep.equal({ '}}': { b: 'c' } });
    expect(rendered('{{{}}}')).to.deep.equal({});
    expect(rendered("{{{'a': 1}['a']}} and {{{1: 2} | length}}")).to.equal('1 and 1');
    expect(rendered('{{{config}}}')).to.deep.equal({ host: 'lb', deep: { size: 3 } });
    expect(rendered('{{ {"a": {"b": port}} }}')).to.deep.equal({ a: { b: 443 } });
  });

  it('converts anything else to text: lists and mappings to JSON, null to an empty text', () => {
    expect(rendered('{{env}}:{{port}}')).to.equal('prod:443');
    expect(rendered('{{port}} ')).to.equal('443 ');
    expect(rendered('{{names}} {{config}} {{nothing}}{{on}}')).to.equal(
      '["a","b"] {"host":"lb","deep":{"size":3}} True',
    );
  });

  it('keeps a list or a mapping with white space around it, as in folded YAML texts', () => {
    expect(rendered('{{names}}\n')).to.deep.equal(['a', 'b']);
    expect(rendered('\n  {{config.deep}}\n')).to.deep.equal({ size: 3 });
  });

  it('escapes nothing for HTML', () => {
    expect(rendered('{{"<a & b>"}} {{{"<"}}} {{&"<"}}')).to.equal('<a & b> < <');
  });

  it('does not change text without templates', () => {
    expect(rendered('a { b } } % #')).to.equal('a { b } } % #');
  });

  it('does not render braces that are text', () => {
    expect(rendered(String.raw`a\{{{{raw}}}}{{env}}{{{{/raw}}}}`)).to.equal(String.raw`a\{{env}}`);
    expect(rendered('{{{{raw}}}} {{env}} {% if %} {{{{/raw}}}}')).to.equal(' {{env}} {% if %} ');
    expect(rendered('{{"{{"}}env}}')).to.equal('{{env}}');
    expect(rendered('{{!-- no {{x}} --}}a{{! no }}')).to.equal('a');
  });

  it('removes white space at ~, and at - as in Jinja', () => {
    expect(rendered('a {{~env~}} b')).to.equal('aprodb');
    expect(rendered('a {{- env -}} b')).to.equal('aprodb');
    expect(rendered('a{{-1}}')).to.equal('a-1');
  });
});

describe('blocks', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{{#if on}}yes{{else}}no{{/if}}', 'yes'],
    ['{{#if port > 1000}}high{{else if port == 443}}tls{{else}}low{{/if}}', 'tls'],
    ['{{#if empty}}some{{else}}none{{/if}}', 'none'],
    ['{{^if on}}no{{else}}yes{{/if}}', 'yes'],
    ['{{#unless eq env "prod"}}test{{else}}live{{/unless}}', 'live'],
    ['{{#each names}}{{@index}}={{this}}{{#unless @last}}, {{/unless}}{{/each}}', '0=a, 1=b'],
    ['{{#each names}}{{#if @first}}[{{/if}}{{.}}{{#if @last}}]{{/if}}{{/each}}', '[ab]'],
    ['{{#each servers}}{{name}}:{{this.port}}:{{../env}} {{/each}}', 's1:1:prod s2:2:prod '],
    ['{{#each servers as |server index|}}{{index}}{{server.name}}{{@root.env}} {{/each}}', '0s1prod 1s2prod '],
    ['{{#each config}}{{@key}} {{/each}}', 'host deep '],
    ['{{#each empty}}x{{else}}none{{/each}}', 'none'],
    [
      '{{#each names}}{{#each ../servers}}{{@../index}}{{@index}}{{../this}}{{name}} {{/each}}{{/each}}',
      '00as1 01as2 10bs1 11bs2 ',
    ],
    ['{{#each servers | selectattr("port", "gt", 1)}}{{name}}{{/each}}', 's2'],
    ['{{#with config.deep}}{{size}}{{../env}}{{/with}}', '3prod'],
    ['{{#with config.deep as |it|}}{{it.size}}{{/with}}', '3'],
    ['{{#with nothing}}some{{else}}none{{/with}}', 'none'],
    ['a\n{{#if on}}\n  b\n{{/if}}\nc\n', 'a\n  b\nc\n'],
    ['{{#each names}}\n- {{this}}\n{{/each}}\n', '- a\n- b\n'],
  ];
  for (const [text, expected] of cases) {
    it(`renders ${JSON.stringify(text)}`, () => {
      expect(rendered(text)).to.equal(expected);
    });
  }
});

describe('rendering a value', () => {
  it('renders at any depth, including keys', () => {
    expect(renderValue({ '{{env}}_{{port}}': ['{{port}}', { a: 'x{{env}}' }] }, scope)).to.deep.equal({
      prod_443: [443, { a: 'xprod' }],
    });
  });

  it('returns a value without templates itself, not a copy', () => {
    const value = { a: [1, { b: 'text' }] };
    expect(renderValue(value, scope)).to.equal(value);
  });

  it('removes entries that evaluate to omit', () => {
    const value = { a: '{{missing | default(omit)}}', b: ['{{omit}}', 1], c: { d: '{{omit}}' } };
    expect(renderValue(value, scope)).to.deep.equal({ b: [1], c: {} });
    expect(renderValue('{{omit}}', scope)).to.equal(OMIT);
    expect(rendered('{{ {"a": missing | default(omit), "b": [omit, 1]} }}')).to.deep.equal({ b: [1] });
  });

  it('removes what is omit in lists and mappings, also through filters and variables', () => {
    const through = variables({ mtu: '{{missing | default(omit)}}', fields: '{{ {"a": mtu, "b": [mtu, 1]} }}' });
    const results: readonly (readonly [text: string, value: Value])[] = [
      ['{{ {"a": 1} | combine({"mtu": omit}) }}', { a: 1 }],
      ['{{ [{"a": 1}] | map("combine", {"mtu": mtu}) | list }}', [{ a: 1 }]],
      ['{{ {"mtu": mtu, "a": 1} | dict2items }}', [{ key: 'mtu' }, { key: 'a', value: 1 }]],
      ['{{ dict(**{"mtu": omit, "a": 1}) }}', { a: 1 }],
      ['{{ {"mtu": omit, "a": 1} | json_query("@") }}', { a: 1 }],
      ['{{ fields }}', { b: [1] }],
      ['{{ [fields.b, mtu, vars["mtu"]] }}', [[1]]],
      ['{{ fields }}', { b: [1] }],
    ];
    for (const [text, value] of results) expect(renderText(text, through), text).to.deep.equal(value);
  });

  it('cannot leave out what becomes text', () => {
    for (const text of [
      'a{{ [omit] }}',
      '{{ {"a": [omit]} | to_json }}',
      '{{ {"a": omit} | to_nice_yaml }}',
      '{{ "%r" % {"a": omit} }}',
    ])
      expect(
        failure(() => rendered(text)),
        text,
      ).to.have.property('message', 'omit must be the whole value');
  });

  it('converts text that is marked as data to plain text without rendering it', () => {
    expect(renderValue([new Unsafe('{{env}}'), 'a'], scope)).to.deep.equal(['{{env}}', 'a']);
    expect(rendered('{{note}}')).to.equal('{{ not a template }}');
  });

  it('does not render its result again', () => {
    expect(renderText('{{x}}', variables({ x: '{{"{{"}}env}}' }))).to.equal('{{env}}');
  });

  it('treats __proto__ as an ordinary key', () => {
    const written = Object.fromEntries([['__proto__', { polluted: '{{env}}' }]]);
    const value = renderValue(written, scope);
    expect(Object.getOwnPropertyNames(value)).to.deep.equal(['__proto__']);
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    expect({}).to.not.have.property('polluted');
  });

  it('reports the position of the faulty text inside the value', () => {
    const locate = (path: readonly (string | number)[]): { file: string; line: number; column: number } => ({
      file: path.join('.'),
      line: 1,
      column: 1,
    });
    const value = { first: { x: 'y{{env}}' }, a: ['x{{env}}', { b: '{{missing}}' }] };
    const error = failure(() => renderValue(value, scope, locate));
    expect(error)
      .to.be.instanceOf(TemplateError)
      .that.deep.includes({ source: { file: 'a.1.b', line: 1, column: 1 } });
  });
});

describe('an invalid template', () => {
  const cases: readonly (readonly [text: string, message: string, hint?: string])[] = [
    ['{{prot}}', 'variable "prot" is not defined', 'did you mean "port"?'],
    [
      "{{length ['port']}}",
      'variable "length" is not defined',
      'for the function, write its arguments in parentheses: length(…)',
    ],
    ['{{upper prot}}', 'variable "prot" is not defined', 'did you mean "port"?'],
    [
      '{{ansible_date_time.date}}',
      'variable "ansible_date_time" is not defined',
      'now() is the time: {{ now(fmt="%Y-%m-%d") }}',
    ],
    [
      '{{ansible_facts.date_time}}',
      '"ansible_facts" has no "date_time": it is a mapping',
      'now() is the time: {{ now(fmt="%Y-%m-%d") }}',
    ],
    [
      '{{ansible_hostname}}',
      'variable "ansible_hostname" is not defined',
      'a run gathers no facts: ask the controller with api_request or resource_facts, and "register"',
    ],
    ['{{#if prot}}x{{/if}}', 'variable "prot" is not defined', 'did you mean "port"?'],
    ['{{config.hots}}', '"config" has no "hots": it is a mapping with host, deep', 'did you mean "host"?'],
    ['{{config.deep.size.x}}', '"config.deep.size" has no "x": it is the number 3'],
    ['{{names[5]}}', '"names" has no "5": it is a list of 2'],
    ['{{names[port]}}', 'there is no item 443: the list has 2 items'],
    [
      '{{#each servers}}{{env}}{{/each}}',
      '"env" is not defined in this block\'s value, which is a mapping',
      'inside a block names are looked up in its value: write @root.env for the variable',
    ],
    [
      '{{#each servers}}{{nam}}{{/each}}',
      '"nam" is not defined in this block\'s value, which is a mapping',
      'did you mean "name"?',
    ],
    ['{{#with config}}{{deep.size.x}}{{/with}}', '"deep.size" has no "x": it is the number 3'],
    ['{{#with config}}{{deep.siz}}{{/with}}', '"deep" has no "siz": it is a mapping with size', 'did you mean "size"?'],
    ['{{@index}}', '"@index" has no value here', '@index, @key, @first and @last belong inside {{#each}}'],
    ['{{this}}', '"this" has no value here', '"this" belongs inside {{#each}} or {{#with}}'],
    ['{{env | uper}}', 'there is no filter or function "uper"', 'did you mean "upper"?'],
    ['{{env is strng}}', 'there is no test "strng"', 'did you mean "string"?'],
    ['{{replace env}}', '"replace" takes 3 to 4 arguments, but one is given', 'write replace(text, old, new, count?)'],
    ['{{env | join(seperator=",")}}', '"join" has no argument "seperator"', 'did you mean "separator"?'],
    [
      '{{env + port}}',
      'add: + needs numbers, not a text and the number 443',
      'write ~ to join texts, | int for a number in a text',
    ],
    [
      '{{port < "5"}}',
      'the number 443 and a text cannot be put in order',
      'turn the text into a number first: value | int',
    ],
    ['{{port | join(",")}}', 'join: a list is needed, not the number 443'],
    [
      '{{ {{port}} }}',
      'cannot read the expression "{{port}}": there are braces within braces',
      'remove the inner braces: this is already an expression',
    ],
    ['a{{omit}}', 'omit must be the whole value', 'omit must be the whole value: "{{x | default(omit)}}"'],
    ['{{#each port}}{{/each}}', '{{#each}} needs a list or a mapping, not the number 443'],
    ['{{env', '"{{env" is never closed', 'write }} where it ends, or {{ "{{" }} for braces that are text'],
    ['{{#if on}}', '{{#if}} is never closed', 'write {{/if}} where it ends'],
    ['{{#if on}}{{/each}}', '{{/each}} cannot close {{#if}}', 'write {{/if}}'],
    ['{{/if}}', '{{/if}} closes a block that was never opened'],
    ['{{else}}', '{{else}} is outside of any block'],
    ['{{#iff on}}{{/iff}}', 'there is no block "{{#iff}}"', 'did you mean "if"?'],
    ['{{#if}}{{/if}}', '{{#if}} needs an expression', 'write {{#if expression}}'],
    [
      '{{> header}}',
      '"{{>header}}": partials and decorators do not exist here',
      'keep the text in a variable and write {{variable}}, or {{lookup("file", "name")}}',
    ],
    ['{{{{x}}}}{{{{/x}}}}', 'four braces begin only {{{{raw}}}}', 'write {{{{raw}}}}…{{{{/raw}}}}'],
    ['{{missing | mandatory("set missing in group_vars")}}', 'set missing in group_vars'],
    [
      '{{[1, 2] | random}}',
      'random: it needs a seed, because a repeated run must give the same result',
      'write seed=inventory_hostname',
    ],
  ];
  for (const [text, message, hint] of cases) {
    it(`is reported with the reason: ${text}`, () => {
      expect(failure(() => rendered(text)))
        .to.be.instanceOf(TemplateError)
        .that.deep.includes({ message, hint, source: HERE });
    });
  }

  it('is reported with the whole undefined path', () => {
    expect(failure(() => rendered('{{config.deep.siz}}'))).to.include({ undefinedName: 'config.deep.siz' });
  });
});

const conditionScope = variables({
  env: 'prod',
  canary: false,
  off: 'false',
  result: { changed: true, failed: false, skipped: false, stdout: 'ok' },
  list: [1],
});

function holds(expression: string | boolean | null): boolean {
  return isTrue(evaluate(expression, conditionScope, HERE));
}

describe('a condition', () => {
  it('is a bare expression, in either form', () => {
    expect(holds('env == "prod" and not canary')).to.equal(true);
    expect(holds('and (eq env "prod") (not canary)')).to.equal(true);
    expect(holds('result is changed and result is succeeded and result is not skipped')).to.equal(true);
    expect(holds('result is failed or "ok" not in result.stdout')).to.equal(false);
    expect(holds('missing is defined and missing.x == 1')).to.equal(false);
  });

  const escapes: readonly (readonly [written: string, text: string])[] = [
    [String.raw`\a\b\f\n\r\t\v`, '\x07\b\f\n\r\t\v'],
    [String.raw`\\ \" \'`, '\\ " \''],
    ['a\\\nb', 'ab'],
    [String.raw`\0\101\x41\u00e9\U0001F600`, '\0AAé😀'],
    [String.raw`\d\1\U00110000`, '\\d\x01\\U00110000'],
  ];
  for (const [written, text] of escapes)
    it(`reads the escapes of Python in ${JSON.stringify(written)}`, () => {
      for (const quote of ['"', "'"])
        if (!written.replaceAll(/\\./gs, '').includes(quote))
          expect(evaluate(`${quote}${written}${quote}`, conditionScope, HERE)).to.equal(text);
    });

  it('can be a boolean, and is true if it is empty', () => {
    expect([holds(true), holds(false), holds(null), holds('')]).to.deep.equal([true, false, true, true]);
  });

  it('has the truth values of Ansible: the text "false" is true, empty values are false', () => {
    expect(holds('off')).to.equal(true);
    expect(holds('off | bool')).to.equal(false);
    expect([0, '', null, false, [], {}].map(isTrue)).to.deep.equal([false, false, false, false, false, false]);
    expect([1, 'no', true, [0], { a: 0 }].map(isTrue)).to.deep.equal([true, true, true, true, true]);
  });

  it('can be in braces as a whole, as in Ansible; there, the text false is false', () => {
    expect(holds('{{ env == "prod" }}')).to.equal(true);
    expect(holds('{{ off }}')).to.equal(false);
  });

  it('can contain braces, whose result is evaluated', () => {
    expect(holds('"{{ env }}" == "prod"')).to.equal(true);
    expect(holds('{{ list | length }} > 1 or {{ canary }}')).to.equal(false);
    expect(holds('{{ "env == \'prod\'" }}')).to.equal(true);
    expect(failure(() => evaluate('{{ env }} == "prod"', conditionScope, HERE))).to.deep.include({
      message: 'variable "prod" is not defined',
      source: HERE,
    });
  });

  it('can only compare if it comes from braces: it cannot read files or run programs', () => {
    const texts = [
      `lookup('pipe', 'date')`,
      `query('file', '/etc/passwd')`,
      `['date'] | map('look' ~ 'up', 'pipe') | list`,
      `x is defined and q('env', 'HOME')`,
      `pipe('date')`,
      `'/etc/passwd' | file`,
      `'/etc/passwd' is exists`,
      `env('HOME')`,
    ];
    const answers = variables({ answer: '' });
    for (const text of texts) {
      const own = variables({ answer: text });
      expect(
        failure(() => evaluate('{{ answer }}', own, HERE)),
        text,
      )
        .to.be.instanceOf(TemplateError)
        .with.property('message')
        .that.matches(/a condition made by \{\{ \}\} must not call/);
    }
    expect(isTrue(evaluate('{{ answer }}', answers, HERE))).to.equal(false);
    const table = BUILT_IN.with(new Map([['mine', callable('value', () => true)]]));
    const own = new Variables([layer({ answer: "'x' | mine" })], undefined, undefined, new Library(table));
    expect(failure(() => evaluate('{{ answer }}', own, HERE))).to.include({
      message: 'a condition made by {{ }} must not call "mine"',
    });
  });

  it('is an error with its position if it cannot be evaluated', () => {
    expect(failure(() => evaluate('enw == "prod"', conditionScope, HERE))).to.deep.include({
      message: 'variable "enw" is not defined',
      hint: 'did you mean "env"?',
      source: HERE,
    });
    expect(failure(() => evaluate('list is changed', conditionScope, HERE))).to.deep.include({
      message: 'changed: the result of a task is needed, not a list',
      hint: 'register: a name, and test that',
      source: HERE,
    });
    expect(failure(() => evaluate('[1, 2].index(5) == 0', conditionScope, HERE))).to.deep.include({
      message: 'index: the list does not contain "5"',
    });
  });
});
