import type { ErrorObject } from 'ajv';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { didYouMean, nearestName } from '../../core/model/source/suggestion.js';
import { isNumeric, type WholeNumber } from '../../core/model/values/json.js';
import { jsonText, isList, isMapping, valueAt, type Mapping, type Value } from '../../core/model/values/value.js';
import { isSecretName } from '../../core/secrets/names.js';
import type { Module } from '../contract.js';
import { property, schemaAt, schemaChoices, schemaTypes, type Schema } from '../schema.js';
import { whyNoStructure } from './coercion.js';

export interface ArgumentProblem {
  /** Where inside the arguments: `['portal_configuration', 'http_port']`; empty for the arguments as a whole. */
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string;
}

/** One violation of a schema, worded for the user; `value` is the invalid value. */
export interface Violation {
  readonly problem: ArgumentProblem;
  readonly value: unknown;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'a mapping',
  array: 'a list',
  null: 'null',
};

/**
 * Converts an error of ajv to a violation. Undefined for an error about one alternative: the error about all of them is
 * clearer.
 */
export function toProblem(module: Module, error: ErrorObject, args: Value): Violation | undefined {
  if (/\/anyOf\/\d|\/propertyNames\/\w/.test(error.schemaPath)) return undefined;
  const path = pointerPath(error.instancePath, args);
  const value = valueAt(args, path);
  switch (error.keyword) {
    case 'required':
      return missing(module, path, String(error.params['missingProperty']), value);
    case 'additionalProperties':
      return unknownName(module, path, String(error.params['additionalProperty']));
    case 'propertyNames':
      return invalidName(schemaAt(module.args, path), path, String(error.params['propertyName']));
    case 'minProperties': {
      const limit = Number(error.params['limit']);
      const message = `${subject(module, path)} needs at least ${limit} argument${limit === 1 ? '' : 's'}`;
      return { problem: { path, message }, value };
    }
    default: {
      const schema = schemaAt(module.args, path) ?? {};
      return { problem: unfit(schema, path, value, requirement(schema, error)), value };
    }
  }
}

/** Enumerations of events or time zones have hundreds of values. */
const MOST_CHOICES = 40;
const SHOWN_OF_MANY = 5;

/** What a schema allows, in words: `an integer`, `"V4" or "V6"`. */
export function expectation(schema: Schema): string {
  const choices = schemaChoices(schema);
  if (choices !== undefined) {
    const many = choices.length > MOST_CHOICES ? [`one of ${choices.length - SHOWN_OF_MANY} other values`] : [];
    const shown = many.length > 0 ? choices.slice(0, SHOWN_OF_MANY) : choices;
    return joinWithOr([...shown.map((choice) => jsonText(choice)), ...many]);
  }
  return joinWithOr(schemaTypes(schema).map((type) => TYPES[type] ?? type));
}

function missing(module: Module, parent: FieldPath, name: string, given: unknown): Violation {
  const message = `${subject(module, parent)} needs "${name}"`;
  return { problem: { path: parent, message, ...typoIn([name], given) }, value: undefined };
}

/** A module needs one of these arguments, and has none. */
export function missingAll({ name }: Module, names: readonly string[], given: Mapping): ArgumentProblem {
  const listed = joinWithOr(names.map((one) => `"${one}"`));
  return { path: [], message: `${name} needs ${listed}`, ...typoIn(names, given) };
}

/** If the module accepts other names, one of them may be a typo of the missing name. */
function typoIn(names: readonly string[], given: unknown): { readonly hint?: string } {
  for (const name of names) {
    const typo = nearestName(name, isMapping(given) ? Object.keys(given) : []);
    if (typo !== undefined) return { hint: `did you mean "${name}" instead of "${typo}"?` };
  }
  if (isMapping(given) && Object.keys(given).length === 0)
    return { hint: 'write its arguments below the module, indented further' };
  return {};
}

function subject(module: Module, path: FieldPath): string {
  return path.length === 0 ? module.name : `"${pathText(path)}"`;
}

function invalidName(parent: Schema | undefined, path: FieldPath, name: string): Violation {
  const rule = parent?.propertyNames?.expects;
  const message = `"${name}" is not a valid name here${rule === undefined ? '' : `: use ${rule}`}`;
  return { problem: { path: [...path, name], message }, value: name };
}

function unknownName(module: Module, parent: FieldPath, name: string): Violation {
  const known = Object.keys(schemaAt(module.args, parent)?.properties ?? {});
  const path = [...parent, name];
  const message = `"${pathText(path)}" is not an argument of ${module.name}`;
  const listing = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  return { problem: { path, message, hint: didYouMean(name, known) ?? listing }, value: undefined };
}

/** A value that resembles a known one. */
export function wrongChoice(schema: Schema, path: FieldPath, value: string, suggestion: string): ArgumentProblem {
  return {
    ...unfit(schema, path, value, `must be ${schema.expects ?? expectation(schema)}`),
    hint: `did you mean "${suggestion}"?`,
  };
}

