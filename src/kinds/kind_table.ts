import { collectionNamed } from '../core/model/run/reference.js';

/** Where names of objects of a kind are unique: on the controller, per tenant, or per tenant and cloud. */
type KindScope = 'controller' | 'tenant' | 'cloud';

/** A kind of object on a controller: `pool`. */
export interface Kind {
  /** As in paths, such as `pool`. */
  readonly name: string;
  /** What it is, in a few words: `servers that share the load`. */
  readonly about: string | undefined;
  /** `/api/pool/` for a collection, `/api/cluster` for a single object. */
  readonly path: string;
  /** Whether a controller has exactly one object of this kind, which is read and replaced at `path`. */
  readonly single: boolean;
  /** Whether objects are created by uploading a file, so that they can be read and deleted but not declared. */
  readonly upload: boolean;
  readonly scope: KindScope;
  readonly structure: Structure;
}

/** A mapping with known fields: `Pool`, `IpAddr`. */
export interface Structure {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly required: readonly string[];
  /** Paths below an element of a list (`ip.addr`, `port`) that identify it; empty if none are known. */
  readonly key: readonly string[];
}

type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'mapping' | 'any';

/** A field of a structure. For a list, the properties describe its elements. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly list: boolean;
  /** The structure of a `mapping`; undefined if its fields are unknown. */
  readonly structure: Structure | undefined;
  /** Inclusive. */
  readonly range?: readonly [number, number];
  /** Allowed values outside the range: `[0, -1]`. */
  readonly special?: readonly number[];
  /** The value that the controller sets if the field is missing. */
  readonly default?: string | number | boolean;
  /** All known values, which may be those of one release only. */
  readonly choices?: readonly string[];
  /** The choices come from no schema, so controllers may take others, however similar. */
  readonly openChoices?: boolean;
  /** Name of the kind that a reference points to, which need not be in the table. */
  readonly refers?: string;
  /** `false`: not a secret, even if its name looks like one. Undefined: the name decides. */
  readonly secret?: boolean;
  readonly description?: string;
}

/**
 * The content of a file of kinds. A kind is the name of its structure, or a mapping; a field is its type, or a mapping.
 */
export interface KindData {
  readonly format: 'evenkeel-kinds-1';
  readonly kinds: Readonly<Record<string, string | KindEntry>>;
  readonly openChoices?: OpenChoices;
  readonly structures: Readonly<Record<string, StructureEntry>>;
}

/** Values of fields that no schema lists. */
interface OpenChoices {
  readonly source: string;
  /** By structure and field: `Pool.lb_algorithm`. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export interface KindEntry {
  readonly structure: string;
  readonly about?: string;
  readonly single?: boolean;
  readonly upload?: boolean;
}

export interface StructureEntry {
  readonly key?: readonly string[];
  readonly required?: readonly string[];
  readonly fields: Readonly<Record<string, string | FieldEntry>>;
}

/** `type`: one of `SCALARS`, `mapping`, `any` or a structure; in brackets for a list: `[Server]`. */
export interface FieldEntry extends Omit<Field, 'name' | 'type' | 'list' | 'structure' | 'secret' | 'openChoices'> {
  readonly type: string;
  /** `review`: a secret by its name, until the user decides. */
  readonly secret?: boolean | 'review';
}

const TYPE_WORDS: readonly string[] = [
  'string',
  'integer',
  'number',
  'boolean',
  'mapping',
  'any',
] satisfies FieldType[];

/** A table that is read on first use. */
export type Kinds = () => KindTable;

/** The same, with the code that reads it. */
export type LoadKinds = () => Promise<KindTable>;

/** Kinds and structures by name, each built on first use. */
export class KindTable {
  readonly #kinds = new Map<string, Kind>();
  readonly #structures = new Map<string, Structure>();

  /** @param below where kinds are looked up that `data` does not have */
  constructor(
    private readonly data: Pick<KindData, 'kinds' | 'openChoices' | 'structures'>,
    private readonly below?: KindTable,
  ) {}

  /** Sorted. */
  get names(): readonly string[] {
    return [...new Set([...Object.keys(this.data.kinds), ...(this.below?.names ?? [])])].sort();
  }

