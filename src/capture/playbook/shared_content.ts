import { hash } from 'node:crypto';
import { groupBy } from '../../core/model/values/groups.js';
import { isNumeric } from '../../core/model/values/json.js';
import { HIDDEN, jsonText, entry, isEqual, isList, isMapping, leavesIn } from '../../core/model/values/value.js';
import type { Value } from '../../core/model/values/value.js';
import type { KindTable, Structure } from '../../kinds/kind_table.js';
import { fleetObjectKey, objectTitle, type FleetObject } from './fleet_object.js';
import type { Levels } from './levels.js';
import { TemplateText, toContent, type Content } from './yaml_file.js';

/** A secret to fill in: controllers do not show it, or it must not be in a file. */
export interface CapturedSecret {
  readonly variable: string;
  /** `cloud "edge"` */
  readonly object: string;
  readonly path: string;
  /** How many controllers have it. */
  readonly controllers: number;
}

/** The object whose fields are written. */
export interface ContentSubject {
  readonly object: FleetObject;
  /** False: controllers without the object may see its variables. */
  readonly isEverywhere: boolean;
}

/** A value in the object: of a field, or an element of a list. */
interface ContentPart extends ContentSubject {
  readonly path: readonly string[];
  readonly structure: Structure | undefined;
}

function elementPart(list: ContentPart, word: string): ContentPart {
  return { ...list, path: [...list.path, word] };
}

function fieldPart(mapping: ContentPart, name: string): ContentPart {
  return { ...elementPart(mapping, name), structure: mapping.structure?.fields.get(name)?.structure };
}

/** Writes what controllers have in common once, sets variables for the rest, and collects the secrets that are missing. */
export class SharedContent {
  readonly #secrets = new Map<string, CapturedSecret>();

  constructor(
    private readonly levels: Pick<Levels, 'place'>,
    private readonly table: KindTable,
    private readonly names: CapturedNames,
  ) {}

  get secrets(): readonly CapturedSecret[] {
    return [...this.#secrets.values()];
  }

  /** The common content, with variables for what differs. */
  merged(subject: ContentSubject, values: ReadonlyMap<string, Value | undefined>): Content {
    return this.#merged({ ...subject, path: [], structure: this.table.kind(subject.object.kind)?.structure }, values);
  }

  #merged(part: ContentPart, values: ReadonlyMap<string, Value | undefined>): Content {
    const { object, isEverywhere, path } = part;
    const present = new Map([...values].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const contents = this.#contents(part, present);
    const [first = null] = contents.values();
    const hasAll = present.size === values.size;
    if (hasAll && [...contents.values()].every((content) => content === first)) return first;
    const variable = this.names.unique('captured', object.kind, this.names.object(object), ...path);
    const placed = new Map([...values.keys()].map((name) => [name, contents.get(name)]));
    this.levels.place(variable, placed, new TemplateText('omit'));
    return new TemplateText(hasAll && isEverywhere ? variable : `${variable} | default(omit)`);
  }

  /** What each controller declares. Mappings, and lists of the same elements, have one content with variables in it. */
  #contents(part: ContentPart, values: ReadonlyMap<string, Value>): ReadonlyMap<string, Content> {
    const [first = null] = values.values();
    if ([...values.values()].every((value) => isEqual(value, first))) {
      const content = this.#content(part, first, values.size);
      return new Map([...values.keys()].map((name) => [name, content]));
    }
    const found = new Map<string, Content>();
    for (const [shape, alike] of groupBy([...values], ([, value]) => mergingKey(value, part.structure))) {
      const content = shape === undefined ? undefined : this.#mergedParts(part, new Map(alike));
      for (const [name, value] of alike) found.set(name, content ?? this.#content(part, value));
    }
    return found;
  }

  #mergedParts(part: ContentPart, values: ReadonlyMap<string, Value>): Content {
    const [first] = values.values();
    if (isList(first))
      return elementWords(first, part.structure).map((word, at) =>
        this.#merged(elementPart(part, word), partsAt(String(at), values)),
      );
    const names = new Set([...values.values()].flatMap((value) => (isMapping(value) ? Object.keys(value) : [])));
    return Object.fromEntries(
      [...names].sort(nameFirst).map((name) => [name, this.#merged(fieldPart(part, name), partsAt(name, values))]),
    );
  }

  /** A value with variables in place of its secrets. Without these variables, the fields are not declared. */
  #content(part: ContentPart, value: Value, controllers = 1): Content {
    if (value === HIDDEN || (isList(value) && value.includes(HIDDEN)))
      return new TemplateText(`${this.#secret(part, controllers)} | default(omit)`);
    if (isList(value))
      return elementWords(value, part.structure).map((word, at) =>
        this.#content(elementPart(part, word), value[at] ?? null, controllers),
      );
    if (!isMapping(value)) return toContent(value);
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => nameFirst(a, b))
        .map(([name, item]) => [name, this.#content(fieldPart(part, name), item, controllers)]),
    );
  }

  #secret({ object, path }: ContentPart, controllers: number): string {
    const key = jsonText([fleetObjectKey(object), path]);
    const known = this.#secrets.get(key);
    // Its name makes the variable's value a secret, so it is masked.
    const variable =
      known?.variable ?? this.names.unique('captured', object.kind, this.names.object(object), ...path, 'secret');
    const holders = (known?.controllers ?? 0) + controllers;
    this.#secrets.set(key, { variable, object: objectTitle(object), path: path.join('.'), controllers: holders });
    return variable;
  }
}

