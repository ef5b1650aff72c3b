import { DRAFT, reference, type JsonSchema } from './json_schema.js';
import { variables } from './variables.js';

const GROUPS: JsonSchema = {
  description: 'Groups inside of this one.',
  type: ['object', 'string', 'null'],
  additionalProperties: reference('group'),
};

const CONTROLLERS: JsonSchema = {
  description: 'Controllers by name, each with variables of its own. Ranges count: lb[01:06].example.com.',
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
