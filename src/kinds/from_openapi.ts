import type { FieldEntry, KindData, KindEntry, Structure, StructureEntry } from './kind_table.js';
import {
  at,
  filesReferredTo,
  isJson,
  Schemas,
  textsIn,
  type Documents,
  type Flat,
  type Json,
  type Part,
} from './openapi_schema.js';

export interface OpenApiInput {
  /** The files that the user gave, absolute, and what messages call them. */
  readonly files: ReadonlyMap<string, string>;
  /** These, and the files that they refer to. */
  readonly documents: Documents;
  /** Whether the name of a field says that it is a secret; such fields are marked for review. */
  readonly isSecret: (name: string) => boolean;
  /** The built-in structure with the name, for its information about secrets and references. */
  readonly builtIn: (structure: string) => Structure | undefined;
  /** The table that is replaced: decisions about its secrets stay. */
  readonly earlier?: Pick<KindData, 'structures'> | undefined;
}

export type FromOpenApi =
  | { readonly data: KindData; readonly warnings: readonly string[] }
  /** Each with the name of its file. */
  | { readonly problems: readonly string[] };

/**
 * A table of the kinds that the documents create by POST to a collection, or replace by PUT at a path with one part.
 */
export function kindsFromOpenApi(input: OpenApiInput): FromOpenApi {
  const schemas = new Schemas(input.documents);
  const structures = new Structures(schemas, input);
  const kinds: Record<string, string | KindEntry> = {};
  const [problems, warnings]: [string[], string[]] = [[], []];
  const referred = new Set([...input.documents].flatMap(([file, document]) => filesReferredTo(file, document)));
  for (const [file, shown] of input.files) {
    const document = input.documents.get(file);
    const isReferredTo = referred.has(file);
    if (!isOpenApi(document)) {
      if (!isReferredTo) problems.push(`${shown} is not an OpenAPI document: it has neither "swagger" nor "openapi"`);
      continue;
    }
    const found = operationsIn({ file, value: document }, schemas);
    if (found.length === 0 && !isReferredTo)
      warnings.push(`${shown} describes no kind: no path such as /pool has a POST or PUT with a schema`);
    for (const { path, name, single, body } of found) {
      const structure = name === undefined ? undefined : structures.kind(body, name);
      if (name === undefined)
        warnings.push(`${shown}: ${path} is left out: names of kinds have lowercase letters and digits only`);
      else if (structure === undefined)
        problems.push(`${shown}: the schema of ${path} has no properties${missingFileText(schemas)}`);
      else {
        if (Object.hasOwn(kinds, name)) warnings.push(`${shown}: ${path} replaces the definition in an earlier file`);
        kinds[name] = single ? { structure, single: true } : structure;
      }
    }
  }
  if (problems.length > 0) return { problems };
  if (Object.keys(kinds).length === 0)
    return { problems: warnings.length > 0 ? warnings : ['these files describe no kind'] };
  if (schemas.missing.size > 0)
    warnings.push(`not found, so any value passes there: ${[...schemas.missing].sort().join(', ')}`);
  const data: KindData = {
    format: 'evenkeel-kinds-1',
    kinds: sorted(kinds),
    structures: sorted(structures.entries),
  };
  return { data, warnings };
}

function isOpenApi(document: unknown): document is Json {
  return isJson(document) && (document['swagger'] !== undefined || document['openapi'] !== undefined);
}

function missingFileText({ missing }: Schemas): string {
  return missing.size === 0 ? '' : `; not found: ${[...missing].sort().join(', ')}`;
}

interface Operation {
  readonly path: string;
  /** Undefined if a kind cannot be named so. */
  readonly name: string | undefined;
  readonly single: boolean;
  readonly body: Part;
}

