import { SERVER_FIELDS } from '../../core/model/run/result.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { compareVersions } from '../../core/model/version.js';
import { builtInKinds, type Field, type Kind, type Structure } from '../../kinds/kind_table.js';
import { SINGLE_CONTROLS } from '../comparison/desired.js';
import type { Module, Plan } from '../contract.js';
import { property, type Schema } from '../schema.js';
import { knownFieldSchemas } from './advice.js';
import type { ArgumentProblem } from './violation.js';

/** Whether a typo in a field's name or value is an error (`strict`) or a warning. */
type Rigour = 'strict' | 'lenient';

const schemas = { strict: new WeakMap<Structure, Schema>(), lenient: new WeakMap<Structure, Schema>() };

/** The schema of a structure's fields. Fields of the same structure share one schema. */
export function structureSchema(structure: Structure, rigour: Rigour = 'strict'): Schema {
  return getOrAdd(schemas[rigour], structure, () => {
    const fields = [...structure.fields.values()].filter(({ name }) => !SERVER_FIELDS.includes(name));
    return {
      type: 'object',
      ...(rigour === 'strict' && { structure: structure.name }),
      properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, rigour)])),
      required: structure.required,
    };
  });
}

/**
 * What the table of kinds knows about the fields of a kind whose module has its own: their versions. A task that
 * declares only a name does not read the table: some of `args` may be defaults.
 */
export function builtInFields(kind: string, args: Mapping): readonly Schema[] {
  let isDeclared = false;
  for (const name of Object.keys(args)) isDeclared ||= name !== 'name' && !Object.hasOwn(SINGLE_CONTROLS, name);
  if (!isDeclared) return [];
  const found = builtInKinds().kind(kind);
  return found === undefined
    ? []
    : [structureSchema(found.structure, 'lenient'), ...knownMatchFields(args, () => found, 'lenient')];
}

/** What `match` compares with fields of an object has their types. Finds the kind only if it is needed. */
export function knownMatchFields(
  { match }: Mapping,
  find: () => Kind | undefined,
  rigour: Rigour = 'strict',
): readonly Schema[] {
  const kind = match === undefined ? undefined : find();
  return kind === undefined ? [] : [{ type: 'object', properties: { match: structureSchema(kind.structure, rigour) } }];
}

function fieldSchema(field: Field, rigour: Rigour): Schema {
  const { list, description, secret, since, until, unit, least, most } = field;
  const about: Schema = {
    ...(description !== undefined && { description }),
    ...(secret !== undefined && { secret }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(unit !== undefined && { unit }),
    ...(least !== undefined && { minItems: least }),
    ...(most !== undefined && { maxItems: most }),
  };
  const value = valueSchema(field, rigour);
  return list ? { type: 'array', items: value, ...about } : { ...value, ...about };
}

function valueSchema(
  { type, structure, choices, openChoices, range, special, default: standard }: Field,
  rigour: Rigour,
): Schema {
  if (structure !== undefined) return structureSchema(structure, rigour);
  if (type === 'any') return {};
  if (type === 'mapping') return { type: 'object' };
  return {
    type,
    ...(choices !== undefined && { enum: choices }),
    ...(openChoices === true && { openChoices }),
    ...(range !== undefined && { minimum: range[0], maximum: range[1] }),
    ...(special !== undefined && { special }),
    ...(standard !== undefined && { default: standard }),
  };
}

/** Refuses a create that lacks required fields: the controller would reject it. */
export function completeCreate({ name, structure }: Kind, plan: Plan): Plan {
  if (plan.change.kind !== 'create' || plan.refusal !== undefined) return plan;
  const missing = missingFields(structure, plan.change.after).map((one) => `"${one}"`);
  if (missing.length === 0) return plan;
  return { ...plan, refusal: `${plan.change.object} does not exist, and a new ${name} needs ${missing.join(', ')}` };
}

/**
 * The fields that a new object needs and that are not declared: `type`, `servers[0].ip`. Inside an object, fields with a default
 * may be missing.
 */
function missingFields({ required, fields }: Structure, declared: Mapping): readonly string[] {
  const missing = required.filter((name) => (entry(declared, name) ?? null) === null);
  const inner = [...fields.values()].flatMap(({ name, structure }) =>
    structure === undefined ? [] : missingBelow(structure, entry(declared, name), name),
  );
  return [...missing, ...inner];
}

function missingBelow(structure: Structure, value: Value | undefined, path: string): readonly string[] {
  if (isList(value)) return value.flatMap((item, index) => missingBelow(structure, item, `${path}[${index}]`));
  if (!isMapping(value)) return [];
  const needed = structure.required.filter((name) => structure.fields.get(name)?.default === undefined);
  return missingFields({ ...structure, required: needed }, value).map((name) => `${path}.${name}`);
}

/** Arguments of a module with the fields that not every version of the API has, each field once. */
type Versioned = ReadonlyMap<Schema, FieldPath>;

/** By arguments as written, which are the same for all controllers. */
const known = new WeakMap<Mapping, Versioned>();

/** Warnings about declared fields that a controller with this version of the API does not have. */
export function versionAdvice(module: Module, args: Mapping, version: string): readonly ArgumentProblem[] {
  const versioned = getOrAdd(known, args, () => versionedFields(module, args));
  return [...versioned].flatMap(([{ since, until }, path]) => {
    const why =
      since !== undefined && compareVersions(version, since) < 0
        ? `exists since version ${since}`
        : until !== undefined && compareVersions(version, until) >= 0
          ? `no longer exists since version ${until}`
          : undefined;
    if (why === undefined) return [];
    const message = `"${pathText(path)}" ${why} of the API, and the version here is ${version}`;
    return [{ path, message, hint: 'the controller may refuse or ignore it: leave it out, or change the version' }];
  });
}

function versionedFields(module: Module, args: Mapping): Versioned {
  const found = new Map<Schema, FieldPath>();
  for (const schema of knownFieldSchemas(module, args)) collect(schema, args, [], found);
  return found;
}

function collect(schema: Schema, value: Value, path: FieldPath, found: Map<Schema, FieldPath>): void {
  if (value === null) return;
  if ((schema.since ?? schema.until) !== undefined && !found.has(schema)) found.set(schema, path);
  if (isList(value)) {
    const { items } = schema;
    if (items !== undefined) for (const [at, item] of value.entries()) collect(items, item, [...path, at], found);
  } else if (isMapping(value) && schema.properties !== undefined) {
    for (const [name, inner] of Object.entries(value)) {
      const field = property(schema, name);
      if (field !== undefined) collect(field, inner, [...path, name], found);
    }
  }
}
