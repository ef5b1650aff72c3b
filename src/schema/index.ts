import type { Module } from '../module/contract.js';
import { inventorySchema, variablesSchema } from './inventory.js';
import type { JsonSchema } from './json_schema.js';
import { projectSchema } from './project.js';
import { argumentSpecsSchema, roleMetaSchema } from './role_meta.js';
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
    files: ['playbooks/*.yml', 'playbooks/*.yaml'],
    make: ({ modules }) => playbookSchema(modules),
  },
  {
    name: 'tasks',
    about: 'files of tasks: of roles, and included',
    files: ['**/tasks/**/*.yml', '**/tasks/**/*.yaml'],
    make: ({ modules }) => stepsSchema('step', modules),
    makeBeside: (playbook) => stepsSchemaBeside('step', playbook),
  },
  {
    name: 'handlers',
    about: 'files of handlers: of roles, and included',
    files: ['**/handlers/**/*.yml', '**/handlers/**/*.yaml'],
    make: ({ modules }) => stepsSchema('handler', modules),
    makeBeside: (playbook) => stepsSchemaBeside('handler', playbook),
  },
  {
    name: 'variables',
    about: 'files of variables: group_vars, host_vars, defaults and vars of roles',
    files: ['group_vars', 'host_vars', 'vars', 'defaults'].flatMap((folder) => [
      `**/${folder}/**/*.yml`,
      `**/${folder}/**/*.yaml`,
    ]),
    make: variablesSchema,
  },
  {
    name: 'inventory',
    about: 'YAML inventories',
    files: [
      'inventory/*.yml',
      'inventory/*.yaml',
      'inventory/*/*.yml',
      'inventory/*/*.yaml',
      '!**/group_vars/**',
      '!**/host_vars/**',
    ],
    make: inventorySchema,
  },
  {
    name: 'role-meta',
    about: 'meta/main.yml of roles',
    files: ['**/meta/main.yml', '**/meta/main.yaml'],
    make: roleMetaSchema,
  },
  {
    name: 'argument-specs',
    about: 'meta/argument_specs.yml of roles',
    files: ['**/meta/argument_specs.yml', '**/meta/argument_specs.yaml'],
    make: argumentSpecsSchema,
  },
  {
    name: 'project',
    about: 'evenkeel.yml',
    files: ['evenkeel.yml', 'evenkeel.yaml'],
    make: ({ rules }) => projectSchema(rules),
  },
];
