import type { Module } from '../module/contract.js';
import { DRAFT, reference, type JsonSchema } from './json_schema.js';
import { keywordsOf, placeSchema } from './keywords.js';
import { stepDefinitions } from './steps.js';

/** A list of plays, and of playbooks that stand for theirs. */
export function playbookSchema(modules: readonly Module[]): JsonSchema {
  return {
    $schema: DRAFT,
    title: 'Evenkeel playbook',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      // Offered before there is a word that tells which of the two it is.
      properties: { ...keywordsOf('import_playbook'), ...keywordsOf('play') },
      if: { required: ['import_playbook'] },
      then: placeSchema('import_playbook'),
      else: { ...placeSchema('play'), required: ['hosts'] },
    },
    definitions: stepDefinitions(modules),
  };
}

/** A file of tasks, or of handlers: of a role, or included. */
export function stepsSchema(item: 'step' | 'handler', modules: readonly Module[]): JsonSchema {
  return { ...listOfSteps(item, reference(item)), definitions: stepDefinitions(modules) };
}

/** The same where the schema of playbooks lies beside it: most of it is in there. */
export function stepsSchemaBeside(item: 'step' | 'handler', playbook: string): JsonSchema {
  return listOfSteps(item, { $ref: `${playbook}${reference(item).$ref ?? ''}` });
}

function listOfSteps(item: 'step' | 'handler', items: JsonSchema): JsonSchema {
  const title = `Evenkeel ${item === 'step' ? 'tasks' : 'handlers'}`;
  return { $schema: DRAFT, title, type: ['array', 'null'], items };
}
