import fc from 'fast-check';
import { checkExpression, checkTemplates } from '../../src/language/check.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { evaluate, renderText } from '../../src/language/render.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { HERE, variables } from '../language/scopes.js';
import { Fuzz, requireSense } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

/** Random texts must not be run by a shell, and files that never end are another test's. */
const OUTSIDE = [
  'pipe',
  'file',
  'first_found',
  'lookup',
  'query',
  'q',
  'fileglob',
  'csvfile',
  'ini',
  'password',
  'lines',
  'env',
];

const scope = variables({ a: 1, b: 'text', c: [1, 'x', null], d: { e: { f: true } }, n: null, __proto__x: 'trap' });

const EXAMPLES = [
  'a == 1 and (b | upper) in ["TEXT", "x"] or not d.e.f is defined',
  "c | select('string') | map('upper') | join(',')",
  "{'x': a + 2 * 3 // 4, 'y': c[0:2:1], 'z': b[-1]}",
  "d | dict2items | selectattr('key', 'equalto', 'e') | list | length > 0",
  "'%s-%05.2f' | format(b, a)",
  "b | regex_replace('(t)(.*)', '\\\\2\\\\1') ~ (a | string)",
  "(1024 | human_readable) if a else ('1KB' | human_to_bytes)",
  "'2024-01-31' | to_datetime('%Y-%m-%d')",
  "'10.0.0.0/8' | ipaddr('network') is match('10')",
  "range(3) | zip(c) | flatten | unique | sort(reverse=true) | random(seed='x')",
  "b | b64encode | b64decode | hash('sha1') | from_json",
  "d | combine({'e': {'g': 1}}, recursive=True) | to_nice_yaml | from_yaml",
];
const TEMPLATES = [
  '{{#each c as |x i|}}{{x}}-{{@index}}{{else}}none{{/each}}',
  '{{#if (eq a 1)}}{{upper b}}{{else if n}}{{{d}}}{{/if}} {{~ lookup d "e" ~}}',
  '{{#with d.e}}{{f}} {{../a}}{{/with}} {{!-- no --}} \\{{a}}',
  ...EXAMPLES.map((text) => `x {{ ${text} }} y`),
];

const names = fc.constantFrom(...BUILT_IN.filterNames().filter((name) => !OUTSIDE.includes(name)));
const operand = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'n',
  'none',
  '""',
  '[]',
  '{}',
  '-1',
  '1e308',
  '"{{"',
  'd.e',
  '__proto__',
  'constructor',
  '"__proto__"',
  '99999999999',
);
/** Every filter, with operands of the wrong types. */
const calls = fc
  .tuple(operand, names, fc.array(operand, { maxLength: 4 }))
  .map(([value, name, args]) => `${value} | ${name}(${args.join(', ')})`);

describe('fuzzed expressions', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  const isHarmless = (text: string): boolean => !OUTSIDE.some((name) => text.includes(name));

  it('are evaluated or reported', () =>
    fuzz.try(
      fc.oneof(mutated(EXAMPLES), calls).filter(isHarmless),
      3000,
      (text) => {
        requireSense(checkExpression(text, HERE));
        evaluate(text, scope, HERE);
      },
      [TemplateError],
    )).timeout(120_000);

  it('in templates are rendered or reported', () =>
    fuzz.try(
      mutated(TEMPLATES).filter(isHarmless),
      1000,
      (text) => {
        requireSense(checkTemplates(text, () => HERE));
        renderText(text, scope, HERE);
      },
      [TemplateError],
    )).timeout(120_000);
});
