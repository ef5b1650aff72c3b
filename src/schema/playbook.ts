import type { Module } from '../module/contract.js';
import { DRAFT, reference, type JsonSchema } from './json_schema.js';
import { placeSchema, stepDefinitions } from './steps.js';

/** A list of plays, and of playbooks that stand for theirs. */
export function playbookSchema(modules: readonly Module[]): JsonSchema {
  return {
    $schema: DRAFT,
    title: 'Evenkeel playbook',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      if: { required: ['import_playbook'] },
      then: placeSchema('import_playbook'),
      else: { ...placeSchema('play'), required: ['hosts'] },
    },
    definitions: stepDefinitions(modules),
  };
}

/** A file of tasks: of a role, or included. */
export function tasksSchema(modules: readonly Module[]): JsonSchema {
  return fileOf('step', 'Evenkeel tasks', modules);
}

/** A file of handlers: of a role, or included. */
export function handlersSchema(modules: readonly Module[]): JsonSchema {
  return fileOf('handler', 'Evenkeel handlers', modules);
}

function fileOf(item: string, title: string, modules: readonly Module[]): JsonSchema {
  return {
    $schema: DRAFT,
    title,
    type: ['array', 'null'],
    items: reference(item),
    definitions: stepDefinitions(modules),
  };
}
