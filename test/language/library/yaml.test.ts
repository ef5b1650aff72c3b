import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../../src/core/model/values/value.js';
import { readAllYaml, readYaml, writeYaml } from '../../../src/language/library/encodings/encodings.js';
import { evaluate } from '../../../src/language/render.js';
import { Variables } from '../../../src/language/scope.js';
import { ansiblePython, hasAnsible } from '../../rig/ansible.js';
import { SEED } from '../../rig/random_seed.js';

/** Characters with a meaning in YAML, and plain ones. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc
    .array(fc.constantFrom(...Array.from('ab :#-?,[]{}&*!|>\'"%@`=~<\n\t.1_0xe+\\é😀')), { maxLength: 14 })
    .map((one) => one.join('')),
  fc.array(fc.constantFrom('word', 'longer words', ' ', '  '), { maxLength: 40 }).map((one) => one.join(' ')),
  fc.constantFrom('yes', 'No', 'null', '~', '1.0', '0x1f', '07', '1:30', '2024-01-01', '---', '...'),
);

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Special cases of PyYAML: all kinds of line breaks, texts that need folding, names that are too long for one line. */
const hardText = fc.oneof(
  text,
  fc
    .array(
      fc.constantFrom(
        'a',
        'word',
        '\n',
        '\n\n',
        ' ',
        '\t',
        '\r',
        '\u0085',
        '\u2028',
        '\ufeff',
        '\0',
        'é',
        '😀',
        '- ',
        '"',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('word', "it's", 'longer words', '\n', '\n\n', ' ', '\u00a0', '\\', '日本語'), {
      maxLength: 40,
    })
    .map((parts) => parts.join(' ')),
  fc.integer({ min: 120, max: 136 }).map((length) => 'k'.repeat(length)),
  fc.integer({ min: 60, max: 66 }).map((length) => 'é'.repeat(length)),
  fc.constantFrom(
    '=',
    '<<',
    '1_000',
    '0b1',
    '+.inf',
    '.NaN',
    '1e3',
    '1.5e+3',
    '190:20:30.15',
    '2024-1-1 1:02:03',
    'y',
    'N',
  ),
);

const { hard } = fc.letrec<{ hard: Value }>((tie) => ({
  hard: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    hardText,
    fc.oneof(fc.boolean(), fc.constant(null), fc.integer(), number()),
    fc.array(tie('hard'), { maxLength: 5 }),
    fc.dictionary(hardText, tie('hard'), { maxKeys: 5, noNullPrototype: true }),
    fc.dictionary(hardText, fc.oneof(hardText, fc.integer()), { maxKeys: 12, noNullPrototype: true }),
    fc.array(fc.oneof(hardText, fc.integer()), { maxLength: 30 }),
  ),
}));

/** Whole numbers in Python are exact; here, they are exact only up to 2^53. */
function number(): fc.Arbitrary<number> {
  return fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((one) => !Number.isInteger(one) || Math.abs(one) >= 1e21);
}

const call = fc.tuple(
  hard,
  fc.constantFrom('to_yaml', 'to_nice_yaml'),
  fc.record(
    {
      indent: fc.integer({ min: 0, max: 11 }),
      width: fc.constantFrom(-1, 0, 5, 12, 40, 80, 1000),
      sort_keys: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
);

/** The output of Ansible's own filters. */
function written(calls: readonly unknown[]): readonly unknown[] {
  const program = `import json, sys
from ansible.plugins.filter import core
print(json.dumps([getattr(core, name)(value, **named) for value, name, named in json.load(sys.stdin)]))`;
  const options = { input: JSON.stringify(calls), encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  return JSON.parse(execFileSync(ansiblePython(), ['-c', program], options)) as readonly unknown[];
}

function filtered([value, name, named]: readonly [Value, string, Readonly<Record<string, unknown>>]): Value {
  const parameters = Object.entries(named).map(([key, one]) => `${key}=${String(one)}`);
  return evaluate(`value | ${name}(${parameters.join(', ')})`, literals(value));
}

function literals(value: Value): Variables {
  return new Variables([{ level: 'facts', origin: 'test', literal: true, values: { value } }]);
}

describe('YAML output', () => {
  it('equals the output of PyYAML in every character (needs ansible-core 2.14)', function () {
    if (!hasAnsible()) this.skip();
    const calls = fc.sample(call, { seed: SEED, numRuns: 6000 });
    const theirs = written(calls);
    const differ = calls.flatMap((one, index) => {
      const ours = filtered(one);
      return ours === theirs[index] ? [] : [{ call: one, ours, theirs: theirs[index] }];
    });
    expect(differ.slice(0, 5), `${differ.length} differ`).to.deep.equal([]);
  });

  for (const style of [
    { indent: 4, width: 80, flow: false, sortKeys: true },
    { indent: 2, width: 80, flow: true, sortKeys: false },
  ]) {
    it(`reads back as the same value: ${JSON.stringify(style)}`, () => {
      fc.assert(
        fc.property(value, (one) => {
          expect(readYaml(writeYaml(one, style))).to.deep.equal(one);
        }),
        { numRuns: 2000 },
      );
    });
  }

  it('repeats a value that occurs twice', () => {
    const shared = { mtu: 1500 };
    const layout = { indent: 2, width: 80, flow: false, sortKeys: true };
    expect(writeYaml({ a: shared, b: shared }, layout)).to.equal('a:\n  mtu: 1500\nb:\n  mtu: 1500\n');
  });

  it('can have several documents in one text', () => {
    expect(readAllYaml('---\na: 1\n---\n- b\n')).to.deep.equal([{ a: 1 }, ['b']]);
    expect(readAllYaml('')).to.deep.equal([]);
    expect(() => readAllYaml('a: [')).to.throw('from_yaml_all: the text is not YAML');
  });
});
