import { readFileSync } from 'node:fs';
import { collectionNamed } from '../core/model/run/reference.js';
import type {
  Field,
  FieldEntry,
  FieldType,
  Kind,
  KindEntry,
  KindScope,
  KindSource,
  Structure,
  StructureEntry,
} from './kind_data.js';

export type { Field, Kind, Structure } from './kind_data.js';

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
    private readonly data: KindSource,
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
    const refers = (structures: readonly Structure[]): string | undefined =>
      structures.map(({ fields }) => fields.get(field)?.refers).find((one) => one !== undefined);
    const others = (): readonly Structure[] =>
      Object.entries(this.data.structures).flatMap(([name, entry]) =>
        typeof entry === 'string' && !entry.includes(`"${field}":`) ? [] : (this.structure(name) ?? []),
      );
    return (
      (kind === undefined ? undefined : refers(within(kind.structure))) ??
      refers(others()) ??
      this.below?.refersTo(field, kind)
    );
  }

  structure(name: string): Structure | undefined {
    const known = this.#structures.get(name);
    if (known !== undefined) return known;
    const found = own(this.data.structures, name);
    if (found === undefined) return this.below?.structure(name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only our own file is parsed here
    const entry = typeof found === 'string' ? (JSON.parse(found) as StructureEntry) : found;
    const { key = [], required = [], fields } = entry;
    const structure = { name, key, required, fields: this.#fields(fields) };
    this.#structures.set(name, structure);
    return structure;
  }

  #kind(name: string, entry: KindEntry): Kind | undefined {
    const { structure: structureName, about, single = false, upload = false, reported } = entry;
    const structure = this.structure(structureName);
    if (structure === undefined) return undefined;
    return {
      name,
      about,
      path: `/api/${name}${single ? '' : '/'}`,
      single,
      upload,
      reported,
      scope: structureScope(structure),
      structure,
    };
  }

  #fields(entries: StructureEntry['fields']): ReadonlyMap<string, Field> {
    const openChoices = this.data.openChoices === true;
    return new Map(
      Object.entries(entries).map(([name, given]) => {
        const entry: FieldEntry = typeof given === 'string' ? { type: given } : given;
        const { type, secret, ...facts } = entry;
        const [word = '', since] = type.split(' ');
        const field = this.#field(name, word, {
          ...facts,
          ...(since !== undefined && { since }),
          ...(openChoices && facts.choices !== undefined && { openChoices }),
          ...(secret !== undefined && { secret: secret !== false }),
        });
        return [name, field];
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

let table: KindTable | undefined;

/**
 * The kinds of the public product family, from its public schema (release 30.2.1). Read on first use, because most commands need none; a
 * structure, a line of the file, is parsed when it is asked for. The file is beside this one; in a build, beside its chunk.
 */
export function builtInKinds(): KindTable {
  table ??= readBuiltIn();
  return table;
}

function readBuiltIn(): KindTable {
  const text = readFileSync(new URL('./kinds.jsonl', import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const structures = lines.map((line) => [line.slice(NAME.length, line.indexOf('"', NAME.length)), line] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file is ours: scripts/kinds.mjs wrote it
  return new KindTable({ ...(JSON.parse(head) as KindSource), structures: Object.fromEntries(structures) });
}

/** What every line begins with. */
const NAME = '{"name":"';
