import type { Module } from '../module/contract.js';
import { property, typesOf, type Schema } from '../module/schema.js';
import type { Entry, JsonSchema } from './json_schema.js';
import { asText, template } from './scalars.js';

/** The arguments of a module: those it declares, and the known fields of controllers. */
export function argumentsSchema(module: Module): JsonSchema {
  const hints = module.type === 'resource' ? module.hints : undefined;
  return objectSchema(module.args, hints);
}

/** The required ones without a default. */
export function requiredArguments({ args }: Module): readonly string[] {
  const schema: Schema = args;
  return (schema.required ?? []).filter((name) => property(schema, name)?.default === undefined);
}

function objectSchema(schema: Schema, hints: Schema | undefined): JsonSchema {
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(hints?.properties ?? {})])];
  const entries = names.map((name): Entry => [
    name,
    fieldSchema(property(schema, name), hints && property(hints, name)),
  ]);
  const { additionalProperties, propertyNames } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    ...(propertyNames === undefined ? {} : { propertyNames: { anyOf: [plain(propertyNames), template] } }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: additionalProperties !== false }),
  };
}

function fieldSchema(declared: Schema | undefined, hint: Schema | undefined): JsonSchema {
  if (declared !== undefined) return declaredSchema(declared, hint);
  return hint === undefined ? {} : hintSchema(hint);
}

/** Of what is only known the type is enforced; bounds and choices are offered, and null may clear the field. */
function hintSchema(hint: Schema): JsonSchema {
  const about = { ...descriptionOf(hint, undefined), ...defaultOf(hint) };
  const types = typesOf(hint);
  if (types.length === 0) return about;
  const texts = types.includes('string') ? [] : types.map(asText);
  const known = hint.properties === undefined && hint.items === undefined ? [valueSchema(hint, undefined)] : [];
  return { ...about, anyOf: distinct([...known, ofKnownType(hint, types), ...texts, { type: 'null' }]) };
}

function ofKnownType({ properties, items }: Schema, types: readonly string[]): JsonSchema {
  const fields = Object.entries(properties ?? {}).map(([name, field]): Entry => [name, hintSchema(field)]);
  return {
    type: types,
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: hintSchema(items) }),
  };
}

function declaredSchema(schema: Schema, hint: Schema | undefined): JsonSchema {
  const about = { ...descriptionOf(schema, hint), ...defaultOf(schema) };
  const types = typesOf(schema);
  if (types.length === 0) return about;
  const value = valueSchema(schema, hint);
  const texts = types.includes('string') && isFree(schema) ? [] : types.map(asText);
  const prose = schema.prose === true ? [{ type: ['boolean', 'number'] }] : [];
  const alternatives = [...(value.anyOf ?? [value]), ...distinct(texts), ...prose];
  const [only] = alternatives;
  return alternatives.length === 1 ? { ...about, ...only } : { ...about, anyOf: alternatives };
}

/** Whether any text will do, so that a template is nothing special. */
function isFree(schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => typesOf(one).includes('string') && isFree(one));
  return schema.enum === undefined && schema.const === undefined && plain(schema).pattern === undefined;
}

function valueSchema(schema: Schema, hint: Schema | undefined): JsonSchema {
  if (schema.anyOf !== undefined) return { anyOf: schema.anyOf.map((one) => valueSchema(one, undefined)) };
  if (schema.properties !== undefined) return objectSchema(schema, hint);
  if (schema.items !== undefined) return { type: 'array', items: fieldSchema(schema.items, hint?.items) };
  return plain(schema);
}

const KEPT = ['type', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'pattern', 'patternProperties'];

/** Without annotations of our own, which validators do not know. */
function plain(schema: Schema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => KEPT.includes(name)));
}

function descriptionOf({ description, secret }: Schema, hint: Schema | undefined): JsonSchema {
  const words = [description ?? hint?.description, secret === true ? 'Secret: masked in every output.' : undefined];
  const text = words.filter((one) => one !== undefined).join(' ');
  return text === '' ? {} : { description: text };
}

/** Editors write it into the playbook, where a secret has no place. */
function defaultOf({ default: standard, secret }: Schema): JsonSchema {
  return standard === undefined || secret === true ? {} : { default: standard };
}

function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
}
