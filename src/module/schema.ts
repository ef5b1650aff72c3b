import * as Type from 'typebox';
import type { Static, TObject, TOptional, TProperties, TSchema, TSchemaOptions, TString, TUnsafe } from 'typebox';
import type { FieldPath } from '../core/model/source/diagnostic.js';
import { getOrAdd } from '../core/model/values/groups.js';
import { mapValues } from '../core/model/values/value.js';

/** The part of JSON Schema that declares arguments, with our own annotations. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of names that a controller decides, such as lists to merge. */
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  /** Controllers may accept values outside `enum`, even similar ones. */
  readonly openChoices?: boolean;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Numbers outside these limits that are allowed, too. */
  readonly special?: readonly number[];
  /** The version of the API that brought the field, and the one that no longer has it. */
  readonly since?: string;
  readonly until?: string;
  /** `seconds`. */
  readonly unit?: string;
  /** Of a list. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Whether every output masks the value. `false`: none does, even if the name looks secret. */
  readonly secret?: boolean;
  /** A field of the object that a task manages: null is its value, which may clear it. */
  readonly field?: boolean;
  /** The name of an object's structure, if its fields are known. A name that looks like a typo of a field is refused. */
  readonly structure?: string;
  /** Free text for people, which accepts numbers and booleans, too. */
  readonly prose?: boolean;
  /** A bare expression: left unrendered for `context.evaluate`. */
  readonly expression?: boolean;
  /** The connection variable that the argument sets for its task. */
  readonly connection?: string;
  /** On an object: arguments of which at most one is allowed. */
  readonly exclusive?: readonly (readonly string[])[];
  /** On an object: arguments of which at least one is required. */
  readonly needsOne?: readonly string[];
  /** A description of the value, for a `pattern` that is hard to read: `a path under /api/`. */
  readonly expects?: string;
}

/** Cached, because it is needed for each value of each task. */
const types = new WeakMap<Schema, readonly string[]>();

/** The type names that a schema allows, alternatives included; empty if it allows anything. */
export function schemaTypes(schema: Schema): readonly string[] {
  return getOrAdd(types, schema, () => findTypes(schema));
}

function findTypes(schema: Schema): readonly string[] {
  if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : schema.type;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.flatMap(schemaTypes))];
  const literals = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [...new Set(literals.map((literal) => typeof literal))];
}

/** The values that a schema lists (`enum`, or alternatives that are all literals); undefined if it does not. */
export function schemaChoices(schema: Schema): readonly unknown[] | undefined {
  if (schema.enum !== undefined) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const alternatives = schema.anyOf?.map(schemaChoices);
  if (!alternatives?.every((one) => one !== undefined)) return undefined;
  return alternatives.flat();
}

/** Whether the property of that name may be missing, so that null means a missing one. Else null is a value of its own, or wrong. */
export function isNullMissing(schema: Schema, name: string): boolean {
  const declared = property(schema, name);
  const types = declared === undefined ? [] : schemaTypes(declared);
  if (types.length === 0 || types.includes('null')) return false;
  return declared?.default !== undefined || schema.required?.includes(name) !== true;
}

/** The schema of the value at a path below `schema`; undefined if nothing is declared there. */
export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return schema;
  const next = typeof head === 'number' ? schema.items : property(schema, head);
  return next === undefined ? undefined : schemaAt(next, rest);
}

/** The schema of the elements of a list; undefined if there is none. */
export function itemSchema({ items, anyOf }: Schema): Schema | undefined {
  return items ?? anyOf?.find((one) => one.items !== undefined)?.items;
}

/** The declared property of that name; names such as `constructor` find nothing. */
export function property(schema: Schema, name: string): Schema | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  return Object.entries(schema.patternProperties ?? {}).find(([pattern]) => new RegExp(pattern).test(name))?.[1];
}

/** Whether a value is only known once it is rendered. */
export function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && /\{\{|\{%[-+]?\s*[a-z_]/i.test(value);
}

/** A mapping with these names only. */
export function closedObject<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** A text that is not empty. */
export function filledText(description: string): TString {
  return Type.String({ minLength: 1, description });
}

/** The name of an object. */
export function nameText(description: string): TString {
  return Type.String({ minLength: 1, expects: 'a name', description });
}

/**
 * A mapping with any names, whose values match a schema. Equals `Type.Record(Type.String(), values)`, which would load
 * typebox's whole type language at the start of every command.
 */
export function recordSchema<Values extends TSchema>(
  values: Values,
  options: TSchemaOptions = {},
): TUnsafe<Record<string, Static<Values>>> {
  return Type.Unsafe({ type: 'object', patternProperties: { '^.*$': values }, ...options });
}

export function optionalRecord<Values extends TSchema>(
  values: Values,
  description: string,
): TOptional<TUnsafe<Record<string, Static<Values>>>> {
  return Type.Optional(recordSchema(values, { description }));
}

type SentAsText = string | number | boolean;

/** A mapping of what is sent as text, such as query parameters. */
export function textRecord(description: string): TOptional<TUnsafe<Record<string, SentAsText>>> {
  return Type.Optional(
    Type.Unsafe(recordSchema(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { description })),
  );
}

/** The values of a `textRecord` as they are sent. */
export function asTexts(given: Readonly<Record<string, SentAsText>> | null = {}): Readonly<Record<string, string>> {
  return mapValues(given ?? {}, String);
}
