import { ENVIRONMENT_SETTINGS, LINT_SETTINGS, PROJECT_SETTINGS, type Setting } from '../project/project/table.js';
import { TRAITS, type Trait } from '../project/project/traits.js';
import { anyText, boolean, DRAFT, oneOrMore, orNothing, type JsonSchema, type SchemaEntry } from './scalars.js';

/** `evenkeel.yml`; `rules`: the names that `lint` may skip. */
export function projectSchema(rules: readonly string[]): JsonSchema {
  return { $schema: DRAFT, title: 'evenkeel.yml', ...settings(PROJECT_SETTINGS, rules) };
}

const COUNT: JsonSchema = {
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: String.raw`^\d+$` },
  ],
};

function settings(list: readonly Setting[], rules: readonly string[]): JsonSchema {
  const properties = list.map((one): SchemaEntry => [
    one.name,
    { description: one.description, ...orNothing(valueSchema(one, rules)) },
  ]);
  return { type: ['object', 'null'], properties: Object.fromEntries(properties), additionalProperties: false };
}

function valueSchema({ value, choices = [] }: Setting, rules: readonly string[]): JsonSchema {
  switch (value) {
    case 'text':
    case 'file':
    case 'folder':
      return anyText;
    case 'sources':
    case 'files':
    case 'folders':
    case 'vault ids':
    case 'collections':
      return oneOrMore(anyText);
    case 'size':
      return { type: ['integer', 'string'] };
    case 'forks':
      return { anyOf: [COUNT, { const: 'auto' }] };
    case 'boolean':
      return boolean;
    case 'choice':
      return { enum: choices };
    case 'rules':
      return oneOrMore({ enum: rules });
    case 'environments':
      return { type: 'object', additionalProperties: settings(ENVIRONMENT_SETTINGS, rules) };
    case 'dialects':
      return { type: 'object', additionalProperties: dialectSchema() };
    case 'routes':
      return { type: 'object', additionalProperties: oneOrMore(anyText) };
    case 'lint':
      return settings(LINT_SETTINGS, rules);
  }
}

function dialectSchema(): JsonSchema {
  const traits = TRAITS.map((trait): SchemaEntry => [trait.name, traitSchema(trait)]);
  const base = { description: 'The dialect that this one extends; default: generic.', ...orNothing(anyText) };
  return {
    type: ['object', 'null'],
    properties: { extends: base, ...Object.fromEntries(traits) },
    additionalProperties: false,
  };
}

function traitSchema({ description, value, presence }: Trait): JsonSchema {
  const schema = TRAIT_VALUES[value] ?? anyText;
  return { description, ...(presence === 'always' ? schema : orNothing(schema)) };
}

/** All others are texts. */
const TRAIT_VALUES: Readonly<Partial<Record<Trait['value'], JsonSchema>>> = {
  cookies: oneOrMore(anyText),
  boolean,
  'whole number': COUNT,
};
