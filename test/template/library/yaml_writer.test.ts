import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../../src/model/value.js';
import { readAllYaml, readYaml, writeYaml } from '../../../src/template/library/yaml.js';

/** Characters that YAML gives a meaning, beside plain ones. */
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

describe('YAML that is written', () => {
  for (const style of [
    { indent: 4, flow: false, sortKeys: true },
    { indent: 2, flow: true, sortKeys: false },
  ]) {
    it(`is read as the same value: ${JSON.stringify(style)}`, () => {
      fc.assert(
        fc.property(value, (one) => {
          expect(readYaml(writeYaml(one, style))).to.deep.equal(one);
        }),
        { numRuns: 2000 },
      );
    });
  }

  it('can be several documents in one text', () => {
    expect(readAllYaml('---\na: 1\n---\n- b\n')).to.deep.equal([{ a: 1 }, ['b']]);
    expect(readAllYaml('')).to.deep.equal([]);
    expect(() => readAllYaml('a: [')).to.throw('from_yaml_all: the text is no YAML');
  });
});
