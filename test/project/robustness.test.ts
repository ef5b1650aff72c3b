import { expect } from 'chai';
import fc from 'fast-check';
import { builtinModules } from '../../modules/index.js';
import type { Construct } from '../../src/project/keywords/keyword.js';
import { KEYWORDS } from '../../src/project/keywords/keyword_table.js';
import { listing } from '../../src/run/command.js';
import { load } from '../rig/loaded.js';
import { amountOf, IS_WHOLE } from '../rig/random_seed.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const FILES = ['a.yml', 'b.yml', 'site.yml', 'site.yml/a.yml', 'a\0b', 'x'.repeat(300), '..', '{{ x }}', '{{ x', ''];
const ROLES = ['r1', 'r2', 'r3', 'nobody', '~', '/', '../r1', ''];
const TRAPS = ['__proto__', 'constructor', 'toString', '0'];
const WORDS = [...KEYWORDS.map(({ name }) => name), ...Object.keys(builtinModules), ...TRAPS];

const scalar = fc.constantFrom<Json>(null, true, -1, 1e21, 'a == 1', 'not (', 'a=b "c', 'noop', ...FILES, ...ROLES);

function mapping(keys: readonly string[], values: fc.Arbitrary<Json>): fc.Arbitrary<Record<string, Json>> {
  const entry = fc.tuple(fc.constantFrom(...keys), values);
  return fc.array(entry, { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

const anything: fc.Arbitrary<Json> = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('tree'), { maxLength: 3 }), mapping(WORDS, tie('tree'))),
})).tree;

/** A mapping with this key, and some keywords of the same place with arbitrary values. */
function having(key: string, value: fc.Arbitrary<Json>, construct: Construct): fc.Arbitrary<Record<string, Json>> {
  const known = KEYWORDS.filter(({ constructs }) => constructs.includes(construct)).map(({ name }) => name);
  return fc.tuple(mapping(known, anything), fc.oneof(value, anything)).map(([others, one]) => ({
    ...others,
    [key]: one,
  }));
}

const file = fc.constantFrom<Json>(...FILES);
const role = fc.record({ name: fc.constantFrom<Json>(...ROLES) });

const steps: fc.Arbitrary<Json> = fc.letrec<{ steps: Json }>((tie) => ({
  steps: fc.array(
    fc.oneof(
      { maxDepth: 2 },
      anything,
      having('debug', anything, 'task'),
      having('include_tasks', file, 'include_tasks'),
      having('import_tasks', file, 'import_tasks'),
      having('include_role', role, 'include_role'),
      having('import_role', role, 'import_role'),
      having('meta', fc.constant('noop'), 'meta'),
      having('block', tie('steps'), 'block'),
      having('always', tie('steps'), 'block'),
    ),
    { maxLength: 3 },
  ),
})).steps;

const dependencies = fc.array(fc.oneof(fc.constantFrom<Json>(...ROLES), having('role', scalar, 'role')), {
  maxLength: 3,
});
const specification = mapping(['main', ...TRAPS], mapping(['options', 'required_if', ...TRAPS], anything));
const meta = mapping(['dependencies', 'allow_duplicates'], fc.oneof<fc.Arbitrary<Json>[]>(dependencies, anything));

const play = fc
  .tuple(having('tasks', steps, 'play'), having('handlers', steps, 'play'), dependencies)
  .map(([one, other, roles]) => [
    { hosts: 'all', ...one },
    { hosts: 'all', ...other, roles },
  ]);

describe('Arbitrary content in the files of a playbook', () => {
  it('is loaded or reported', async function () {
    this.timeout(120_000);
    const texts = fc.tuple(play, steps, steps, steps, meta, meta, specification, anything);
    const loaded = texts.map((values) => values.map((value) => JSON.stringify(value)));
    await fc.assert(
      fc.asyncProperty(loaded, async ([site = '', a = '', b = '', c = '', m1 = '', m2 = '', spec = '', vars = '']) => {
        await load(site, {
          'a.yml': a,
          'b.yml': b,
          'roles/r1/tasks/main.yml': c,
          'roles/r1/meta/main.yml': m1,
          'roles/r2/meta/main.yml': m2,
          'roles/r2/meta/argument_specs.yml': `argument_specs: ${spec}`,
          'roles/r2/tasks/main.yml': a,
          'roles/r2/defaults/main.yml': vars,
          'roles/r3/vars/main/some.yml': vars,
          'roles/r3/handlers/main.yml': b,
        });
      }),
      { numRuns: amountOf({ change: 8, gate: 20 }, 150) },
    );
  });

  it('can be large', async function () {
    this.timeout(120_000);
    const count = IS_WHOLE ? 130_000 : 10_000;
    const { plays } = await load('- {hosts: all, tasks: [import_tasks: many.yml]}', {
      'many.yml': '- meta: noop\n'.repeat(count),
    });
    const steps = plays[0]?.tasks ?? [];
    expect(steps).to.have.length(count);
    const playbook = { file: 'site.yml', directory: '/', plays };
    const controllers = Array.from({ length: count }, (_, index) => `lb${index}`);
    const [play] = plays;
    if (play === undefined) throw new Error('the play is missing');
    const selected = { playbook, play, name: 'all', pattern: 'all', controllers, steps, checks: [] };
    const unused = { number: 0, serial: undefined, gate: undefined };
    const text = listing([playbook], [{ ...selected, ...unused }], { hosts: true, tasks: true, tags: true });
    expect(text.split('\n')).to.have.length(2 * count + 9);
  });
});
