import { CONNECTION_VARIABLES, type ConnectionVariable } from '../core/model/inventory/connection_variables.js';
import type { Module } from '../module/contract.js';
import { projectSchema } from './project.js';
import { argumentSpecsSchema, roleMetaSchema } from './role_meta.js';
import {
  anyText,
  DRAFT,
  flag,
  number,
  oneOrMore,
  reference,
  template,
  wholeNumber,
  type JsonSchema,
  type SchemaEntry,
} from './scalars.js';
import { playbookSchema, stepsSchema, stepsSchemaBeside } from './steps.js';

/** The inputs of schemas, besides the declarations of the language. */
export interface Declared {
  readonly modules: readonly Module[];
  /** Names of the rules of lint. */
  readonly rules: readonly string[];
}

export interface SchemaKind {
  readonly name: string;
  /** One line. */
  readonly about: string;
  /** The files that it is for, as editors match them; `!`: but not these. */
  readonly files: readonly string[];
  make(declared: Declared): JsonSchema;
  /** A shorter schema that refers to the file of the playbook schema beside it. */
  makeBeside?(playbook: string): JsonSchema;
}

/** No file matches two of them. */
export const SCHEMAS: readonly SchemaKind[] = [
  {
    name: 'playbook',
    about: 'playbooks',
    files: yamlFiles('playbooks/*'),
    make: ({ modules }) => playbookSchema(modules),
  },
  {
    name: 'tasks',
    about: 'files of tasks: of roles, and included',
    files: yamlFiles('**/tasks/**/*'),
    make: ({ modules }) => stepsSchema('step', modules),
    makeBeside: (playbook) => stepsSchemaBeside('step', playbook),
  },
  {
    name: 'handlers',
    about: 'files of handlers: of roles, and included',
    files: yamlFiles('**/handlers/**/*'),
    make: ({ modules }) => stepsSchema('handler', modules),
    makeBeside: (playbook) => stepsSchemaBeside('handler', playbook),
  },
  {
    name: 'variables',
    about: 'files of variables: group_vars, host_vars, defaults and vars of roles',
    files: yamlFiles('**/group_vars/**/*', '**/host_vars/**/*', '**/vars/**/*', '**/defaults/**/*'),
    make: () => ({ $schema: DRAFT, title: 'Evenkeel variables', ...variables() }),
  },
  {
    name: 'inventory',
    about: 'YAML inventories',
    files: [...yamlFiles('inventory/*', 'inventory/*/*'), '!**/group_vars/**', '!**/host_vars/**'],
    make: () => ({
      $schema: DRAFT,
      title: 'Evenkeel inventory',
      type: ['object', 'null'],
      if: { type: 'object', required: ['plugin'] },
      then: {
        properties: { plugin: { description: 'The inventory plugin that this file configures.', type: 'string' } },
      },
      else: {
        properties: { all: { description: 'The group of every controller.', allOf: [reference('group')] } },
        additionalProperties: reference('group'),
      },
      definitions: { group: GROUP, variables: variables() },
    }),
  },
  { name: 'role-meta', about: 'meta/main.yml of roles', files: yamlFiles('**/meta/main'), make: roleMetaSchema },
  {
    name: 'argument-specs',
    about: 'meta/argument_specs.yml of roles',
    files: yamlFiles('**/meta/argument_specs'),
    make: argumentSpecsSchema,
  },
  { name: 'project', about: 'evenkeel.yml', files: yamlFiles('evenkeel'), make: ({ rules }) => projectSchema(rules) },
];

function yamlFiles(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [`${name}.yml`, `${name}.yaml`]);
}

const GROUPS: JsonSchema = {
  description: 'Groups inside of this one.',
  type: ['object', 'string', 'null'],
  additionalProperties: reference('group'),
};

const CONTROLLERS: JsonSchema = {
  description: 'Controllers by name, each with its variables. Ranges work: lb[01:06].example.com.',
  type: ['object', 'string', 'null'],
  additionalProperties: reference('variables'),
};

const GROUP: JsonSchema = {
  type: ['object', 'null'],
  properties: {
    hosts: CONTROLLERS,
    vars: { description: 'Variables of every controller in the group.', allOf: [reference('variables')] },
    children: GROUPS,
  },
  additionalProperties: false,
};

/** A mapping of variables, including connection variables. */
function variables(): JsonSchema {
  const known = CONNECTION_VARIABLES.map((variable): SchemaEntry => [variable.name, variableSchema(variable)]);
  return { type: ['object', 'null'], properties: Object.fromEntries(known) };
}

function variableSchema({ type, description, secret }: ConnectionVariable): JsonSchema {
  const warning = secret === true ? ' A secret: encrypt it, or take it from the environment.' : '';
  return { description: `${description}${warning}`, anyOf: [TYPES[type], { type: 'null' }] };
}

const TYPES: Readonly<Record<ConnectionVariable['type'], JsonSchema>> = {
  text: anyText,
  'text or texts': oneOrMore(anyText),
  flag,
  'flag or strict': { anyOf: [flag, { const: 'strict' }] },
  number,
  'whole number': wholeNumber,
  mapping: { anyOf: [{ type: 'object' }, template] },
};
