import { REQUIREMENTS } from '../module/argument_spec/requirements.js';
import { OPTION_KEYS } from '../module/argument_spec/specification.js';
import { TYPES } from '../module/argument_spec/types.js';
import type { METADATA } from '../project/role/metadata.js';
import { anyText, boolean, DRAFT, flag, listSchema, orNothing, reference, type JsonSchema } from './scalars.js';
import { roleDefinitions } from './steps.js';

/** `meta/main.yml` of a role. */
export function roleMetaSchema(): JsonSchema {
  return {
    $schema: DRAFT,
    title: 'Evenkeel role metadata',
    type: ['object', 'null'],
    properties: METADATA_SCHEMAS,
    additionalProperties: false,
    definitions: { ...roleDefinitions(), ...specDefinitions() },
  };
}

/** `meta/argument_specs.yml` of a role. */
export function argumentSpecsSchema(): JsonSchema {
  return {
    $schema: DRAFT,
    title: 'Evenkeel argument specifications',
    type: ['object', 'null'],
    properties: { argument_specs: { description: 'The variables and their types, by entry point: main.', ...SPECS } },
    definitions: specDefinitions(),
  };
}

const SPECS: JsonSchema = { type: ['object', 'null'], additionalProperties: reference('entry_point') };

const OPTIONS: JsonSchema = { type: ['object', 'null'], additionalProperties: reference('option') };

const METADATA_SCHEMAS: Readonly<Record<(typeof METADATA)[number], JsonSchema>> = {
  dependencies: {
    description: 'Roles that come before this one.',
    ...orNothing(listSchema({ anyOf: [anyText, reference('role')] })),
  },
  allow_duplicates: { description: 'Whether a play can run it again with the same parameters.', ...orNothing(flag) },
  argument_specs: { description: 'The variables of the role and their types, by entry point: main.', ...SPECS },
  collections: { description: 'For Ansible; has no effect here.' },
  galaxy_info: { description: 'For people, and for Ansible Galaxy.' },
};

function specDefinitions(): Readonly<Record<string, JsonSchema>> {
  const rules = Object.fromEntries(REQUIREMENTS.map((rule) => [rule, keySchema(rule)]));
  const keys = Object.fromEntries(Object.keys(OPTION_KEYS).map((key) => [key, keySchema(key)]));
  return {
    entry_point: {
      type: ['object', 'null'],
      properties: {
        short_description: { description: 'One line.' },
        description: { description: 'One text, or a list of paragraphs.' },
        options: { description: 'The variables, by name.', ...OPTIONS },
        ...rules,
      },
    },
    option: { type: 'object', properties: keys },
  };
}

function keySchema(key: string): JsonSchema {
  return key === 'options' ? OPTIONS : KEYS[OPTION_KEYS[key] ?? 'anything'];
}

const KEYS = {
  flag: orNothing(boolean),
  type: orNothing({ enum: TYPES }),
  list: { type: ['array', 'null'] },
  mapping: { type: ['object', 'null'] },
  anything: {},
} as const;
