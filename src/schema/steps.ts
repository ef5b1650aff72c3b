import type { Module } from '../module/contract.js';
import { keywordDefinitions, keywordSchemas, constructSchema } from './keywords.js';
import { calls, has, moduleDefinitions, oneCall, spelled } from './module_calls.js';
import { DRAFT, listSchema, orNothing, reference, type JsonSchema, type SchemaEntry } from './scalars.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The kinds of steps with their keyword, most specific first. */
const STEP_KEYWORDS = ['block', 'import_tasks', 'import_role', 'include_tasks', 'include_role', 'meta'] as const;
/** The kinds that can be handlers. */
const HANDLER_WORDS = ['block', 'import_tasks', 'include_tasks', 'meta'] as const;

/** The content of a block among handlers. */
const HANDLERS = orNothing(listSchema(reference('handler')));

type StepKeyword = (typeof STEP_KEYWORDS)[number];

/** The definitions that `step` and `handler` refer to, directly or indirectly. */
function stepDefinitions(modules: readonly Module[]): Properties {
  const called = modules.filter(({ name }) => !STEP_KEYWORDS.some((word) => word === name));
  return {
    ...keywordDefinitions(),
    ...moduleDefinitions(modules),
    ...roleDefinitions(),
    step: chosen(STEP_KEYWORDS, 'task', called, modules),
    handler: chosen(HANDLER_WORDS, 'handler', called, modules),
    task_step: taskSchema('task', called),
    handler_step: taskSchema('handler', called),
    ...Object.fromEntries(STEP_KEYWORDS.map((word): SchemaEntry => [`${word}_step`, wordSchema(word, modules)])),
    block_handler: handlerBlockSchema(),
    apply: constructSchema('apply'),
    loop_control: constructSchema('loop_control'),
    gate: { ...constructSchema('gate'), required: ['checks'] },
    vars_prompt: { ...constructSchema('vars_prompt'), required: ['name'] },
  };
}

/** The definitions that `role` refers to: a role of a play, or a dependency. Other keys are parameters. */
export function roleDefinitions(): Properties {
  const named = ['role', 'name', 'src'].map((name) => ({ required: [name] }));
  return {
    role: { ...constructSchema('role'), additionalProperties: true, anyOf: named },
    ...keywordDefinitions('role'),
  };
}

/** The keyword in a step decides its kind. Before that, editors offer all keywords. */
function chosen(
  words: readonly StepKeyword[],
  otherwise: 'task' | 'handler',
  called: readonly Module[],
  modules: readonly Module[],
): JsonSchema {
  const offered = words.map((word): SchemaEntry => [
    word,
    word === 'block' && otherwise === 'handler' ? HANDLERS : wordValue(word, modules),
  ]);
  return {
    type: 'object',
    properties: { ...keywordSchemas(otherwise), ...calls(called).properties, ...Object.fromEntries(offered) },
    ...words.reduceRight<JsonSchema>((rest, word) => choice(word, otherwise, rest), reference(`${otherwise}_step`)),
  };
}

function choice(word: StepKeyword, kind: 'task' | 'handler', otherwise: JsonSchema): JsonSchema {
  const meant = word === 'block' && kind === 'handler' ? 'block_handler' : `${word}_step`;
  return { if: has(word), then: reference(meant), else: otherwise };
}

function taskSchema(construct: 'task' | 'handler', modules: readonly Module[]): JsonSchema {
  return { ...constructSchema(construct, calls(modules)), ...oneCall(modules, Object.keys(keywordSchemas(construct))) };
}

function wordSchema(word: StepKeyword, modules: readonly Module[]): JsonSchema {
  const { properties, patternProperties } = spelled([[word, wordValue(word, modules)]]);
  const mayListen = word !== 'block' && HANDLER_WORDS.some((one) => one === word);
  const listen = mayListen ? { listen: keywordSchemas('handler')['listen'] ?? {} } : {};
  return constructSchema(word, { properties: { ...properties, ...listen }, patternProperties });
}

/** Each of its tasks is a handler: it can neither be rescued nor repeated. */
function handlerBlockSchema(): JsonSchema {
  const own = Object.entries(keywordSchemas('block')).filter(([name]) => !/^(?:rescue|always|loop|with_)/.test(name));
  return { type: 'object', properties: { ...Object.fromEntries(own), block: HANDLERS }, additionalProperties: false };
}

/** Includes are modules; imports and the like are words only. */
function wordValue(word: StepKeyword, modules: readonly Module[]): JsonSchema {
  if (modules.some(({ name }) => name === word)) return reference(`module_${word}`);
  return keywordSchemas(word)[word] ?? {};
}

/** A list of plays and imported playbooks. */
export function playbookSchema(modules: readonly Module[]): JsonSchema {
  return {
    $schema: DRAFT,
    title: 'Evenkeel playbook',
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      // Offered while the step is still empty.
      properties: { ...keywordSchemas('import_playbook'), ...keywordSchemas('play') },
      if: { required: ['import_playbook'] },
      then: constructSchema('import_playbook'),
      else: { ...constructSchema('play'), required: ['hosts'] },
    },
    definitions: stepDefinitions(modules),
  };
}

/** A file of tasks, or of handlers: of a role, or included. */
export function stepsSchema(item: 'step' | 'handler', modules: readonly Module[]): JsonSchema {
  return { ...listOfSteps(item, reference(item)), definitions: stepDefinitions(modules) };
}

/** The same, referring to the schema of playbooks for most of it. */
export function stepsSchemaBeside(item: 'step' | 'handler', playbook: string): JsonSchema {
  return listOfSteps(item, { $ref: `${playbook}${reference(item).$ref ?? ''}` });
}

function listOfSteps(item: 'step' | 'handler', items: JsonSchema): JsonSchema {
  const title = `Evenkeel ${item === 'step' ? 'tasks' : 'handlers'}`;
  return { $schema: DRAFT, title, type: ['array', 'null'], items };
}