/** A value of another type than a schema allows. */
export function wrongType(schema: Schema, path: FieldPath, value: unknown): ArgumentProblem {
  return unfit(schema, path, value, `must be ${expectation(schema)}`);
}

function unfit(schema: Schema, path: FieldPath, value: unknown, required: string): ArgumentProblem {
  const name = path.length === 0 ? 'the arguments' : `"${pathText(path)}"`;
  const secret = isSecret(schema, path);
  const list = isList(value) && schemaTypes(schema).includes('array');
  const mapping = isMapping(value) && schema.expects !== undefined && schemaTypes(schema).includes('object');
  const given = list ? 'a list of other things' : mapping ? 'another mapping' : describeValue(value, secret);
  const message = `${name} ${required}, not ${given}`;
  const hint = hintFor(schema, value, secret);
  return hint === undefined ? { path, message } : { path, message, hint };
}

function isSecret(schema: Schema | undefined, path: FieldPath): boolean {
  return schema?.secret ?? path.some((part) => typeof part === 'string' && isSecretName(part));
}

/** A number that would become another text than it is written as. */
export function wrongSpelling(schema: Schema | undefined, path: FieldPath, written: string): ArgumentProblem {
  const secret = isSecret(schema, path);
  const message = `"${pathText(path)}" must be a string, not ${secret ? 'a number' : written}`;
  return { path, message, hint: quoting(written, secret) };
}

function requirement(schema: Schema, { keyword, message = 'is wrong' }: ErrorObject): string {
  if (keyword === 'anyOf' && schema.expects !== undefined) return `must be ${schema.expects}`;
  switch (keyword) {
    case 'type':
    case 'anyOf':
    case 'enum':
    case 'const':
      return `must be ${expectation(schema)}`;
    case 'minLength':
      return `must be ${schema.expects ?? 'a non-empty string'}`;
    default:
      // ajv words limits well (`must be >= 0`), but users cannot read a pattern.
      return schema.expects === undefined || keyword.endsWith('imum')
        ? message.replace('NOT', 'not')
        : `must be ${schema.expects}`;
  }
}

function hintFor(schema: Schema, value: unknown, secret: boolean): string | undefined {
  const choices = schemaChoices(schema)?.filter((choice) => typeof choice === 'string');
  if (choices !== undefined && typeof value === 'string') return didYouMean(value, choices);
  if (typeof value === 'string') return whyNoStructure(schema, value);
  if (!isNumeric(value) && typeof value !== 'boolean') return undefined;
  return schemaTypes(schema).includes('string') ? quoting(value, secret) : undefined;
}

export function quoting(value: WholeNumber | boolean | string, secret = false): string {
  return secret ? 'quote it' : `quote it: "${value}"`;
}

function describeValue(value: unknown, secret: boolean): string {
  if (isList(value)) return 'a list';
  if (isMapping(value)) return 'a mapping';
  if (secret && value !== '') return TYPES[typeof value] ?? typeof value;
  const text = value === undefined ? 'nothing' : jsonText(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}

function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'something else') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** ajv's JSON pointer as a path; a part is an index where the value is a list. */
function pointerPath(pointer: string, root: Value): FieldPath {
  const parts = pointer.split('/').slice(1);
  const path: (string | number)[] = [];
  let value: Value | undefined = root;
  for (const part of parts.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    const key = isList(value) ? Number(part) : part;
    path.push(key);
    value = valueAt(value, [key]);
  }
  return path;
}

/** Keywords of tasks that no field is called: an object would get a field "when", and the task would always run. */
const NEVER_A_FIELD =
  /^(?:when|register|loop|loop_control|with_\w+|until|notify|listen|backoff|delegate_(?:to|facts)|run_once|ignore_errors|ignore_unreachable|any_errors_fatal|(?:changed|failed|break)_when|check_mode|no_log|become|become_\w+|module_defaults)$/;

/** Keywords of tasks that a field may be called. */
const MAYBE_A_FIELD = /^(?:tags|vars|args|retries|delay|throttle|timeout|diff|environment|connection|collections)$/;

/** Keywords among the arguments of a module, such as those that are indented too far, unless the module knows them. */
export function keywordsBelow(
  { type, name: module, args }: Module,
  known: readonly Schema[],
  given: Mapping,
): readonly ArgumentProblem[] {
  const { additionalProperties }: Schema = args;
  if (type !== 'resource' && additionalProperties !== false) return [];
  return Object.keys(given)
    .filter((name) => NEVER_A_FIELD.test(name) && known.every((one) => property(one, name) === undefined))
    .map((name) => ({
      path: [name],
      message: `"${name}" is not an argument of ${module}`,
      hint: `it is a keyword of a task: write it beside "${module}", not among its arguments`,
    }));
}

/** The hint for a field that the module does not know. */
export function keywordHint(module: string, field: string): string | undefined {
  return MAYBE_A_FIELD.test(field) ? `if it is the keyword of the task, write it beside "${module}"` : undefined;
}
