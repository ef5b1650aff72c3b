import { SERVER_FIELDS } from '../../core/model/run/result.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { didYouMean, findSpelling, likelyTypo } from '../../core/model/source/suggestion.js';
import { isNumeric, isWhole } from '../../core/model/values/json.js';
import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Module } from '../contract.js';
import { isTemplate, property, schemaChoices, schemaTypes, type Schema } from '../schema.js';
import { type ArgumentProblem, expectation, keywordHint, type Violation, wrongChoice, wrongType } from './violation.js';

/** The schemas for one place in the arguments: the API document's (`args`), and those of known fields beyond it (`knownFields`). */
type Known = readonly Schema[];

/** Where a module's arguments may have undeclared fields. */
export function knownFieldSchemas(module: Module, args: Mapping): Known {
  const { knownFieldsFor } = module;
  const knownFields = module.type === 'resource' ? module.knownFields : undefined;
  const own = knownFields === undefined ? [] : [knownFields];
  // What `match` compares, and the patterns in `without`, have the fields of the object.
  const patterns = ['match', 'without'].filter(
    (name) => knownFields?.structure !== undefined && Object.hasOwn(args, name),
  );
  const taken = patterns.map((name): Schema => ({ type: 'object', properties: { [name]: knownFields ?? {} } }));
  return [...own, ...taken, ...(knownFieldsFor?.(args) ?? [])];
}

/** Problems of known structures: values of the wrong type, and typos in names and choices. Null passes: it may clear a field. */
export function fieldProblems(knownFields: Known, args: Mapping): readonly Violation[] {
  const found: Violation[] = [];
  for (const schema of knownFields) findProblems(schema, [], args, false, found);
  return found;
}

/**
 * @param path of the value; one shared array, because most values have no problem that needs a path
 * @param inStructure whether a structure declares the value
 */
function findProblems(
  schema: Schema,
  path: (string | number)[],
  value: Value,
  inStructure: boolean,
  found: Violation[],
): void {
  if (value === null) return;
  if (!isOneOf(schemaTypes(schema), value)) found.push({ problem: wrongType(schema, [...path], value), value });
  else if (isList(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) findInside(items, path, index, item, inStructure, found);
  } else if (isMapping(value) && schema.properties !== undefined) {
    for (const name of Object.keys(value)) {
      const known = property(schema, name);
      if (known !== undefined)
        findInside(known, path, name, value[name] ?? null, schema.structure !== undefined, found);
      else if (schema.structure !== undefined) findTypo(schema, [...path, name], name, found);
    }
  } else if (inStructure && typeof value === 'string') findWrongChoice(schema, path, value, found);
}

function findInside(
  schema: Schema,
  path: (string | number)[],
  key: string | number,
  value: Value,
  inStructure: boolean,
  found: Violation[],
): void {
  path.push(key);
  findProblems(schema, path, value, inStructure, found);
  path.pop();
}

/** Reports a name that is a typo of a field of the structure. Other unknown names may be fields of another release. */
function findTypo(
  { properties = {}, structure = '' }: Schema,
  path: FieldPath,
  name: string,
  found: Violation[],
): void {
  const suggestion = SERVER_FIELDS.includes(name) ? undefined : likelyTypo(name, Object.keys(properties));
  if (suggestion === undefined) return;
  const message = `"${pathText(path)}" is not a field of ${structure}`;
  found.push({ problem: { path, message, hint: `did you mean "${suggestion}"?` }, value: undefined });
}

/**
 * Reports a value that is a typo of a known one. Other values may belong to another release; open choices allow similar
 * ones, too.
 */
function findWrongChoice(schema: Schema, path: FieldPath, value: string, found: Violation[]): void {
  const choices = schema.enum?.filter((choice) => typeof choice === 'string') ?? [];
  if (choices.length === 0 || choices.includes(value)) return;
  const suggestion = schema.openChoices === true ? findSpelling(value, choices) : likelyTypo(value, choices);
  if (suggestion !== undefined) found.push({ problem: wrongChoice(schema, [...path], value, suggestion), value });
}

/**
 * Warnings about fields beyond the API document, which are passed on unchanged: a name that looks like a typo of a known one, or
 * that is known in another place; a value that controllers of this family are not known to accept.
 */
export function fieldWarnings(module: Module, args: Mapping): readonly ArgumentProblem[] {
  if (module.type !== 'resource') return [];
  const known: Known = [module.args, ...knownFieldSchemas(module, args)];
  return [...serverFields(module, args), ...new Review(module.name, known).mapping([], args, known)];
}

function serverFields(module: Module, args: Mapping): readonly ArgumentProblem[] {
  const isField = (name: string): boolean => property(module.args, name) === undefined;
  const given = SERVER_FIELDS.filter((name) => Object.hasOwn(args, name) && isField(name));
  return given.map((name) => ({ path: [name], message: `"${name}" is set by the controller; this value is ignored` }));
}

class Review {
  constructor(
    private readonly module: string,
    private readonly root: Known,
  ) {}

