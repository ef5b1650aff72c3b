import type { FieldEntry, KindData, StructureEntry } from './kind_data.js';
import type { Structure } from './kind_table.js';
import {
  onlyTexts,
  TooLarge,
  type DocumentPart,
  type Flat,
  type OpenApiValue,
  type Schemas,
} from './openapi_schema.js';

/** What is known about fields besides the documents. */
export interface KnownStructures {
  /** Whether the name of a field says that it is a secret; such fields are marked for review. */
  readonly isSecret: (name: string) => boolean;
  /** The built-in structure with the name, for its information about secrets and references. */
  readonly builtIn: (structure: string) => Structure | undefined;
  /** The table that is replaced: decisions about its secrets stay. */
  readonly earlier?: Pick<KindData, 'structures'> | undefined;
}

const MOST_LEVELS = 100;
const MOST_STRUCTURES = 20_000;
const LONGEST_NAME = 60;

/** Names of structures without one contain those of all around them. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
}

/** The structures that kinds consist of, each converted once. */
export class Structures {
  readonly entries: Record<string, StructureEntry> = {};
  /** The names of structures, by where they are defined. */
  readonly #names = new Map<string, string>();
  readonly #open: string[] = [];
  /** The last number of a name that several structures want. */
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly schemas: Schemas,
    private readonly input: KnownStructures,
  ) {}

  /** The structure of a kind's objects; undefined if it is unknown. */
  kind(body: DocumentPart, name: string): string | undefined {
    const flat = this.schemas.flat(body);
    this.#open.length = 0;
    return flat.properties.size === 0 ? undefined : this.#add(flat, `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  }

  /** Returns the type of a field that has this structure. One that contains itself is a mapping there. */
  #add(flat: Flat, otherwise: string): string {
    const around = this.#names.get(this.#open.at(-1) ?? '') ?? '';
    const identity = flat.identity ?? `${around}/${otherwise}`;
    if (this.#open.includes(identity)) return 'mapping';
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    this.#requireSmall(otherwise);
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

  /** What adds a field to itself, in place, is another structure at each level. */
  #requireSmall(name: string): void {
    const limit =
      this.#open.length >= MOST_LEVELS
        ? `objects in objects, more than ${MOST_LEVELS} levels deep`
        : this.#names.size >= MOST_STRUCTURES
          ? `more than ${MOST_STRUCTURES} kinds of objects`
          : undefined;
    if (limit !== undefined) throw new TooLarge(`it describes ${limit}, at ${shortened(name)}`);
  }

  /** Several files can have different structures with the same name, and no structure can have the name of a type. */
  #free(wanted: string): string {
    const taken = (name: string): boolean => Object.hasOwn(this.entries, name) || TYPES.includes(name);
    let name = wanted;
    let count = this.#counts.get(wanted) ?? 1;
    while (taken(name)) name = `${wanted}_${(count += 1)}`;
    this.#counts.set(wanted, count);
    return name;
  }

  #field(structure: string, name: string, part: DocumentPart): string | FieldEntry {
    const flat = this.schemas.flat(part);
    const isList = flat.type === 'array' || flat.items !== undefined;
    const element = flat.items === undefined ? undefined : this.schemas.flat(flat.items);
    const value = isList ? (element ?? this.schemas.flat({ ...part, value: {} })) : flat;
    const word = this.#type(value, `${structure}_${name}`);
    const { facts } = flat;
    const inner = { ...value.facts, ...facts };
    const known = {
      ...(NUMBERS.includes(word) && readLimits(inner)),
      ...(word === 'string' && readChoices({ ...inner, enum: facts['enum'] ?? value.facts['enum'] })),
      ...(!isList && readDefault(facts)),
      ...(facts['readOnly'] === true && { readOnly: true }),
      ...readVersions(describedIn(facts)),
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
  #refers(structure: string, name: string, facts: OpenApiValue): Pick<FieldEntry, 'refers'> {
    const [, word] = /reference to an object of type (\w+)/.exec(describedIn(facts)) ?? [];
    const kind = word?.toLowerCase() ?? this.input.builtIn(structure)?.fields.get(name)?.refers;
    return kind === undefined ? {} : { refers: kind };
  }

  /** The user decides, otherwise the built-in table, otherwise the name. */
  #secret(structure: string, name: string, word: string, { format }: OpenApiValue): Pick<FieldEntry, 'secret'> {
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
function readLimits(facts: OpenApiValue): Pick<FieldEntry, 'range' | 'special'> {
  const { minimum, maximum } = facts;
  if (typeof minimum === 'number' && typeof maximum === 'number') return { range: [minimum, maximum] };
  const text = describedIn(facts);
  const [, least, most] = /Allowed values are (-?\d+)-(-?\d+)\./.exec(text) ?? [];
  if (least === undefined || most === undefined) return {};
  const [, words = ''] = /Special values are ([^.]*)\./.exec(text) ?? [];
  const special = [...words.matchAll(/(?:^|, ?)(-?\d+)(?: -|$|,)/g)].map(([, one]) => Number(one));
  return { range: [Number(least), Number(most)], ...(special.length > 0 && { special }) };
}

/** `enum`, or `Enum options - A, B.` A list that YAML did not read as texts (`on`, `off`) does not count. */
function readChoices(facts: OpenApiValue): Pick<FieldEntry, 'choices'> {
  const { enum: listed } = facts;
  if (Array.isArray(listed)) {
    const choices = onlyTexts(listed.filter((one) => one !== null));
    return choices.length > 0 && choices.length === listed.filter((one) => one !== null).length ? { choices } : {};
  }
  const [, words] = /Enum options - ([A-Z0-9_, ]+)\./.exec(describedIn(facts)) ?? [];
  return words === undefined ? {} : { choices: words.split(',').map((one) => one.trim()) };
}

function readDefault({ default: standard }: OpenApiValue): Pick<FieldEntry, 'default'> {
  const isScalar = typeof standard === 'string' || typeof standard === 'number' || typeof standard === 'boolean';
  return isScalar ? { default: standard } : {};
}

/** `Field introduced in 20.1.1.`, `Field deprecated in 30.2.1.` */
function readVersions(text: string): Pick<FieldEntry, 'since' | 'until'> {
  const [, since] = /Field introduced in (\d+\.\d+(?:\.\d+)?)/.exec(text) ?? [];
  const [, until] = /Field deprecated in (\d+\.\d+(?:\.\d+)?)/.exec(text) ?? [];
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

function describedIn({ description }: OpenApiValue): string {
  return typeof description === 'string' ? description : '';
}
