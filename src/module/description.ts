import { present } from '../core/model/values/stored.js';
import { isList, type Value } from '../core/model/values/value.js';
import { MASK } from '../core/secrets/secrets.js';
import type { Module } from './contract.js';
import { schemaChoices, schemaTypes, type Schema } from './schema.js';

/** What a description repeats from the schema. */
const FACTS = [
  'minimum',
  'maximum',
  'special',
  'unit',
  'since',
  'until',
  'minItems',
  'maxItems',
  'secret',
  'description',
] as const;

/** One argument, or one field inside an argument: `dns_configuration.server_list[].addr`. */
export interface ArgumentDescription extends Readonly<{
  [Name in (typeof FACTS)[number]]?: Schema[Name] | undefined;
}> {
  readonly path: string;
  /** `integer`, `list of mappings`, `expression`, `any`. */
  readonly type: string;
  readonly required: boolean;
  readonly default?: Value;
  readonly choices?: readonly Value[];
}

/** The documentation of a module from its declarations, for `evenkeel doc` and `docs/modules.md`. */
export interface ModuleDescription {
  readonly name: string;
  readonly type: Module['type'];
  readonly summary: string;
  readonly description?: string;
  readonly checkMode: 'full' | 'runs' | 'skipped' | 'depends on the arguments';
  readonly arguments: readonly ArgumentDescription[];
  /** Whether names that are not declared are passed on. */
  readonly open: boolean;
  /** Fields that are known but not promised. */
  readonly fields: readonly ArgumentDescription[];
  /** The structure that the fields belong to, if it is a known kind: `Pool`. */
  readonly structure?: string;
  readonly examples: readonly string[];
}

export function describeModule(module: Module): ModuleDescription {
  const args: Schema = module.args;
  const knownFields: Schema = module.type === 'resource' && module.knownFields !== undefined ? module.knownFields : {};
  const described = describeProperties(args, '');
  const paths = new Set(described.map(({ path }) => path));
  return {
    name: module.name,
    type: module.type,
    summary: module.summary,
    ...(module.description === undefined ? {} : { description: module.description }),
    checkMode: checkMode(module),
    arguments: described,
    open: args.additionalProperties !== false,
    fields: describeProperties(knownFields, '').filter(({ path }) => !paths.has(path)),
    ...(knownFields.structure === undefined ? {} : { structure: knownFields.structure }),
    examples: module.examples.map((example) => example.trim()),
  };
}

function checkMode(module: Module): ModuleDescription['checkMode'] {
  if (module.type === 'resource') return 'full';
  if (typeof module.check === 'function') return 'depends on the arguments';
  return module.check ? 'runs' : 'skipped';
}

function describeProperties(schema: Schema, parent: string): readonly ArgumentDescription[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    // A property with a default is always there after validation, but need not be given.
    const isRequired = property.default === undefined && schema.required?.includes(name) === true;
    return [describe(path, property, isRequired), ...inner(property, path)];
  });
}

function inner(schema: Schema, path: string): readonly ArgumentDescription[] {
  return schema.items === undefined ? describeProperties(schema, path) : inner(schema.items, `${path}[]`);
}

function describe(path: string, schema: Schema, required: boolean): ArgumentDescription {
  const choices = schemaChoices(schema);
  return {
    path,
    type: typeName(schema),
    required,
    ...(present(schema.default) ? { default: schema.secret === true ? MASK : schema.default } : {}),
    ...(isList(choices) ? { choices } : {}),
    ...Object.fromEntries(FACTS.map((name) => [name, schema[name]])),
  };
}

function typeName(schema: Schema): string {
  if (schema.expression === true) return 'expression';
  const element = schema.items && typeName(schema.items);
  if (element !== undefined) return element === 'any' ? 'list' : `list of ${element}s`;
  if (schema.anyOf !== undefined && schemaChoices(schema) === undefined) return schema.anyOf.map(typeName).join(' or ');
  const types = schemaTypes(schema);
  return types.length === 0 ? 'any' : types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
}

const TYPE_NAMES: Readonly<Record<string, string>> = { object: 'mapping', array: 'list' };
