import { CONNECTION_VARIABLES, type ConnectionVariable } from '../core/model/inventory/connection_variables.js';
import { DRAFT, reference, type Entry, type JsonSchema } from './json_schema.js';
import { anyText, flag, number, oneOrMore, template, wholeNumber } from './scalars.js';

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

/** A YAML inventory: groups by name. */
export function inventorySchema(): JsonSchema {
  return {
    $schema: DRAFT,
    title: 'Evenkeel inventory',
    type: ['object', 'null'],
    properties: { all: { description: 'The group of every controller.', allOf: [reference('group')] } },
    additionalProperties: reference('group'),
    definitions: { group: GROUP, variables: variables() },
  };
}

/** A mapping of variables, including connection variables. */
function variables(): JsonSchema {
  const known = CONNECTION_VARIABLES.map((variable): Entry => [variable.name, variableSchema(variable)]);
  return { type: ['object', 'null'], properties: Object.fromEntries(known) };
}

/** A file of `group_vars` or `host_vars`, or one that `vars_files` or `-e @FILE` names. */
export function variablesSchema(): JsonSchema {
  return { $schema: DRAFT, title: 'Evenkeel variables', ...variables() };
}

function variableSchema({ type, description, secret }: ConnectionVariable): JsonSchema {
  const warning = secret === true ? ' A secret: encrypt it, or take it from the environment.' : '';
  return { description: `${description}${warning}`, anyOf: [typeSchema(type), { type: 'null' }] };
}

function typeSchema(type: ConnectionVariable['type']): JsonSchema {
  switch (type) {
    case 'text':
      return anyText;
    case 'text or texts':
      return oneOrMore(anyText);
    case 'flag':
      return flag;
    case 'flag or strict':
      return { anyOf: [flag, { const: 'strict' }] };
    case 'number':
      return number;
    case 'whole number':
      return wholeNumber;
    case 'mapping':
      return { anyOf: [{ type: 'object' }, template] };
    default:
      return type satisfies never;
  }
}