/** By the last part of their path: `/api/pool` and `/pool` are `pool`. */
function operationsIn({ file, value }: Part, schemas: Schemas): readonly Operation[] {
  return Object.entries(at(value, 'paths') ?? {}).flatMap(([path, item]): readonly Operation[] => {
    const [, word] = /^(?:\/api)?\/([^/{}]+)\/?$/.exec(path) ?? [];
    const operations = isJson(item) ? schemas.resolved({ file, value: item }) : undefined;
    if (word === undefined || operations === undefined) return [];
    const made = bodyOf('post', operations, schemas);
    const body = made ?? bodyOf('put', operations, schemas);
    const name = /^[a-z][a-z0-9]*$/.test(word) ? word : undefined;
    return body === undefined ? [] : [{ path, name, single: made === undefined, body }];
  });
}

/** The schema that an operation takes as JSON. */
function bodyOf(method: string, { file, value }: Part, schemas: Schemas): Part | undefined {
  const operation = at(value, method);
  if (operation === undefined) return undefined;
  const parts = [...partsIn(operation['parameters'], file), ...partsIn(value['parameters'], file)];
  const body = parts.map((one) => schemas.resolved(one)).find((one) => one?.value['in'] === 'body');
  const old = at(body?.value, 'schema');
  if (body !== undefined && old !== undefined) return { file: body.file, value: old };
  const request = at(operation, 'requestBody');
  const taken = request && schemas.resolved({ file, value: request });
  const content = Object.entries(at(taken?.value, 'content') ?? {});
  const [, json] = content.find(([type]) => /json|\*\/\*/i.test(type)) ?? [];
  const schema = at(json, 'schema');
  return taken === undefined || schema === undefined ? undefined : { file: taken.file, value: schema };
}

function partsIn(list: unknown, file: string): readonly Part[] {
  return Array.isArray(list) ? list.filter(isJson).map((value) => ({ file, value })) : [];
}

/** The structures that kinds consist of, each converted once. */
class Structures {
  readonly entries: Record<string, StructureEntry> = {};
  /** The names of structures, by where they are defined. */
  readonly #names = new Map<string, string>();
  readonly #open: string[] = [];

  constructor(
    private readonly schemas: Schemas,
    private readonly input: Pick<OpenApiInput, 'isSecret' | 'builtIn' | 'earlier'>,
  ) {}

  /** The structure of a kind's objects; undefined if it is unknown. */
  kind(body: Part, name: string): string | undefined {
    const flat = this.schemas.flat(body);
    return flat.properties.size === 0 ? undefined : this.#add(flat, `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  }

  /** Returns the type of a field that has this structure. One that contains itself is a mapping there. */
  #add(flat: Flat, otherwise: string): string {
    const identity = flat.identity ?? `${this.#open.join('/')}/${otherwise}`;
    if (this.#open.includes(identity)) return 'mapping';
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    const name = this.#free(flat.name ?? otherwise);
    this.#names.set(identity, name);
    this.entries[name] = { fields: {} };
    this.#open.push(identity);
    const fields = [...flat.properties].map(([field, part]) => [field, this.#field(name, field, part)] as const);
    this.#open.pop();
    const required = flat.required.filter((field) => flat.properties.has(field));
    this.entries[name] = { ...(required.length > 0 && { required }), fields: Object.fromEntries(fields) };
    return name;
  }

  /** Several files can have different structures with the same name, and no structure can have the name of a type. */
  #free(wanted: string): string {
    const taken = (name: string): boolean => Object.hasOwn(this.entries, name) || TYPES.includes(name);
    let name = wanted;
    for (let count = 2; taken(name); count += 1) name = `${wanted}_${count}`;
    return name;
  }

  #field(structure: string, name: string, part: Part): string | FieldEntry {
    const flat = this.schemas.flat(part);
    const isList = flat.type === 'array' || flat.items !== undefined;
    const element = flat.items === undefined ? undefined : this.schemas.flat(flat.items);
    const value = isList ? (element ?? this.schemas.flat({ ...part, value: {} })) : flat;
    const word = this.#type(value, `${structure}_${name}`);
    const { facts } = flat;
    const inner = { ...value.facts, ...facts };
    const known = {
      ...(NUMBERS.includes(word) && limitsOf(inner)),
      ...(word === 'string' && choicesOf({ ...inner, enum: facts['enum'] ?? value.facts['enum'] })),
      ...(!isList && defaultOf(facts)),
      ...this.#refers(structure, name, inner),
      ...this.#secret(structure, name, word, inner),
    };
    const type = isList ? `[${word}]` : word;
    return Object.keys(known).length === 0 ? type : { type, ...known };
  }

  #type(flat: Flat, otherwise: string): string {
    if (flat.properties.size > 0) return this.#add(flat, otherwise);
    if (flat.type === 'object') return 'mapping';
    return flat.type !== undefined && SCALARS.includes(flat.type) ? flat.type : 'any';
  }

