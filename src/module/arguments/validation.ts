import { Ajv, type ValidateFunction } from 'ajv';
import * as Type from 'typebox';
import { RegularExpression } from '../../core/model/regular_expression/regular_expression.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isNumeric } from '../../core/model/values/json.js';
import { present } from '../../core/model/values/stored.js';
import { halfCharacter } from '../../core/model/values/uri.js';
import {
  isList,
  isMapping,
  leavesIn,
  mapLeaves,
  Unsafe,
  Vaulted,
  type Mapping,
  type Value,
} from '../../core/model/values/value.js';
import { coverFor, isNoSecret, type Cover } from '../../core/secrets/names.js';
import { holdsNull } from '../comparison/comparison.js';
import { wrongTenants } from '../comparison/desired.js';
import { emptyPatterns, listKeyProblems } from '../comparison/list_keys.js';
import type { Module } from '../contract.js';
import { isTemplate, property, type Schema } from '../schema.js';
import { knownFieldSchemas, fieldProblems, fieldWarnings } from './advice.js';
import { coerce, withoutNulls } from './coercion.js';
import { type ArgumentProblem, keywordsBelow, missingAll, toProblem } from './violation.js';

export type ArgumentCheck =
  /** `args`: with texts converted to the declared types, and with defaults. Only static mode has `warnings`. */
  | { readonly args: Mapping; readonly warnings: readonly ArgumentProblem[] }
  | { readonly problems: readonly ArgumentProblem[] };

/**
 * Checks all arguments of a task against the declarations of its module.
 * `static`: before the run, as written in the playbook; texts that hold templates are not checked.
 * `rendered`: just before the task runs on a controller.
 */
export function validateArguments(module: Module, args: Value, mode: 'static' | 'rendered'): ArgumentCheck {
  const schema: Schema = module.args;
  const written = args === null ? {} : mode === 'static' ? plainText(args) : args;
  if (mode === 'static' && isTemplate(written)) return { args: {}, warnings: [] };
  const named = holdsNull(written) ? withoutNulls(schema, written, 'kept') : written;
  if (!isMapping(named))
    return {
      problems: [{ path: [], message: `the arguments of ${module.name} must be a mapping of names to values` }],
    };
  const given = module.normalized?.(named) ?? named;
  const knownFields = knownFieldSchemas(module, given);
  const converted = [schema, ...knownFields].reduce<Value>(
    (value, one) => coerce(one, value, mode === 'rendered'),
    given,
  );
  const prepared = withDefaults(schema, converted);
  const wrong = [
    ...clashesIn(module, schema, given),
    ...lackingIn(module, schema, given),
    ...wrongTenants(module, given),
    ...halvesIn(module, prepared),
    ...(mode === 'static' ? keywordsBelow(module, [schema, ...knownFields], given) : []),
  ];
  // Compiled even so: a schema that cannot be is refused with its file.
  const validate = validator(module);
  if (wrong.length > 0) return { problems: wrong };
  const isValid = validate(prepared) || validate(withNumbers(withoutNulls(schema, prepared, 'left out')));
  const errors = isValid ? [] : (validate.errors ?? []);
  const violations = [
    ...errors.flatMap((error) => toProblem(module, error, prepared) ?? []),
    ...fieldProblems(knownFields, prepared),
  ];
  const problems = violations.filter(({ value }) => mode === 'rendered' || !isTemplate(value));
  if (problems.length > 0) return { problems: eachOnce(problems.map(({ problem }) => problem)) };
  const unlisted = mode === 'rendered' ? listProblems(prepared) : [];
  if (unlisted.length > 0) return { problems: unlisted };
  return { args: prepared, warnings: mode === 'static' ? fieldWarnings(module, prepared) : [] };
}

/** Problems of `merge` and `without`. Checked after rendering, because the elements may come from templates. */
function listProblems(args: Mapping): readonly ArgumentProblem[] {
  const { merge, without, properties } = args;
  const empty = isMapping(without) ? emptyPatterns(without) : [];
  if (!isMapping(merge)) return empty;
  const [fields, at] = isMapping(properties) ? [properties, ['properties']] : [args, []];
  return [...listKeyProblems(fields, merge, at), ...empty];
}

/** Arguments of actions that become an address, the name of a file, or a body. */
const SENT_OR_OPENED: ReadonlySet<string> = new Set(
  'body data dest dir fields file file_path filename params path query src tenant'.split(' '),
);

/**
 * Texts that no address and no UTF-8 can carry, so that a controller or a file would get another name. What an action only shows may have
 * them.
 */
function halvesIn({ type }: Module, args: Mapping): readonly ArgumentProblem[] {
  if (type === 'resource') return halfCharacters(args);
  return Object.entries(args).flatMap(([name, value]) =>
    SENT_OR_OPENED.has(name) ? halfCharacters(value, [name]) : [],
  );
}

function halfCharacters(value: Value, path: FieldPath = []): readonly ArgumentProblem[] {
  if (isList(value)) return value.flatMap((item, at) => halfCharacters(item, [...path, at]));
  if (isMapping(value))
    return Object.entries(value).flatMap(([name, one]) => [
      ...halfCharacters(name, path),
      ...halfCharacters(one, [...path, name]),
    ]);
  const half = typeof value === 'string' ? halfCharacter(value) : undefined;
  if (half === undefined) return [];
  const message = `"${pathText(path)}" contains ${half}, which is half of a character`;
  return [{ path, message, hint: String.raw`write the character itself, or both halves, such as "\ud83d\ude00"` }];
}

