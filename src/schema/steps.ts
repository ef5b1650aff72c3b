import { KEYWORDS, type Keyword, type Place } from '../load/keyword_table.js';
import type { Module } from '../module/contract.js';
import { reference, type Entry, type JsonSchema } from './json_schema.js';
import { keywordSchema } from './keyword_values.js';
import { argumentsSchema, requiredArguments } from './module_arguments.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Steps that are told by a word of their own, most telling first. */
const BY_WORD = ['block', 'import_tasks', 'import_role', 'include_tasks', 'include_role', 'meta'] as const;

const PREFIXES = ['', 'ansible.builtin.', 'ansible.legacy.'];

/** What `step` and `handler` refer to, and everything below. */
export function stepDefinitions(modules: readonly Module[]): Properties {
  const own = modules.filter(({ name }) => !BY_WORD.some((word) => word === name));
  return {
    ...Object.fromEntries(modules.map((module) => [`module_${module.name}`, moduleSchema(module)])),
    ...Object.fromEntries(own.flatMap(needs)),
    step: chosen(BY_WORD, 'task', own, modules),
    handler: chosen(['import_tasks', 'include_tasks'], 'handler', own, modules),
    task_step: taskSchema('task', own),
    handler_step: taskSchema('handler', own),
    ...Object.fromEntries(BY_WORD.map((word) => [`${word}_step`, wordSchema(word, modules)])),
    apply: placeSchema('apply'),
    loop_control: placeSchema('loop_control'),
    vars_prompt: { ...placeSchema('vars_prompt'), required: ['name'] },
    ...keywordDefinitions(KEYWORDS),
    ...roleDefinitions(),
  };
}

/** The keywords of a place, and nothing else. */
export function placeSchema(place: Place, more: Properties = {}): JsonSchema {
  return { type: 'object', properties: { ...keywordsOf(place), ...more }, additionalProperties: false };
}

function keywordsOf(place: Place): Properties {
  const known = KEYWORDS.filter(({ places }) => places.includes(place));
  return Object.fromEntries(known.map((keyword) => [keyword.name, reference(definitionOf(keyword))]));
}

/** A word may mean one thing in plays and another in `vars_prompt`. */
function definitionOf({ name, places }: Keyword): string {
  const [first, ...others] = places;
  return others.length === 0 && first !== undefined ? `${first}_${name}` : `keyword_${name}`;
}

/** What the schemas of places refer to. */
function keywordDefinitions(keywords: readonly Keyword[]): Properties {
  return Object.fromEntries(keywords.map((keyword) => [definitionOf(keyword), keywordSchema(keyword)]));
}

function needsKey(name: string): JsonSchema {
  return { required: [name] };
}

/** What `role` refers to, and below: a role of a play, or a dependency; what is no keyword is a parameter. */
export function roleDefinitions(): Properties {
  return {
    role: { ...placeSchema('role'), additionalProperties: true, anyOf: ['role', 'name', 'src'].map(needsKey) },
    ...keywordDefinitions(KEYWORDS.filter(({ places }) => places.includes('role'))),
  };
}

/** Says which kind of step it is by the word in it. Every word is offered, before there is one. */
function chosen(
  words: readonly (typeof BY_WORD)[number][],
  otherwise: 'task' | 'handler',
  own: readonly Module[],
  modules: readonly Module[],
): JsonSchema {
  const offered = words.map((word): Entry => [word, wordProperties(word, modules)[word] ?? {}]);
  return {
    type: 'object',
    properties: { ...keywordsOf(otherwise), ...moduleProperties(own), ...Object.fromEntries(offered) },
    ...words.reduceRight<JsonSchema>((rest, word) => choice(word, rest), reference(`${otherwise}_step`)),
  };
}

function choice(word: string, otherwise: JsonSchema): JsonSchema {
  return { if: has(word), then: reference(`${word}_step`), else: otherwise };
}

function has(word: string): JsonSchema {
  return { anyOf: PREFIXES.map((prefix) => ({ required: [`${prefix}${word}`] })) };
}

function wordSchema(word: (typeof BY_WORD)[number], modules: readonly Module[]): JsonSchema {
  const listen =
    word === 'import_tasks' || word === 'include_tasks' ? { listen: keywordsOf('handler')['listen'] ?? {} } : {};
  return placeSchema(word, { ...wordProperties(word, modules), ...listen });
}

/** Includes are modules; imports and the like are words only. */
function wordProperties(word: (typeof BY_WORD)[number], modules: readonly Module[]): Properties {
  const schema = modules.some(({ name }) => name === word) ? reference(`module_${word}`) : keywordsOf(word)[word];
  return spelled(word, schema ?? {});
}

function moduleProperties(modules: readonly Module[]): Properties {
  return Object.fromEntries(modules.map(({ name }) => [name, reference(`module_${name}`)]));
}

/** Under its own name and the names that Ansible gives it. */
function spelled(name: string, schema: JsonSchema): Properties {
  return Object.fromEntries(PREFIXES.map((prefix) => [`${prefix}${name}`, schema]));
}

/** One module, or `action`; what it needs may stand in `args`. */
function taskSchema(place: 'task' | 'handler', modules: readonly Module[]): JsonSchema {
  const names = modules.map(({ name }) => name);
  const calls = Object.assign({}, ...names.map((name) => spelled(name, reference(`module_${name}`)))) as Properties;
  const needing = modules.filter((module) => requiredArguments(module).length > 0);
  const needed = Object.assign(
    {},
    ...needing.map(({ name }) => spelled(name, reference(`needs_${name}`))),
  ) as Properties;
  return {
    ...placeSchema(place, calls),
    oneOf: [...names, 'action'].map(has),
    if: { not: { required: ['args'] } },
    then: { properties: needed },
  };
}

/** By name, as `k=v` text, or none at all. */
function moduleSchema(module: Module): JsonSchema {
  const args = argumentsSchema(module);
  const apply = args.properties?.['apply'] === undefined ? {} : { apply: reference('apply') };
  const named = { ...args, properties: { ...args.properties, ...apply } };
  return { description: module.summary, anyOf: [named, { type: ['string', 'null'] }] };
}

function needs(module: Module): readonly (readonly [string, JsonSchema])[] {
  const required = requiredArguments(module);
  if (required.length === 0) return [];
  return [[`needs_${module.name}`, { if: { type: 'string' }, else: { type: 'object', required } }]];
}
