import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { Value } from '../../src/core/model/values/value.js';
import { validateArguments } from '../../src/module/arguments/validation.js';
import type { Module } from '../../src/module/contract.js';
import type { Schema } from '../../src/module/schema.js';
import { playbookSchema } from '../../src/schema/steps.js';
import { shareOf } from '../rig/random_seed.js';
import { declarations } from '../rig/schemas.js';

const PLAIN: readonly Value[] = [
  null,
  true,
  0,
  5,
  1.5,
  '',
  'text',
  '8080',
  ' 8080 ',
  '1234567890123456',
  '1.5',
  '.5',
  '5.',
  'yes',
  'tRuE',
  'Off',
  '2',
  '{{ x }}',
  'a {{ x }}',
  '[]',
  '{}',
  '/api/x/',
];

/** Arguments whose own fields are required. */
const NESTED: readonly string[] = ['avi_gslbservice_patch_member', 'avi_update_se_data_vnics'];

const FEW: readonly Value[] = [5, true, 'text', [], {}];

/** Values of every type for a field: the plain ones, and each of them inside of lists and known fields. */
function valuesFor(schema: Schema | undefined, depth = 0): readonly Value[] {
  if (depth > 2) return [5, 'text', [], {}];
  const lists = (schema?.items === undefined ? [5, 'text'] : valuesFor(schema.items, depth + 1)).map((one) => [one]);
  const fields = Object.entries(schema?.properties ?? {});
  const mappings = fields.flatMap(([name, field]) => valuesFor(field, depth + 1).map((one) => ({ [name]: one })));
  return [...PLAIN, [], {}, { unknown_field: 1 }, ...lists, ...mappings];
}

function isLoaded(module: Module, name: string, value: Value): boolean {
  const { needsOne = [] }: Schema = module.args;
  const others = needsOne.length === 0 || needsOne.includes(name) ? {} : { [needsOne.at(-1) ?? '']: '{{ x }}' };
  const check = validateArguments(module, { ...others, [name]: value }, 'static');
  return !('problems' in check && check.problems.some(({ path }) => path[0] === name));
}

/** A text may say a mapping, and then the schema of the editor does not look for its fields. */
function needsFields(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  if ((schema.required ?? []).length > 0) return true;
  return [schema.items, ...Object.values(schema.properties ?? {})].some(needsFields);
}

describe('the schema of arguments', () => {
  // Thousands of schemas.
  it('accepts what the loader accepts, for every field of every module', async () => {
    const { modules: all } = await declarations();
    const modules = [
      ...shareOf(all, 24).filter(({ name }) => !NESTED.includes(name)),
      ...all.filter(({ name }) => NESTED.includes(name)),
    ];
    const ajv = new Ajv({ strict: false, code: { optimize: false } });
    ajv.addSchema({ ...playbookSchema(modules) }, 'playbook');
    const different: string[] = [];
    let compared = 0;
    // Several modules have the fields of a kind.
    const known = new Set<unknown>();
    for (const module of modules) {
      const knownFields: Schema = (module.type === 'resource' ? module.knownFields : undefined) ?? {};
      const declared: Schema = module.args;
      const names = new Set([...Object.keys(declared.properties ?? {}), ...Object.keys(knownFields.properties ?? {})]);
      const validate = ajv.compile({ $ref: `playbook#/definitions/module_${module.name}` });
      // Keywords, which the loader checks when it reads them.
      names.delete('apply');
      for (const name of names) {
        const schema = declared.properties?.[name] ?? knownFields.properties?.[name];
        const values = known.has(schema) ? FEW : valuesFor(schema);
        known.add(schema);
        for (const value of values) {
          compared += 1;
          const loaded = isLoaded(module, name, value);
          if (!loaded && JSON.stringify(value).includes('"{}"') && needsFields(declared.properties?.[name])) continue;
          if (validate({ [name]: value }) !== loaded)
            different.push(`${module.name}: ${name}: ${JSON.stringify(value)} ${loaded ? 'is loaded' : 'is refused'}`);
        }
      }
    }
    expect(different.join('\n')).to.equal('');
    expect(compared).to.be.above(4000);
  }).timeout(600_000);

  it('has no calls of what decides the kind of a step', async () => {
    const { modules } = await declarations([]);
    const { definitions } = playbookSchema(modules) as { readonly definitions: Readonly<Record<string, unknown>> };
    for (const name of ['task_step', 'handler_step'])
      expect(JSON.stringify(definitions[name]))
        .to.include('"debug"')
        .and.to.not.match(/"include_(?:role|tasks)"/);
  });
});
