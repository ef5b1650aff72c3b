import { mapValues } from '../core/model/values/value.js';
import { takesScalars } from '../module/arguments/coercion.js';
import type { Module } from '../module/contract.js';
import { isNullMissing, itemSchema, property, schemaTypes, type Schema } from '../module/schema.js';
import { textSchema, orNothing, template, type JsonSchema, type SchemaEntry } from './scalars.js';

/**
 * Returns the schema to use for something that occurs in many places: what `make` returns, or a reference to it. What
 * has the same key is the same.
 */
export type DefineSchema = (name: string, key: unknown, make: () => JsonSchema) => JsonSchema;

/**
 * The arguments of each module: those it declares, and the known fields of controllers. What several of the modules
 * have is defined once: declared arguments, and the fields of a kind.
 */
export class ArgumentSchemas {
  readonly #sharedArgs: ReadonlySet<unknown>;
  /** Fields that all modules of a kind have, by kind. */
  readonly #fields: ReadonlyMap<string, Properties>;

  constructor(
    modules: readonly Module[],
    private readonly define: DefineSchema,
  ) {
    const seen = new Set<unknown>();
    this.#sharedArgs = new Set(modules.map(({ args }) => args).filter((args) => seen.has(args) || !seen.add(args)));
    this.#fields = sharedFields(modules);
  }

  schemaFor(module: Module): JsonSchema {
    const knownFields = module.type === 'resource' ? module.knownFields : undefined;
    const isShared = this.#sharedArgs.has(module.args);
    const fields = this.#sharedSchema(module);
    if (!isShared && fields === undefined) return objectSchema(module.args, knownFields, this.define);
    const args = isShared
      ? this.define('arguments', module.args, () => objectSchema(module.args, undefined, this.define))
      : objectSchema(module.args, undefined, this.define);
    const declared = Object.keys(module.args.properties);
    const others = Object.entries(knownFields?.properties ?? {}).filter(
      ([name]) => !declared.includes(name) && (fields === undefined || !Object.hasOwn(fields.properties, name)),
    );
    const own = topSchemas(hintSchemas(Object.fromEntries(others), this.define));
    if (fields === undefined && others.length === 0) return args;
    const parts = [args, ...(fields === undefined ? [] : [fields.schema])];
    return { type: 'object', allOf: parts, ...(others.length > 0 && { properties: own }) };
  }

  #sharedSchema(module: Module): { readonly properties: Properties; readonly schema: JsonSchema } | undefined {
    const kind = module.type === 'resource' && module.knownFields !== undefined ? module.kind : undefined;
    const properties = kind === undefined ? undefined : this.#fields.get(kind);
    if (kind === undefined || properties === undefined) return undefined;
    const make = (): JsonSchema => ({ type: 'object', properties: topSchemas(hintSchemas(properties, this.define)) });
    return { properties, schema: this.define(`fields_${kind}`, properties, make) };
  }
}

type Properties = NonNullable<Schema['properties']>;

/** Fields that the modules of a kind share, except those with the name of an argument of one of the modules. */
function sharedFields(modules: readonly Module[]): ReadonlyMap<string, Properties> {
  const resources = modules
    .filter((module) => module.type === 'resource')
    .filter(({ knownFields }) => knownFields !== undefined);
  const kinds = new Set(resources.flatMap(({ kind }) => kind ?? []));
  return new Map(
    [...kinds].flatMap((kind) => {
      const [first, ...others] = resources.filter((module) => module.kind === kind);
      if (first === undefined || others.length === 0) return [];
      const shared = Object.entries(first.knownFields?.properties ?? {}).filter(
        ([name, field]) =>
          !Object.hasOwn(first.args.properties, name) &&
          others.every(({ knownFields }) => knownFields !== undefined && property(knownFields, name) === field),
      );
      return [[kind, Object.fromEntries(shared)] as const];
    }),
  );
}

export function requiredArguments({ args }: Module): readonly string[] {
  return requiredNames(args);
}

/** Those without a default. */
function requiredNames(schema: Schema): readonly string[] {
  return (schema.required ?? []).filter((name) => property(schema, name)?.default === undefined);
}

function objectSchema(schema: Schema, knownFields: Schema | undefined, define: DefineSchema): JsonSchema {
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(knownFields?.properties ?? {})])];
  const entries = names.map((name): SchemaEntry => {
    const field = fieldSchema(property(schema, name), knownFields && property(knownFields, name), define);
    return [name, isNullMissing(schema, name) ? nullable(field) : field];
  });
  const { additionalProperties, propertyNames } = schema;
  return {
    type: 'object',
    properties: topSchemas(Object.fromEntries(entries)),
    ...(propertyNames === undefined ? {} : { propertyNames: { anyOf: [plain(propertyNames), template] } }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: additionalProperties !== false }),
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, const: only, anyOf } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined || choices !== undefined || only !== undefined) return orNothing(schema);
  return { ...schema, type: [type, 'null'].flat() };
}

function fieldSchema(declared: Schema | undefined, hint: Schema | undefined, define: DefineSchema): JsonSchema {
  if (declared !== undefined) return declaredSchema(declared, hint, define);
  return hint === undefined ? {} : hintSchema(hint, define);
}