/** The name comes first. */
function nameFirst(a: string, b: string): number {
  if (a === 'name' || b === 'name') return a === b ? 0 : a === 'name' ? -1 : 1;
  return a < b ? -1 : 1;
}

function partsAt(name: string, values: ReadonlyMap<string, Value>): ReadonlyMap<string, Value | undefined> {
  const part = (value: Value): Value | undefined =>
    isList(value) ? value[Number(name)] : isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return new Map([...values].map(([controller, value]) => [controller, part(value)]));
}

/** Equal for values that are merged into one; undefined: not merged. */
function mergingKey(value: Value, structure: Structure | undefined): string | undefined {
  if (isMapping(value)) return 'mapping';
  if (!isList(value) || value.length === 0) return undefined;
  const identities = value.map((item) => elementIdentity(item, structure));
  return identities.includes(undefined) ? undefined : jsonText(identities);
}

/** Fields that identify an element of a list if its structure requires none. */
const IDENTIFYING = /^(?:name|index|(?:.*_)?id|fqdn|hostname)$/;

/** What tells an element of a list from the others: its required fields. */
export function elementIdentity(item: Value, structure: Structure | undefined): Value | undefined {
  if (!isMapping(item)) return undefined;
  const required = structure?.required.filter((name) => typeof item[name] !== 'boolean') ?? [];
  const names = required.length > 0 ? required : Object.keys(item).filter((name) => IDENTIFYING.test(name));
  return names.length === 0 ? undefined : names.map((name) => entry(item, name) ?? null);
}

/** The words for the elements of a list in names of variables: what identifies each, so that another element changes no name. */
function elementWords(list: readonly Value[], structure: Structure | undefined): readonly string[] {
  const words = list.map((item) => {
    const leaves = [...leavesIn(elementIdentity(item, structure) ?? null)].map(([leaf]) => leaf);
    return leaves
      .flatMap((leaf) => (leaf !== HIDDEN && (typeof leaf === 'string' || isNumeric(leaf)) ? [leaf] : []))
      .join('_');
  });
  const isClear = words.every(({ length }) => length > 0 && length < 60) && new Set(words).size === words.length;
  if (!isClear) return words.map((_, at) => String(at));
  const alike = alikeIn(words);
  return words.map((word) => (alike.has(variablePart(word)) ? marked(word, word) : word));
}

/** Names of variables, each given once. */
export class CapturedNames {
  readonly #taken = new Set<string>();
  /** By kind, the parts of variables that several objects would share. */
  readonly #alike: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(objects: readonly FleetObject[] = []) {
    const kinds = groupBy(objects, ({ kind }) => kind);
    this.#alike = new Map([...kinds].map(([kind, of]) => [kind, alikeIn(of.map(({ name = '' }) => name))]));
  }

  /** The same in every capture, whatever the order: the user's value of a secret must not become that of another object. */
  object(object: FleetObject): string {
    const { kind, name = '' } = object;
    const part = variablePart(name);
    const isMarked = name !== '' && (part === '' || this.#alike.get(kind)?.has(part) === true);
    return isMarked ? marked(name, fleetObjectKey(object)) : name;
  }

  /** A name of these words: `captured_cloud_edge_1_mtu`. A long one keeps its end, which can mark a secret. */
  unique(...words: readonly string[]): string {
    const whole = words.map(variablePart).filter(Boolean).join('_');
    const name = whole.length > 120 ? `${marked(whole.slice(0, 71), whole)}_${whole.slice(-39)}` : whole;
    let free = name;
    for (let number = 2; this.#taken.has(free); number++) free = `${name}_${number}`;
    this.#taken.add(free);
    return free;
  }
}

/** The names that several words share once they are parts of variables, and the empty one of words without Latin letters. */
function alikeIn(words: readonly string[]): ReadonlySet<string> {
  const groups = groupBy(words, variablePart);
  return new Set(['', ...[...groups].flatMap(([part, group]) => (group.length > 1 ? [part] : []))]);
}

function marked(word: string, identity: string): string {
  return `${word}_${hash('sha256', identity).slice(0, 8)}`;
}

function variablePart(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}