  mapping(path: FieldPath, given: Mapping, known: Known): readonly ArgumentProblem[] {
    return Object.entries(given).flatMap(([name, value]) => {
      const inner = knownProperty(known, name);
      if (inner.length === 0) return this.#unknown(path, name, known);
      // A field that is null equals a missing one.
      return value === null ? [] : this.#value([...path, name], value, inner);
    });
  }

  #value(path: FieldPath, value: Value, known: Known): readonly ArgumentProblem[] {
    if (isTemplate(value)) return [];
    const doubt = known.find((schema) => !accepts(schema, value));
    if (doubt !== undefined) return [unexpected(path, value, doubt)];
    if (isMapping(value)) return this.mapping(path, value, known);
    if (!isList(value)) return [];
    const items = known.flatMap((schema) => schema.items ?? []);
    const inside = value.flatMap((item, index) => this.#value([...path, index], item, items));
    return [...known.flatMap((schema) => wrongSize(path, value.length, schema)), ...inside];
  }

  /** Reports nothing about names that resemble no known one: other releases have other fields. */
  #unknown(path: FieldPath, name: string, known: Known): readonly ArgumentProblem[] {
    const names = knownNames(known);
    if (names.length === 0) return [];
    const keyword = path.length === 0 ? keywordHint(this.module, name) : undefined;
    const hint = this.#elsewhere(path, name, known) ?? didYouMean(name, names) ?? listItem(path, names) ?? keyword;
    if (hint === undefined) return [];
    const full = pathText([...path, name]);
    return [{ path: [...path, name], message: `unknown field "${full}" of ${this.module}; sent unchanged`, hint }];
  }

  #elsewhere(path: FieldPath, name: string, known: Known): string | undefined {
    const found = search(known, path, name) ?? search(this.root, [], name);
    return found === undefined ? undefined : `did you mean "${pathText(found)}"?`;
  }
}

function listItem(path: FieldPath, names: readonly string[]): string | undefined {
  return typeof path.at(-1) === 'number' ? `"${pathText(path.slice(0, -1))}" takes ${names.join(', ')}` : undefined;
}

/** The path of a known field of that name below a place. Does not search lists, unless the place is a list. */
function search(known: Known, path: FieldPath, name: string): FieldPath | undefined {
  for (const inner of knownNames(known)) {
    const next = knownProperty(known, inner);
    const at = [...path, inner];
    if (knownNames(next).includes(name)) return [...at, name];
    const deeper = search(next, at, name);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

function unexpected(path: FieldPath, value: Value, schema: Schema): ArgumentProblem {
  const message = `"${pathText(path)}" should be ${bounded(schema)}; sent unchanged`;
  const choices = schemaChoices(schema)?.filter((choice) => typeof choice === 'string');
  const hint = typeof value === 'string' && choices !== undefined ? meantChoice(value, choices) : undefined;
  return hint === undefined ? { path, message } : { path, message, hint };
}

/** Choices often begin with the name of their type: `LB_ALGORITHM_ROUND_ROBIN`. */
function meantChoice(value: string, choices: readonly string[]): string | undefined {
  const longer = choices.find((choice) => choice.endsWith(`_${value.toUpperCase()}`));
  return longer === undefined ? didYouMean(value, choices) : `did you mean "${longer}"?`;
}

function wrongSize(
  path: FieldPath,
  size: number,
  { minItems = 0, maxItems = Infinity }: Schema,
): readonly ArgumentProblem[] {
  if (size >= minItems && size <= maxItems) return [];
  const [bound, limit] = size > maxItems ? (['at most', maxItems] as const) : (['at least', minItems] as const);
  const elements = `${limit} element${limit === 1 ? '' : 's'}`;
  return [{ path, message: `"${pathText(path)}" should have ${bound} ${elements}; sent unchanged` }];
}

function bounded(schema: Schema): string {
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined) return expectation(schema);
  const others = schema.special?.map((one) => `, or ${one}`) ?? [];
  return `${expectation(schema)} from ${minimum} to ${maximum}${others.join('')}`;
}

function accepts(schema: Schema, value: Value): boolean {
  const choices = schemaChoices(schema);
  if (choices !== undefined) return choices.includes(value);
  if (!isOneOf(schemaTypes(schema), value)) return false;
  if (!isNumeric(value) || schema.special?.includes(Number(value)) === true) return true;
  return value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value);
}

/** No types means any type. */
function isOneOf(types: readonly string[], value: Value): boolean {
  return types.length === 0 || types.some((type) => OF_TYPE[type]?.(value) ?? typeof value === type);
}

/** Of the types that have another name in JavaScript. */
const OF_TYPE: Readonly<Record<string, (value: Value) => boolean>> = {
  object: isMapping,
  array: isList,
  integer: (value) => isWhole(value) || Number.isInteger(value),
  number: isNumeric,
};

function knownNames(known: Known): readonly string[] {
  return [...new Set(known.flatMap((schema) => Object.keys(schema.properties ?? {})))];
}

function knownProperty(known: Known, name: string): Known {
  return known.flatMap((schema) => property(schema, name) ?? []);
}