/** For known fields, only the type is enforced: bounds and choices are suggestions, and null can clear the field. */
function hintSchema(hint: Schema, define: DefineSchema): JsonSchema {
  const about = { ...shownDescription(hint, undefined), ...shownDefault(hint) };
  const types = schemaTypes(hint);
  if (types.length === 0) return about;
  const loose = looseSchema(hint, types, define);
  // Editors suggest choices; they show no bounds.
  const choices = hint.enum === undefined ? [loose] : [plain(hint), loose];
  if (choices.length === 1 && Object.keys(about).length === 0) return loose;
  return { ...about, anyOf: choices };
}

/** Values of these types, and what is converted to them. */
function looseSchema(hint: Schema, types: readonly string[], define: DefineSchema): JsonSchema {
  const { properties, items, structure } = hint;
  const texts = types.includes('string') ? [] : textsFor(hint);
  const others = converted(hint);
  const loose = (inside: JsonSchema = {}): JsonSchema => ({
    anyOf: [{ type: types, ...inside }, ...distinct(texts), ...others, { type: 'null' }],
  });
  if (structure !== undefined)
    return define(`structure_${structure}`, properties, () => loose({ properties: hintSchemas(properties, define) }));
  if (properties !== undefined) return loose({ properties: hintSchemas(properties, define) });
  if (items === undefined) return define(`value_${types.join('_or_')}`, types.join(), loose);
  const of = hintSchema(items, define);
  const name = of.$ref?.replace(/^.*\//, '');
  return name === undefined ? loose({ items: of }) : define(`list_of_${name}`, name, () => loose({ items: of }));
}

/** An empty tenant of the object is refused; elsewhere in it, fields of that name are like others. */
function topSchemas(schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  const { tenant_ref: tenant } = schemas;
  return tenant === undefined ? schemas : { ...schemas, tenant_ref: { allOf: [tenant, { not: { const: '' } }] } };
}

function hintSchemas(properties: Schema['properties'], define: DefineSchema): Readonly<Record<string, JsonSchema>> {
  return mapValues(properties ?? {}, (field) => hintSchema(field, define));
}

function declaredSchema(schema: Schema, hint: Schema | undefined, define: DefineSchema): JsonSchema {
  const about = { ...shownDescription(schema, hint), ...shownDefault(schema) };
  const types = schemaTypes(schema);
  if (types.length === 0) return about;
  const value = valueSchema(schema, hint, define);
  const texts = types.includes('string') && isFree(schema) ? [] : textsFor(schema, schema.maximum);
  const others = schema.prose === true ? [{ type: ['boolean', 'number', 'array', 'object'] }] : converted(schema);
  const alternatives = [...(value.anyOf ?? [value]), ...distinct(texts), ...others];
  const [only] = alternatives;
  return alternatives.length === 1 ? { ...about, ...only } : { ...about, anyOf: alternatives };
}

function textsFor(schema: Schema, maximum?: number): readonly JsonSchema[] {
  const items = schemaTypes(itemSchema(schema) ?? {});
  const digits = maximum === undefined ? undefined : String(maximum).length;
  return schemaTypes(schema).map((type) => textSchema(type, { items, digits }));
}

/** Whole numbers are converted to text, and to a list of one element. */
function converted(schema: Schema): readonly JsonSchema[] {
  const types = schemaTypes(schema);
  if (types.includes('integer') || types.includes('number')) return [];
  const takesOne = types.includes('string') ? takesDigits(schema) : takesScalars(schema);
  return takesOne ? [{ type: 'integer' }] : [];
}

function takesDigits(schema: Schema): boolean {
  const { pattern } = plain(schema);
  return isFree(schema) || (typeof pattern === 'string' && new RegExp(pattern, 'u').test('1'));
}

/** Whether any text is allowed, so that templates need no exception. */
function isFree(schema: Schema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => schemaTypes(one).includes('string') && isFree(one));
  return schema.enum === undefined && schema.const === undefined && plain(schema).pattern === undefined;
}

function valueSchema(schema: Schema, hint: Schema | undefined, define: DefineSchema): JsonSchema {
  if (schema.anyOf !== undefined) return { anyOf: schema.anyOf.map((one) => valueSchema(one, undefined, define)) };
  if (schema.properties !== undefined) {
    const required = requiredNames(schema);
    return { ...objectSchema(schema, hint, define), ...(required.length > 0 && { required }) };
  }
  if (schema.items !== undefined) return { type: 'array', items: fieldSchema(schema.items, hint?.items, define) };
  return plain(schema);
}

const VALIDATED_KEYWORDS = 'type enum const minimum maximum minLength pattern required additionalProperties'.split(' ');

/** Without annotations of our own, which validators do not know. */
function plain(schema: Schema): JsonSchema {
  const { anyOf, items, properties, patternProperties } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => VALIDATED_KEYWORDS.includes(name))),
    ...(anyOf !== undefined && { anyOf: anyOf.map(plain) }),
    ...(items !== undefined && { items: plain(items) }),
    ...(properties !== undefined && { properties: mapValues(properties, (one) => plain(one)) }),
    ...(patternProperties !== undefined && { patternProperties: mapValues(patternProperties, (one) => plain(one)) }),
  };
}

function shownDescription({ description, secret }: Schema, hint: Schema | undefined): JsonSchema {
  const words = [description ?? hint?.description, secret === true ? 'Secret: masked in all output.' : undefined];
  const text = words.filter((one) => one !== undefined).join(' ');
  return text === '' ? {} : { description: text };
}

/** Editors write it into the playbook, where a secret has no place. */
function shownDefault({ default: standard, secret }: Schema): JsonSchema {
  return standard === undefined || secret === true ? {} : { default: standard };
}

function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
}
