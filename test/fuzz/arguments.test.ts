import { expect } from 'chai';
import fc from 'fast-check';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { readLimit } from '../../src/launch/load/limits.js';
import { convert, TYPES } from '../../src/module/argument_spec/types.js';
import { coerce } from '../../src/module/arguments/coercion.js';
import { parseKeyValues } from '../../src/project/document/key_values.js';
import { parseExtraVars } from '../../src/project/variables/written_variables.js';
import { Fuzz, requireSense } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

const KEY_VALUES = [
  `name=edge mtu=1500 note="a 'b' c" path='x y' url=https://x/?a=b`,
  String.raw`a=\"b\" c="{{ d }}" e={{ f | default('x y') }} g`,
  'chdir=/tmp creates="x=y" _raw="a b"',
];
const EXTRA_VARS = [
  ...KEY_VALUES,
  '{"a": {"b": [1, null, "{{ c }}"]}, "__proto__": {"polluted": 1}}',
  '{a: b, c: [d, e], f: !unsafe "{{ x }}"}',
  '[1, 2]',
  '@nowhere.yml',
];
const LIMITS = ['emea:!lb06*,&north', '@nowhere', 'lb[1:3]:~lb.*', 'all'];
const SIZES = [
  '10M',
  '1.5 GB',
  '2 kilobytes',
  '1Mb',
  '-1',
  '1e3',
  '0x10',
  '5m',
  '1h30m',
  '30',
  'yes',
  'a,b',
  'a=b,c=d',
  '{"a": 1}',
  '[1]',
];

describe('fuzzed arguments', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  it('of k=v text are understood or complained about', () =>
    fuzz.try(fc.oneof(mutated(KEY_VALUES), fc.string()), 1000, (text) => {
      const parsed = parseKeyValues(text);
      if (parsed.status === 'unbalanced') expect(parsed.message).to.match(/\S/);
    }));

  it('of -e are understood or complained about', () =>
    fuzz.try(mutated(EXTRA_VARS), 500, async (text) => {
      const diagnostics = new Diagnostics();
      await parseExtraVars([text], '/nowhere', { diagnostics });
      requireSense(diagnostics.list);
    }));

  it('of --limit are understood or complained about', () =>
    fuzz.try(mutated(LIMITS), 500, async (text) => {
      const diagnostics = new Diagnostics();
      const limit = await readLimit(text, '/nowhere', diagnostics);
      if (limit === undefined) expect(diagnostics.failed()).to.equal(true);
      requireSense(diagnostics.list);
    }));

  it('of any type are converted or refused', () =>
    fuzz.try(fc.oneof(mutated(SIZES), fc.string()), 1000, (text) => {
      for (const type of TYPES) convert(type, text);
      for (const type of ['integer', 'number', 'boolean', 'object', 'array', 'string']) coerce({ type }, text, true);
    }));
});
