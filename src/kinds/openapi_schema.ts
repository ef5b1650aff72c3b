import { getOrAdd } from '../core/model/values/groups.js';
import { decodedUri } from '../core/model/values/uri.js';

/** A parsed JSON object. */
export type OpenApiValue = Readonly<Record<string, unknown>>;

/** A part of an OpenAPI document. References in it are relative to its file. */
export interface DocumentPart {
  readonly file: string;
  readonly value: OpenApiValue;
}

/** Documents by absolute path, which may refer to each other. */
export type Documents = ReadonlyMap<string, unknown>;

/** A schema with everything that it refers to or combines (`$ref`, `allOf`, a single alternative). */
export interface Flat {
  /** Where the object is defined; undefined if it is written where it is used. */
  readonly name: string | undefined;
  /** Equal for equal definitions of one name, because the files of a controller repeat shared definitions. */
  readonly identity: string | undefined;
  /** Undefined: any type. */
  readonly type: string | undefined;
  /** `description`, `enum`, `default`, `minimum`, …; the outer ones count. */
  readonly facts: OpenApiValue;
  readonly properties: ReadonlyMap<string, DocumentPart>;
  readonly required: readonly string[];
  readonly items: DocumentPart | undefined;
}

/** Definitions that refer to each other, from one to the next. */
const MOST_REFERENCES = 100;
/** What is combined in all: a controller has some hundred thousand fields. */
const MOST_COMBINED = 5_000_000;

/** The documents are small, but what they mean is not. The message says where. */
export class TooLarge extends Error {}

/** Combines schemas, and collects references that lead nowhere. */
export class Schemas {
  readonly missing = new Set<string>();
  /** By place. Without those from which a reference leads back to what refers to them: they depend on it. */
  readonly #known = new Map<string, Flat>();
  /** References that led back, so far. */
  #cycles = 0;
  #combined = 0;
  readonly #identities = new WeakMap<OpenApiValue, string>();

  constructor(private readonly documents: Documents) {}

  /** The referring part itself if it has no `$ref`; undefined if there is nothing at its end. */
  resolved(part: DocumentPart, seen: readonly string[] = []): DocumentPart | undefined {
    const reference = part.value['$ref'];
    if (typeof reference !== 'string') return part;
    const place = resolvePlace(part.file, reference);
    requireNear(place, seen);
    const found = seen.includes(place.identity) ? undefined : this.#at(place);
    if (found === undefined) {
      this.missing.add(reference);
      return undefined;
    }
    return this.resolved(found, [...seen, place.identity]);
  }

  flat(part: DocumentPart, seen: readonly string[] = []): Flat {
    const reference = part.value['$ref'];
    if (typeof reference === 'string') return this.#referred(part, reference, seen);
    const { value, file } = part;
    const { properties, items, required, allOf } = value;
    const whole = (Array.isArray(allOf) ? allOf : [])
      .filter(isJson)
      .map((one) => this.flat({ file, value: one }, seen));
    const only = onlyAlternative(value);
    if (only !== undefined) whole.push(this.flat({ file, value: only }, seen));
    const own = isJson(properties) ? propertyEntries(properties, file) : [];
    this.#count([value, ...whole.map(({ facts }) => facts)], [own, ...whole.map((one) => [...one.properties])]);
    const described = whole.filter((one) => one.properties.size > 0);
    // What adds no field to the object that it refers to is that object.
    const [base] = own.length === 0 && described.length === 1 ? described : [];
    return {
      name: base?.name,
      identity: base?.identity,
      type: schemaType(value) ?? whole.find(({ type }) => type !== undefined)?.type,
      facts: Object.fromEntries([...whole.map(({ facts }) => facts), value].flatMap((one) => Object.entries(one))),
      properties: new Map([...whole.flatMap((one) => [...one.properties]), ...own]),
      required: [...new Set([...whole.flatMap((one) => one.required), ...onlyTexts(required)])],
      items: isJson(items) ? { file, value: items } : whole.find((one) => one.items !== undefined)?.items,
    };
  }