  /** `It is a reference to an object of type HealthMonitor.` */
  #refers(structure: string, name: string, facts: Json): Pick<FieldEntry, 'refers'> {
    const [, word] = /reference to an object of type (\w+)/.exec(describedIn(facts)) ?? [];
    const kind = word?.toLowerCase() ?? this.input.builtIn(structure)?.fields.get(name)?.refers;
    return kind === undefined ? {} : { refers: kind };
  }

  /** The user decides, otherwise the built-in table, otherwise the name. */
  #secret(structure: string, name: string, word: string, { format }: Json): Pick<FieldEntry, 'secret'> {
    const earlier = this.input.earlier?.structures[structure]?.fields[name];
    const decided = typeof earlier === 'object' && typeof earlier.secret === 'boolean' ? earlier.secret : undefined;
    const secret = decided ?? this.input.builtIn(structure)?.fields.get(name)?.secret;
    if (secret !== undefined) return { secret };
    return word === 'string' && (format === 'password' || this.input.isSecret(name)) ? { secret: 'review' } : {};
  }
}

const NUMBERS: readonly string[] = ['integer', 'number'];
const SCALARS: readonly string[] = ['string', 'boolean', ...NUMBERS];
const TYPES: readonly string[] = [...SCALARS, 'mapping', 'any'];

/** `Allowed values are 1-7200. Special values are 0 - Immediate, -1 - Infinite.` */
function limitsOf(facts: Json): Pick<FieldEntry, 'range' | 'special'> {
  const { minimum, maximum } = facts;
  if (typeof minimum === 'number' && typeof maximum === 'number') return { range: [minimum, maximum] };
  const text = describedIn(facts);
  const [, least, most] = /Allowed values are (-?\d+)-(-?\d+)\./.exec(text) ?? [];
  if (least === undefined || most === undefined) return {};
  const [, words = ''] = /Special values are ([^.]*)\./.exec(text) ?? [];
  const special = [...words.matchAll(/(?:^|, ?)(-?\d+)(?: -|$|,)/g)].map(([, one]) => Number(one));
  return { range: [Number(least), Number(most)], ...(special.length > 0 && { special }) };
}

/** `enum`, or `Enum options - A, B.` A list that YAML has not read as texts (`on`, `off`) is none. */
function choicesOf(facts: Json): Pick<FieldEntry, 'choices'> {
  const { enum: listed } = facts;
  if (Array.isArray(listed)) {
    const choices = textsIn(listed.filter((one) => one !== null));
    return choices.length > 0 && choices.length === listed.filter((one) => one !== null).length ? { choices } : {};
  }
  const [, words] = /Enum options - ([A-Z0-9_, ]+)\./.exec(describedIn(facts)) ?? [];
  return words === undefined ? {} : { choices: words.split(',').map((one) => one.trim()) };
}

function defaultOf({ default: standard }: Json): Pick<FieldEntry, 'default'> {
  const isScalar = typeof standard === 'string' || typeof standard === 'number' || typeof standard === 'boolean';
  return isScalar ? { default: standard } : {};
}

function describedIn({ description }: Json): string {
  return typeof description === 'string' ? description : '';
}

function sorted<Entry>(entries: Readonly<Record<string, Entry>>): Readonly<Record<string, Entry>> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
