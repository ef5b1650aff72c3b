import fc from 'fast-check';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { parseYaml } from '../../src/project/yaml/parse_yaml.js';
import { anyText } from '../rig/any_text.js';
import { corpus } from './rig/corpus.js';
import { Fuzz, requireSense } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

const TOKENS = [
  'a',
  '- ',
  ': ',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '&x ',
  '*x',
  '<<',
  '!vault ',
  '|',
  '>',
  '"',
  "'",
  '#',
  '? ',
  '---',
  '\t',
  '__proto__',
  '{{',
  '0',
  '~',
];

const EXAMPLES = [
  ...corpus('playbooks', '.yml'),
  ...corpus('inventory', '.yml'),
  ...corpus('test/differential/cases', '.yml'),
];

const soup = fc.array(fc.constantFrom(...TOKENS), { maxLength: 60 }).map((tokens) => tokens.join(''));

describe('fuzzed YAML', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  function understand(text: string): void {
    const diagnostics = new Diagnostics();
    const parsed = parseYaml(text, 'a.yml', diagnostics);
    requireSense(diagnostics.list, { 'a.yml': text });
    if (parsed === undefined && !diagnostics.failed()) throw new Error('neither a value nor a reason');
    for (const path of [[], ['a'], ['__proto__', '0'], ['0', 'hosts']])
      requireSense([{ severity: 'error', message: 'x', source: parsed?.locate(path) }], { 'a.yml': text });
  }

  it('is accepted or reported: examples that something happened to', () =>
    fuzz.try(mutated(EXAMPLES), 150, understand)).timeout(120_000);
  it('is accepted or reported: what it is made of, in any order', () => fuzz.try(soup, 1000, understand)).timeout(
    120_000,
  );
  it('is accepted or reported: any text', () => fuzz.try(anyText({ maxLength: 200 }), 500, understand)).timeout(
    120_000,
  );
});
