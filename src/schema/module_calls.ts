import type { Module } from '../module/contract.js';
import { reference, type Entry, type JsonSchema } from './json_schema.js';
import { argumentsSchema, requiredArguments } from './module_arguments.js';

type Properties = Readonly<Record<string, JsonSchema>>;
/** The keys of a mapping, with the schema of each value. */
type Keys = Pick<JsonSchema, 'properties' | 'patternProperties'>;

const PREFIX = String.raw`ansible\.(?:builtin|legacy)\.`;

/** Properties for a name and its longer forms in Ansible, which editors do not offer. */
export function spelled(entries: readonly Entry[]): Required<Keys> {
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
  return Object.fromEntries([
    ...modules.map((module): Entry => [`module_${module.name}`, moduleSchema(module)]),
    ...modules.filter(isDemanding).map((module): Entry => [`needs_${module.name}`, needs(module)]),
  ]);
}

/** The keys by which a task calls one of the modules. */
export function calls(modules: readonly Module[]): Required<Keys> {
  return spelled(modules.map(({ name }): Entry => [name, reference(`module_${name}`)]));
}

/** Keywords that name the module in their value. */
const ACTIONS: readonly string[] = ['action', 'local_action'];

/** There is one call with its required arguments, which may be in `args`. */
export function oneCall(modules: readonly Module[], keywords: readonly string[]): JsonSchema {
  const needed = modules.filter(isDemanding).map(({ name }): Entry => [name, reference(`needs_${name}`)]);
  const names = [...modules.map(({ name }) => name), ...ACTIONS];
  return {
    allOf: [
      {
        if: { propertyNames: { enum: keywords.filter((name) => !ACTIONS.includes(name)) } },
        then: { required: ['debug'], errorMessage: 'a task needs a module, such as "debug"' },
      },
      ...names.map((name) => ({ if: has(name), then: noOther(name, names) })),
      { if: { not: { required: ['args'] } }, then: spelled(needed) },
    ],
  };
}

function noOther(name: string, names: readonly string[]): JsonSchema {
  const others = names.filter((other) => other !== name).join('|');
  return {
    patternProperties: { [`^(?:${PREFIX})?(?:${others})$`]: false },
    errorMessage: `a task has one module; this one has "${name}" already`,
  };
}

/** By name, as `k=v` text, or none. */
function moduleSchema(module: Module): JsonSchema {
  const args = argumentsSchema(module);
  const apply = args.properties?.['apply'] === undefined ? {} : { apply: reference('apply') };
  const named = { ...args, properties: { ...args.properties, ...apply } };
  return { description: module.summary, anyOf: [named, { type: ['string', 'null'] }] };
}

function isDemanding(module: Module): boolean {
  return requiredArguments(module).length > 0;
}

function needs(module: Module): JsonSchema {
  return { if: { type: 'string' }, else: { type: 'object', required: requiredArguments(module) } };
}
