import { expect } from 'chai';
import fc from 'fast-check';
import { checkTemplates } from '../../src/language/check.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { evaluate, renderText } from '../../src/language/render.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { HERE, variables } from './scopes.js';

/** Excluded filters: random texts must not run in a shell or name files, and a password hash takes a second. */
const OUTSIDE = new Set(['pipe', 'file', 'first_found', 'password_hash', 'lookup', 'query', 'q']);

const scope = variables({ a: 1, b: 'text', c: [1, 'x', null], d: { e: { f: true } }, n: null });

const PIECES = [
  '{{',
  '}}',
  '{{{',
  '}}}',
  '{{#if a}}',
  '{{/if}}',
  '{{#each c}}',
  '{{/each}}',
  '{{else}}',
  '{{else if b}}',
  '{{~',
  '~}}',
  '{{!--',
  '--}}',
  '{{{{raw}}}}',
  '{{{{/raw}}}}',
  '\\',
  '{%',
  '%}',
  '{#',
  '#}',
  '{% if a %}',
  '{% elif b %}',
  '{% else %}',
  '{%- endif -%}',
  '{% for x in c %}',
  '{% for k, v in d.items() recursive %}',
  '{% endfor %}',
  '{% set a = b %}',
  '{% set a %}',
  '{% endset %}',
  '{% set n.x = 1 %}',
  '{% with a = 1 %}',
  '{% endwith %}',
  '{% raw %}',
  '{% endraw %}',
  '{{ loop(c) }}',
  '#jinja2: trim_blocks: False\n',
  ' as |x|}}',
  'a',
  'b | upper',
  '"',
  "'",
  '\n',
  ' ',
];

const templates = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join('')),
  fc.string().map((text) => `{{${text}}}`),
);

/** Calls the function, which may throw only a TemplateError. */
function survives(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  }
}

/** The value of an expression; null if it fails. */
function reached(expression: string): unknown {
  try {
    return evaluate(`${expression} | default(none)`, scope, HERE);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

describe('Arbitrary templates', () => {
  it('throw only TemplateError when they are parsed and rendered', () => {
    fc.assert(
      fc.property(templates, (text) => {
        survives(() => renderText(text, scope, HERE));
        checkTemplates(text, () => HERE);
      }),
      { numRuns: 3000 },
    );
  });

  it('throw only TemplateError from filters, for any arguments', () => {
    const names = [...BUILT_IN.filterNames(), ...BUILT_IN.testNames()].filter(
      (name) => /^\w+$/.test(name) && !OUTSIDE.has(name),
    );
    const values = fc.constantFrom(
      'a',
      'b',
      'c',
      'd',
      'n',
      '"x"',
      '-1',
      '0',
      '2.5',
      '[]',
      '{}',
      '[c, d]',
      'true',
      'missing',
      '"[(*"',
      '"10.0.0.1/8"',
      '1e308',
      '"%d"',
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(values, { maxLength: 4 }), (name, args) => {
        survives(() => evaluate(`(${name} ${args.join(' ')})`, scope, HERE));
        survives(() => evaluate(`${args[0] ?? 'a'} | ${name}(${args.slice(1).join(', ')})`, scope, HERE));
      }),
      { numRuns: 5000 },
    );
  });

  it('cannot read inherited properties', () => {
    const inherited = [
      'constructor',
      '__proto__',
      'prototype',
      'toString',
      'hasOwnProperty',
      '__defineGetter__',
      'at',
      'push',
      'call',
    ];
    const ways = (value: string, name: string): readonly string[] => [
      `${value}.${name}`,
      `${value}["${name}"]`,
      `${value}.[${name}]`,
      `(${value})[b ~ "${name}"]`,
      `[${value}] | map(attribute="${name}") | first`,
      `get ${value} "${name}"`,
      `[${value}] | selectattr("${name}", "defined") | first`,
      `"${name}" | extract(${value})`,
    ];
    for (const name of inherited) {
      for (const value of ['a', 'b', 'c', 'd', 'd.e', '"text"', '[]', '{}']) {
        for (const way of ways(value, name)) {
          expect(reached(way), way).to.equal(null);
        }
      }
    }
  });

  it('cannot change a prototype', () => {
    for (const text of [
      '{"__proto__": {"polluted": 1}}',
      '[["__proto__", {"polluted": 1}]] | dict',
      '{} | combine({"__proto__": {"polluted": 1}}, recursive=true)',
      'combine d {"__proto__": {"polluted": 1}} recursive=true',
      '[{"key": "__proto__", "value": {"polluted": 1}}] | items2dict',
      `'{"__proto__": {"polluted": 1}}' | from_json | combine({}, recursive=true)`,
      `'__proto__: {polluted: 1}' | from_yaml`,
      'dict(__proto__={"polluted": 1})',
    ]) {
      survives(() => evaluate(text, scope, HERE));
      expect({}, text).to.not.have.property('polluted');
    }
  });

  it('are parsed quickly, even long ones', () => {
    // If parsing takes quadratic time, the test exceeds its time limit.
    for (const piece of [
      '{%a',
      '{#',
      '{# #}',
      '{% if a',
      '{% if a %}',
      '{% if a %}x{% endif %}',
      '{% for x in c %}',
      '{% set a = 1 %}',
      '{% set a %}{% endset %}',
      '{% raw %}',
      '{% raw %}{% endraw %}',
      '{% endraw',
      '{%' + ' '.repeat(50),
      '{% if a %}{% else %}',
      '{{"\\"',
      "{{'",
      '{{{{',
      '{{#if a',
      '\\{{',
      '{{a',
      'as |',
      '{{#each a' + ' '.repeat(50),
      '"\\',
    ]) {
      survives(() => renderText(`{{a}}${piece.repeat(20_000)}`, scope, HERE));
      survives(() => renderText(`{{${piece.repeat(20_000)}`, scope, HERE));
      survives(() => renderText(`{% if a %}${piece.repeat(20_000)}`, scope, HERE));
      survives(() => renderText(`#jinja2: lstrip_blocks: True\n${piece.repeat(20_000)}{% endif %}`, scope, HERE));
    }
    survives(() => renderText(`{% if a %}${'{% elif a %}'.repeat(20_000)}{% endif %}`, scope, HERE));
    survives(() => renderText(`{% if a %}x${'\n'.repeat(100_000)}y{% endif %}`, scope, HERE));
  });

  it('are errors if they are nested too deeply, and do not overflow the stack', () => {
    for (const [open, close] of [
      ['{% if a %}', '{% endif %}'],
      ['{% for x in c %}', '{% endfor %}'],
      ['{% set x %}', '{% endset %}'],
      ['{% with %}', '{% endwith %}'],
    ] as const) {
      const text = open.repeat(100_000) + close.repeat(100_000);
      expect(() => renderText(text, scope, HERE)).to.throw(TemplateError, 'nested too deeply');
    }
    const circle = '{% for x in c recursive %}{{ loop(c) }}{% endfor %}';
    expect(() => renderText(circle, scope, HERE)).to.throw(TemplateError);
    expect(() => renderText(`{% for ${'('.repeat(10_000)}x in c %}{% endfor %}`, scope, HERE)).to.throw(TemplateError);
  });
});
