import type { FieldEntry, KindData, KindEntry, StructureEntry } from './kind_table.js';

/** A parsed OpenAPI 2 or 3 document. */
type Json = Readonly<Record<string, unknown>>;

export type FromOpenApi = { readonly data: KindData } | { readonly problem: string };

/**
 * A table of the kinds that the documents create by POST to a collection, or replace by PUT at a path of their own.
 *
 * @param isSecret whether the name of a field says that it is a secret; such fields are marked for review
 */
export function kindsFromOpenApi(documents: readonly unknown[], isSecret: (name: string) => boolean): FromOpenApi {
  const schemas: Record<string, unknown> = {};
  const kinds: Record<string, string | KindEntry> = {};
  for (const document of documents) {
    if (!isJson(document) || (document['swagger'] === undefined && document['openapi'] === undefined))
      return { problem: 'it is no OpenAPI document: it has neither "swagger" nor "openapi"' };
    Object.assign(schemas, at(document, 'definitions') ?? at(document, 'components', 'schemas') ?? {});
    Object.assign(kinds, kindsIn(at(document, 'paths') ?? {}));
  }
  if (Object.keys(kinds).length === 0)
    return { problem: 'it describes no kind: no path such as /pool has a POST or PUT with a schema' };
  const structures = new Structures(schemas, isSecret);
  for (const kind of Object.values(kinds)) structures.add(typeof kind === 'string' ? kind : kind.structure);
  return { data: { format: 'evenkeel-kinds-1', kinds: sorted(kinds), structures: sorted(structures.entries) } };
}

/** By the last part of their path: `/api/pool` and `/pool` are `pool`. */
function kindsIn(paths: Json): Readonly<Record<string, string | KindEntry>> {
  const found = Object.entries(paths).flatMap(([path, operations]): (readonly [string, string | KindEntry])[] => {
    const [, name] = /^(?:\/api)?\/([a-z][a-z0-9]*)\/?$/.exec(path) ?? [];
    if (name === undefined || !isJson(operations)) return [];
    const made = bodyOf(operations['post']);
    const single = made === undefined ? bodyOf(operations['put']) : undefined;
    if (made !== undefined) return [[name, made]];
    return single === undefined ? [] : [[name, { structure: single, single: true }]];
  });
  return Object.fromEntries(found);
}

/** The name of the schema that an operation takes. */
function bodyOf(operation: unknown): string | undefined {
  if (!isJson(operation)) return undefined;
  const { parameters } = operation;
  const body = Array.isArray(parameters) ? parameters.filter(isJson).find((one) => one['in'] === 'body') : undefined;
  const schema = at(body, 'schema') ?? at(operation, 'requestBody', 'content', 'application/json', 'schema');
  return refOf(schema);
}

/** The structures that kinds consist of, each converted once. */
class Structures {
  readonly entries: Record<string, StructureEntry> = {};
  readonly #open: string[] = [];

  constructor(
    private readonly schemas: Readonly<Record<string, unknown>>,
    private readonly isSecret: (name: string) => boolean,
  ) {}

  /** Returns the type of a field that has this structure. One that contains itself is a mapping there. */
  add(name: string): string {
    const schema = Object.hasOwn(this.schemas, name) ? this.schemas[name] : undefined;
    const properties = at(schema, 'properties');
    if (properties === undefined || this.#open.includes(name)) return 'mapping';
    if (this.entries[name] !== undefined) return name;
    this.#open.push(name);
    const fields = Object.entries(properties).map(([field, one]) => [field, this.#field(field, one)] as const);
    this.#open.pop();
    const required = isJson(schema) && Array.isArray(schema['required']) ? schema['required'].filter(isText) : [];
    this.entries[name] = { ...(required.length > 0 && { required }), fields: Object.fromEntries(fields) };
    return name;
  }

  #field(name: string, schema: unknown): string | FieldEntry {
    const items = at(schema, 'items');
    const type = items === undefined ? this.#type(schema) : `[${this.#type(items)}]`;
    const isText = type === 'string' || type === '[string]';
    const facts = {
      ...limitsOf(schema),
      ...(isText && choicesOf(schema)),
      ...defaultOf(schema),
      ...refersOf(schema),
      ...(isText && this.isSecret(name) && { secret: 'review' as const }),
    };
    return Object.keys(facts).length === 0 ? type : { type, ...facts };
  }

  #type(schema: unknown): string {
    const all = isJson(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly unknown[]) : [];
    const name = refOf(schema) ?? all.map(refOf).find((one) => one !== undefined);
    if (name !== undefined) return this.add(name);
    const type = isJson(schema) ? schema['type'] : undefined;
    if (type === 'object') return 'mapping';
    return isText(type) && ['string', 'integer', 'number', 'boolean'].includes(type) ? type : 'any';
  }
}

/** `Allowed values are 1-7200. Special values are 0 - Immediate, -1 - Infinite.` */
function limitsOf(schema: unknown): Pick<FieldEntry, 'range' | 'special'> {
  if (!isJson(schema)) return {};
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && typeof maximum === 'number') return { range: [minimum, maximum] };
  const text = describedIn(schema);
  const [, least, most] = /Allowed values are (-?\d+)-(-?\d+)\./.exec(text) ?? [];
  if (least === undefined || most === undefined) return {};
  const [, words = ''] = /Special values are ([^.]*)\./.exec(text) ?? [];
  const special = [...words.matchAll(/(?:^|, ?)(-?\d+)(?: -|$|,)/g)].map(([, one]) => Number(one));
  return { range: [Number(least), Number(most)], ...(special.length > 0 && { special }) };
}

/** `enum`, or `Enum options - A, B.` */
function choicesOf(schema: unknown): Pick<FieldEntry, 'choices'> {
  const values = isJson(schema) ? (schema['enum'] ?? at(schema, 'items')?.['enum']) : undefined;
  if (Array.isArray(values)) return { choices: values.filter(isText) };
  const [, words] = /Enum options - ([A-Z0-9_, ]+)\./.exec(describedIn(schema)) ?? [];
  return words === undefined ? {} : { choices: words.split(',').map((one) => one.trim()) };
}

function defaultOf(schema: unknown): Pick<FieldEntry, 'default'> {
  const standard = isJson(schema) ? schema['default'] : undefined;
  const isScalar = isText(standard) || typeof standard === 'number' || typeof standard === 'boolean';
  return isScalar ? { default: standard } : {};
}

/** `It is a reference to an object of type HealthMonitor.` */
function refersOf(schema: unknown): Pick<FieldEntry, 'refers'> {
  const [, kind] = /reference to an object of type (\w+)/.exec(describedIn(schema)) ?? [];
  return kind === undefined ? {} : { refers: kind.toLowerCase() };
}

function describedIn(schema: unknown): string {
  const text = isJson(schema) ? schema['description'] : undefined;
  return isText(text) ? text : '';
}

function refOf(schema: unknown): string | undefined {
  const reference = isJson(schema) ? schema['$ref'] : undefined;
  return isText(reference) ? reference.replace(/^.*\//, '') : undefined;
}

function at(value: unknown, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) found = isJson(found) ? found[name] : undefined;
  return isJson(found) ? found : undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function sorted<Entry>(entries: Readonly<Record<string, Entry>>): Readonly<Record<string, Entry>> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
