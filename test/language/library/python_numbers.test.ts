import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../../src/core/model/values/value.js';
import { formatText } from '../../../src/language/library/texts/format.js';
import { evaluate } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { ansiblePython, hasAnsible } from '../../rig/ansible.js';
import { SEED } from '../../rig/random_seed.js';
import { variables } from '../scopes.js';

/** The result of each case; null if Python refuses it. */
function python(script: string, cases: readonly unknown[]): readonly unknown[] {
  const program = `import json, sys
out = []
for case in json.load(sys.stdin):
    try:
        out.append(${script})
    except Exception:
        out.append(None)
print(json.dumps(out))`;
  const printed = execFileSync(ansiblePython(), ['-c', program], { input: JSON.stringify(cases), encoding: 'utf8' });
  return JSON.parse(printed) as readonly unknown[];
}

function ours(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

const flags = fc.array(fc.constantFrom('-', '+', ' ', '0', '#'), { maxLength: 3 }).map((some) => some.join(''));
const width = fc.constantFrom('', '', '1', '5', '12', '30');
const precision = fc.constantFrom('', '', '.', '.0', '.1', '.3', '.12', '.25');
const specifier = (kinds: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(flags, width, precision, fc.constantFrom(...kinds)).map((parts) => `%${parts.join('')}`);

const whole = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.maxSafeInteger());
const broken = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -10_000, max: 10_000 }).map((one) => one / 16),
    fc.constantFrom(0.5, 1.5, 2.5, 0.125, 9.5, 99.5, 9.99e22, 5e-324, 1.7976931348623157e308, 0.0001, 0.00001),
  )
  .filter((one) => !Number.isInteger(one));
const text = fc
  .array(fc.constantFrom(...Array.from(`ab'"\\\n\té😀\u00a0\u200b\u0007%`)), { maxLength: 6 })
  .map((some) => some.join(''));

const cases = fc.oneof(
  fc.tuple(specifier(Array.from('diuoxXc')), whole),
  fc.tuple(specifier(Array.from('diueEfFgG')), broken),
  fc.tuple(specifier(Array.from('eEfFgG')), whole),
  fc.tuple(specifier(Array.from('sra')), fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))),
  fc.tuple(specifier(Array.from('ra')), fc.array(fc.oneof(text, whole, fc.boolean()), { minLength: 1, maxLength: 3 })),
  fc.tuple(specifier(Array.from('dxfc')), text),
);

describe('a number', () => {
  it('is formatted as Python formats it', function () {
    if (!hasAnsible()) this.skip();
    const asked = fc.sample(cases, { seed: SEED, numRuns: 6000 });
    const answers = python('case[0] % (case[1],)', asked);
    const differ = asked.flatMap(([format, value], index) => {
      const own = ours(() => formatText(format, [value], null));
      return own === answers[index] ? [] : [[format, value, own, answers[index]]];
    });
    expect(differ.slice(0, 20)).to.deep.equal([]);
  });

  it('is rounded as Python and Jinja round it', function () {
    if (!hasAnsible()) this.skip();
    const numbers = fc.oneof(
      whole,
      broken.filter((one) => Math.abs(one) < 1e200),
    );
    const asked = fc.sample(fc.tuple(numbers, fc.integer({ min: -5, max: 12 })), { seed: SEED, numRuns: 3000 });
    const answers = python('float(round(case[0], case[1]))', asked);
    const scope = variables({});
    const differ = asked.flatMap(([number, places], index) => {
      const own = ours(() => evaluate(`${number} | round(${places})`, scope));
      return own === answers[index] || (own === 0 && answers[index] === 0)
        ? []
        : [[number, places, own, answers[index]]];
    });
    expect(differ.slice(0, 20)).to.deep.equal([]);
  });

  const formats: readonly (readonly [expression: string, written: string])[] = [
    ['"%e" % 1234.5', '1.234500e+03'],
    ['"%#x %#o % d %+d" % [255, 8, 5, 5]', '0xff 0o10  5 +5'],
    ['"%*d|%-*d|%.*f" % [5, 42, 4, 7, 2, 3.14159]', '   42|7   |3.14'],
    ['"%(name)s=%(port)05d 100%%" % {"name": "lb1", "port": 443}', 'lb1=00443 100%'],
    ['"%r" % "it\'s"', '"it\'s"'],
    ['"%r" % {"a": [1, none, true]}', "{'a': [1, None, True]}"],
    ['"%c%c" % [97, "b"]', 'ab'],
    ['"%g %g %G" % [1000000, 0.00001, 1e300]', '1e+06 1e-05 1E+300'],
    ['"%.0f %.0f" % [0.5, 1.5]', '0 2'],
    ['"%d" % 1e22', '10000000000000000000000'],
  ];
  for (const [expression, written] of formats) {
    it(`is formatted as in Python: ${expression}`, () => {
      expect(evaluate(expression, variables({}))).to.equal(written);
    });
  }
});