  kind(name: string): Kind | undefined {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const found = own(this.data.kinds, name);
    if (found === undefined) return this.below?.kind(name);
    const kind = this.#kind(name, typeof found === 'string' ? { structure: found } : found);
    if (kind !== undefined) this.#kinds.set(name, kind);
    return kind;
  }

  /** The kind of the objects below a path: `/api/pool/`, `/api/pool/UUID`, `/api/cluster`. */
  kindAt(path: string): Kind | undefined {
    const [, name = ''] = /^\/api\/([^/?]+)/i.exec(path) ?? [];
    return this.kind(name.toLowerCase());
  }

  /** The kind of the object or collection at a path; undefined below an object (`/api/pool/UUID/runtime`). */
  kindAtPath(path: string): Kind | undefined {
    return /^\/api\/[^/?]+(?:\/[^/?]*)?\/?$/i.test(path) ? this.kindAt(path) : undefined;
  }

  /**
   * The collection that a bare name in a reference field refers to: from the table, otherwise from the field's name
   * (`health_monitor_refs` means `/api/healthmonitor/`).
   *
   * @param object path of the object that has the field, or of its collection
   */
  referredCollection(field: string, object: string): string {
    const kind = this.refersTo(field, this.kindAt(object));
    return kind === undefined ? collectionNamed(field) : `/api/${kind}/`;
  }

  /**
   * The kind that references in fields with this name point to: in objects of that kind, otherwise in any object.
   * Undefined if no structure has such a field.
   */
  refersTo(field: string, kind: Kind | undefined): string | undefined {
    const structures = kind === undefined ? [] : within(kind.structure);
    const all = Object.keys(this.data.structures).flatMap((name) => this.structure(name) ?? []);
    const found = [...structures, ...all].find(({ fields }) => fields.get(field)?.refers !== undefined);
    return found?.fields.get(field)?.refers ?? this.below?.refersTo(field, kind);
  }

  structure(name: string): Structure | undefined {
    const known = this.#structures.get(name);
    if (known !== undefined) return known;
    const found = own(this.data.structures, name);
    if (found === undefined) return this.below?.structure(name);
    const { key = [], required = [], fields } = found;
    const structure = { name, key, required, fields: this.#fields(name, fields) };
    this.#structures.set(name, structure);
    return structure;
  }

  #kind(name: string, entry: KindEntry): Kind | undefined {
    const { structure: structureName, about, single = false, upload = false } = entry;
    const structure = this.structure(structureName);
    if (structure === undefined) return undefined;
    return {
      name,
      about,
      path: `/api/${name}${single ? '' : '/'}`,
      single,
      upload,
      scope: structureScope(structure),
      structure,
    };
  }

  #fields(structure: string, entries: StructureEntry['fields']): ReadonlyMap<string, Field> {
    return new Map(
      Object.entries(entries).map(([name, given]) => {
        const {
          type: word,
          secret,
          ...listed
        } = typeof given === 'string' ? { type: given, secret: undefined } : given;
        const choices = this.data.openChoices?.fields[`${structure}.${name}`];
        const facts = choices === undefined ? listed : { ...listed, choices, openChoices: true };
        return [name, this.#field(name, word, { ...facts, ...(secret !== undefined && { secret: secret !== false }) })];
      }),
    );
  }

  #field(name: string, word: string, facts: Omit<Field, 'name' | 'type' | 'list' | 'structure'>): Field {
    const list = word.startsWith('[');
    const type = list ? word.slice(1, -1) : word;
    if (isFieldType(type)) return { name, type, list, structure: undefined, ...facts };
    const structure = (): Structure | undefined => this.structure(type);
    return {
      name,
      type: 'mapping',
      list,
      get structure() {
        return structure();
      },
      ...facts,
    };
  }
}

/** The structures that a structure consists of, itself first, nearest first. */
function within(structure: Structure): readonly Structure[] {
  const found = new Set([structure]);
  for (const one of found)
    for (const { structure: inner } of one.fields.values()) if (inner !== undefined) found.add(inner);
  return [...found];
}

function isFieldType(word: string): word is FieldType {
  return TYPE_WORDS.includes(word);
}

function structureScope({ fields }: Structure): KindScope {
  if (fields.has('cloud_ref')) return 'cloud';
  return fields.has('tenant_ref') ? 'tenant' : 'controller';
}

/** The entry of that name; names such as `constructor` find nothing. */
function own<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
