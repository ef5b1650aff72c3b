import type { Module } from '../module/contract.js';
import { ArgumentSchemas, requiredArguments, type DefineSchema } from './module_arguments.js';
import { reference, type JsonSchema, type SchemaEntry } from './scalars.js';

type Properties = Readonly<Record<string, JsonSchema>>;
/** The keys of a mapping, with the schema of each value. */
type Keys = Pick<JsonSchema, 'properties' | 'patternProperties'>;

const PREFIX = String.raw`ansible\.(?:builtin|legacy)\.`;

/** Properties for a name and its longer forms in Ansible, which editors do not offer. */
export function spelled(entries: readonly SchemaEntry[]): Required<Keys> {
  return {
    properties: Object.fromEntries(entries),
    patternProperties: Object.fromEntries(entries.map(([name, schema]) => [`^${PREFIX}${name}$`, schema])),
  };
}

/** Whether a mapping has the key, in one of its spellings. */
export function has(name: string): JsonSchema {
  const spellings = ['', 'ansible.builtin.', 'ansible.legacy.'].map((prefix) => `${prefix}${name}`);
  return { anyOf: spellings.map((spelling) => ({ required: [spelling] })) };
}

/** The definitions that calls refer to: the arguments of each module, and the required ones. */
export function moduleDefinitions(modules: readonly Module[]): Properties {
  const shared = new SharedDefinitions();
  const schemas = new ArgumentSchemas(modules, shared.define);
  const called = modules.map((module): SchemaEntry => [`module_${module.name}`, moduleSchema(module, schemas)]);
  const needed = modules.filter(isDemanding).map((module): SchemaEntry => [`needs_${module.name}`, needs(module)]);
  return Object.fromEntries([...called, ...needed, ...shared.entries]);
}

/** Definitions that the arguments of several modules share. */
class SharedDefinitions {
  readonly entries: SchemaEntry[] = [];
  /** By step key. */
  readonly #names = new Map<unknown, string>();

  readonly define: DefineSchema = (name, key, make) => {
    const known = this.#names.get(key);
    if (known !== undefined) return reference(known);
    const unique = this.#unique(name);
    this.#names.set(key, unique);
    this.entries.push([unique, make()]);
    return reference(unique);
  };

  /** Structures of the project may have the names of built-in ones. */
  #unique(name: string): string {
    const taken = new Set(this.#names.values());
    for (let number = 1; ; number += 1) {
      const unique = number === 1 ? name : `${name}-${number}`;
      if (!taken.has(unique)) return unique;
    }
  }
}

/** The keys by which a task calls one of the modules. */
export function calls(modules: readonly Module[]): Required<Keys> {
  return byName(modules, (name) => reference(`module_${name}`));
}

/** Modules of the vendor's collection can be written with or without the name of the collection. */
const VENDOR_PREFIX = String.raw`(?:(?:vmware\.alb|community\.network)\.)?`;

/**
 * Properties for the names of modules; nothing of Ansible has the names of the modules of kinds. Editors do not offer
 * the vendor's names.
 */
function byName(modules: readonly Module[], schema: (name: string) => JsonSchema): Required<Keys> {
  const entry = ({ name }: Module): SchemaEntry => [name, schema(name)];
  const { properties, patternProperties } = spelled(modules.filter(isOfAnsible).map(entry));
  const vendors = modules
    .filter(isOfVendor)
    .map(({ name }): SchemaEntry => [`^${VENDOR_PREFIX}${name}$`, schema(name)]);
  return {
    properties: { ...properties, ...Object.fromEntries(modules.filter(isOfKind).map(entry)) },
    patternProperties: { ...patternProperties, ...Object.fromEntries(vendors) },
  };
}

/** Keywords that name the module in their value. */
const ACTIONS: readonly string[] = ['action', 'local_action'];

/** There is one call with its required arguments, which may be in `args`. */
export function oneCall(modules: readonly Module[], keywords: readonly string[]): JsonSchema {
  const needed = byName(modules.filter(isDemanding), (name) => reference(`needs_${name}`));
  const names = [...modules.filter(isOfAnsible).map(({ name }) => name), ...ACTIONS];
  const others = [...names, String.raw`\w+_(?:present|absent)`, String.raw`${VENDOR_PREFIX}avi_\w+`].join('|');
  return {
    allOf: [
      {
        if: { propertyNames: { enum: keywords.filter((name) => !ACTIONS.includes(name)) } },
        then: { required: ['debug'], errorMessage: 'a task needs a module, such as "debug"' },
      },
      ...names.map((name) => ({ if: has(name), then: noOther(name, others) })),
      { if: { not: { required: ['args'] } }, then: needed },
    ],
  };
}

/** There are so many of them that pairwise exclusions would be most of the schema. */
function isOfKind(module: Module): boolean {
  return module.type === 'resource' && module.kind !== undefined && !isOfVendor(module);
}

function isOfVendor({ name, connection }: Module): boolean {
  return connection !== undefined && name.startsWith('avi_');
}

function isOfAnsible(module: Module): boolean {
  return !isOfKind(module) && !isOfVendor(module);
}

function noOther(name: string, others: string): JsonSchema {
  return {
    patternProperties: { [`^(?:${PREFIX})?(?!${name}$)(?:${others})$`]: false },
    errorMessage: `a task has one module; this one has "${name}" already`,
  };
}

/** By name, as `k=v` text, or none. */
function moduleSchema(module: Module, schemas: ArgumentSchemas): JsonSchema {
  const args = schemas.schemaFor(module);
  const named =
    args.properties?.['apply'] === undefined
      ? args
      : { ...args, properties: { ...args.properties, apply: reference('apply') } };
  return { description: module.summary, anyOf: [named, { type: ['string', 'null'] }] };
}

function isDemanding(module: Module): boolean {
  return requiredArguments(module).length > 0;
}

function needs(module: Module): JsonSchema {
  return { if: { type: 'string' }, else: { type: 'object', required: requiredArguments(module) } };
}