/** Arguments that exclude each other, at the second of them. */
function clashesIn({ name }: Module, { exclusive = [] }: Schema, given: Mapping): readonly ArgumentProblem[] {
  return exclusive.flatMap((names): readonly ArgumentProblem[] => {
    const [first, second] = names.filter((one) => Object.hasOwn(given, one));
    if (first === undefined || second === undefined) return [];
    return [{ path: [second], message: `${name} takes either "${first}" or "${second}", not both` }];
  });
}

function lackingIn(module: Module, { needsOne = [] }: Schema, given: Mapping): readonly ArgumentProblem[] {
  if (needsOne.length === 0 || needsOne.some((one) => Object.hasOwn(given, one))) return [];
  return [missingAll(module, needsOne, given)];
}

function eachOnce(problems: readonly ArgumentProblem[]): readonly ArgumentProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ message }) => !seen.has(message) && seen.add(message));
}

/**
 * Reports all problems at once. Schemas are typed, so they are not checked. @public to the build, which compiles the checks of the
 * built-in modules
 */
export const CHECKING = { allErrors: true, strict: false, meta: false, validateSchema: false };

const validators = new WeakMap<Schema, ValidateFunction>();

/**
 * Registers the validator of a built-in module, which the build compiles from its arguments (scripts/bundle/validators.mjs).
 *
 * @public to the build, which has each built-in module call it (scripts/bundle/layers.mjs)
 */
export function registerValidator(args: Schema, validator: ValidateFunction): void {
  validators.set(args, validator);
}

/** The patterns of arguments cannot hang the process. `code` is for ajv's builds only. */
const PATTERNS = Object.assign((source: string, flags: string) => new RegularExpression(source, flags), { code: '' });

/** An unknown format throws: it would not be checked. ajv reports nothing else that it ignores. */
const REFUSING = { strictSchema: 'log', logger: false } as const;

/** Cached by arguments, which modules may share: compiling takes milliseconds, validating microseconds. */
function validator({ args }: Module): ValidateFunction {
  return getOrAdd(validators, args, () =>
    new Ajv({ ...CHECKING, ...REFUSING, code: { regExp: PATTERNS } }).compile(args),
  );
}

/** The same value for ajv, which knows no bigint. */
function withNumbers(value: Value): Value {
  return mapLeaves(value, (leaf) => (typeof leaf === 'bigint' ? Number(leaf) : leaf));
}

function withDefaults(schema: Schema, args: Value): Mapping {
  const filled: Record<string, Value> = isMapping(args) ? { ...args } : {};
  for (const [name, declared] of Object.entries(schema.properties ?? {})) {
    if (present(declared.default) && !Object.hasOwn(filled, name)) filled[name] = declared.default;
  }
  return filled;
}

/** The value for a schema: `!unsafe` text is text, and an encrypted value is unknown, like a template. */
function plainText(value: Value): Value {
  return mapLeaves(value, (leaf) => {
    if (leaf instanceof Vaulted) return '{{ encrypted }}';
    return leaf instanceof Unsafe ? leaf.text : leaf;
  });
}

const file = (folder: string, instead: string) =>
  Type.Optional(
    Type.String({ minLength: 1, description: `A file in the role's folder \`${folder}\`, instead of \`${instead}\`.` }),
  );

/** The arguments of both `include_role` and `import_role`. */
export const ROLE_ARGUMENTS = {
  name: Type.Optional(Type.String({ description: 'The role: its name, or its folder.' })),
  role: Type.Optional(Type.String({ description: 'The same as `name`.' })),
  tasks_from: file('tasks', 'main.yml'),
  vars_from: file('vars', 'main.yml'),
  defaults_from: file('defaults', 'main.yml'),
  handlers_from: file('handlers', 'main.yml'),
  allow_duplicates: Type.Boolean({
    default: true,
    description: 'Whether the role runs again on a controller that has already run it.',
  }),
  rolespec_validate: Type.Boolean({
    default: true,
    description: "Whether variables are checked against the role's argument specification.",
  }),
};

/**
 * The secret texts in a task's arguments, at any depth: those declared `secret: true`, and those with names such as
 * `password` or `token`, unless they are declared `secret: false`. Pass them to `Secrets.add` before anything is sent
 * or shown.
 */
export function secretArguments(module: Module, args: Value): readonly string[] {
  return secretsIn(args, [module.args, ...(isMapping(args) ? knownFieldSchemas(module, args) : [])]);
}

/** The arguments declared `secret: false`: not secret, even if their names suggest it. */
export function publicArguments(module: Module): readonly string[] {
  const schema: Schema = module.args;
  return Object.keys(schema.properties ?? {}).filter((name) => property(schema, name)?.secret === false);
}

/** @param cover what the names above the value make of it */
function secretsIn(value: Value, schemas: readonly Schema[], cover: Cover = 'open'): readonly string[] {
  if (isList(value)) {
    const items = schemas.flatMap((schema) => schema.items ?? []);
    return value.flatMap((item) => secretsIn(item, items, cover));
  }
  if (!isMapping(value)) return cover === 'open' ? [] : textsIn(value).filter((text) => !isNoSecret(text));
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = schemas.flatMap((schema) => property(schema, name) ?? []);
    const declared = inner.flatMap(({ secret }) => secret ?? []);
    if (declared.includes(true)) return textsIn(item);
    return secretsIn(item, inner, declared.length === 0 ? coverFor(name, value, cover) : cover);
  });
}

/** Every text and number in a value, as text. */
export function textsIn(value: Value): readonly string[] {
  return [...leavesIn(value)].flatMap(([leaf]) => (typeof leaf === 'string' || isNumeric(leaf) ? [String(leaf)] : []));
}