  #referred(part: DocumentPart, reference: string, seen: readonly string[]): Flat {
    const place = resolvePlace(part.file, reference);
    if (seen.includes(place.identity)) this.#cycles += 1;
    const definition = seen.includes(place.identity) ? undefined : this.#definition(place, seen);
    if (definition === undefined) {
      if (!seen.includes(place.identity)) this.missing.add(reference);
      return { ...NOTHING, facts: part.value };
    }
    return { ...definition, facts: { ...definition.facts, ...part.value } };
  }

  #definition(place: ReferencedPart, seen: readonly string[]): Flat | undefined {
    const known = this.#known.get(place.identity);
    if (known !== undefined) return known;
    const found = this.#at(place);
    if (found === undefined) return undefined;
    requireNear(place, seen);
    const cycles = this.#cycles;
    const { name, identity, ...rest } = this.flat(found, [...seen, place.identity]);
    const isObject = rest.properties.size > 0;
    const definition = {
      ...rest,
      name: isObject ? (name ?? place.name) : undefined,
      identity: isObject ? (identity ?? this.#identity(place.name, found.value)) : undefined,
    };
    if (this.#cycles === cycles) this.#known.set(place.identity, definition);
    return definition;
  }

  #count(facts: readonly OpenApiValue[], properties: readonly (readonly unknown[])[]): void {
    for (const one of facts) this.#combined += Object.keys(one).length;
    for (const one of properties) this.#combined += one.length;
    if (this.#combined > MOST_COMBINED)
      throw new TooLarge(`its schemas combine more than ${MOST_COMBINED} fields, because they refer to each other`);
  }

  #identity(name: string, definition: OpenApiValue): string {
    return getOrAdd(this.#identities, definition, () => `${name} ${JSON.stringify(definition)}`);
  }

  #at({ file, pointer }: ReferencedPart): DocumentPart | undefined {
    let found = this.documents.get(file);
    for (const step of pointer) found = isJson(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    return isJson(found) ? { file, value: found } : undefined;
  }
}

function requireNear({ identity }: ReferencedPart, seen: readonly string[]): void {
  if (seen.length < MOST_REFERENCES) return;
  const shown = identity.replace(/^[^#]*\//, '');
  throw new TooLarge(`more than ${MOST_REFERENCES} definitions refer to each other, up to ${shown}`);
}

const NOTHING: Flat = {
  name: undefined,
  identity: undefined,
  type: undefined,
  facts: {},
  properties: new Map(),
  required: [],
  items: undefined,
};

interface ReferencedPart {
  readonly file: string;
  readonly pointer: readonly string[];
  readonly name: string;
  readonly identity: string;
}

/** `#/definitions/Pool`, `common.json#/definitions/IpAddr`, or a file that is one schema. */
function resolvePlace(from: string, reference: string): ReferencedPart {
  const [name = '', fragment = ''] = reference.split('#');
  const file = fileReferredTo(from, name) ?? from;
  const pointer = fragment
    .split('/')
    .slice(1)
    .map((step) => decodedUri(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const base = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  return { file, pointer, name: pointer.at(-1) ?? base, identity: `${file}#/${pointer.join('/')}` };
}

/** Absolute; undefined for the document itself. URLs are no files, and not read. */
function fileReferredTo(from: string, name: string): string | undefined {
  if (name === '') return undefined;
  if (/^[a-z][a-z0-9+.-]+:/i.test(name)) return name;
  const parts = decodedUri(name).startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of decodedUri(name).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** The other files that a document refers to, absolute. */
export function filesReferredTo(file: string, document: unknown): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<object>();
  const open: unknown[] = [document];
  while (open.length > 0) {
    const next = open.pop();
    // Aliases of YAML share a value.
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const [name, value] of Object.entries(next)) {
      if (name !== '$ref' || typeof value !== 'string') open.push(value);
      else {
        const other = fileReferredTo(file, value.split('#')[0] ?? '');
        if (other?.startsWith('/') === true && other !== file) found.add(other);
      }
    }
  }
  return [...found];
}

function onlyAlternative(schema: OpenApiValue): OpenApiValue | undefined {
  const given = schema['oneOf'] ?? schema['anyOf'];
  const alternatives = (Array.isArray(given) ? given : []).filter(isJson).filter((one) => one['type'] !== 'null');
  return alternatives.length === 1 ? alternatives[0] : undefined;
}

/** OpenAPI 3.1 writes `[string, 'null']` for what may be null. */
function schemaType({ type, properties }: OpenApiValue): string | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const [only, ...others] = types.filter((one) => one !== 'null');
  if (others.length === 0 && typeof only === 'string') return only;
  return isJson(properties) ? 'object' : undefined;
}

function propertyEntries(properties: OpenApiValue, file: string): readonly (readonly [string, DocumentPart])[] {
  return Object.entries(properties).map(([name, value]) => [name, { file, value: isJson(value) ? value : {} }]);
}

export function onlyTexts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((one) => typeof one === 'string');
}

export function jsonAt(value: unknown, ...path: readonly string[]): OpenApiValue | undefined {
  let found = value;
  for (const name of path) found = isJson(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return isJson(found) ? found : undefined;
}

export function isJson(value: unknown): value is OpenApiValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
