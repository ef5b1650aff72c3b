/** Where names of objects of a kind are unique: on the controller, per tenant, or per tenant and cloud. */
export type KindScope = 'controller' | 'tenant' | 'cloud';

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
  /** Whether objects come from the controller itself and say what it does, so that a project does not declare them. */
  readonly reported?: boolean | undefined;
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

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'mapping' | 'any';

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
  /** The choices are those of one release, so controllers may take others, however similar. */
  readonly openChoices?: boolean;
  /** Name of the kind that a reference points to, which need not be in the table. */
  readonly refers?: string;
  /** `false`: not a secret, even if its name looks like one. Undefined: the name decides. */
  readonly secret?: boolean;
  readonly description?: string;
  /** The version of the API that brought the field, and the one that no longer has it. */
  readonly since?: string;
  readonly until?: string;
  /** Only controllers set it. */
  readonly readOnly?: boolean;
  /** `seconds`. */
  readonly unit?: string;
  /** How many elements a list has. */
  readonly least?: number;
  readonly most?: number;
}

/**
 * The content of a file of kinds. A kind is the name of its structure, or a mapping; a field is its type, or a mapping.
 */
export interface KindData {
  readonly format: 'evenkeel-kinds-1';
  readonly kinds: Readonly<Record<string, string | KindEntry>>;
  readonly structures: Readonly<Record<string, StructureEntry>>;
}

/** The same in memory, where structures may be JSON that is still to be parsed. */
export interface KindSource extends Pick<KindData, 'kinds'> {
  readonly openChoices?: boolean;
  readonly structures: Readonly<Record<string, StructureEntry | string>>;
}

export interface KindEntry extends Partial<Pick<Kind, 'about' | 'single' | 'upload' | 'reported'>> {
  readonly structure: string;
}

export interface StructureEntry {
  readonly key?: readonly string[];
  readonly required?: readonly string[];
  readonly fields: Readonly<Record<string, string | FieldEntry>>;
}

/**
 * `type`: one of `SCALARS`, `mapping`, `any` or a structure; in brackets for a list: `[Server]`. The version that brought the field may
 * follow: `string 20.1.1`.
 */
export interface FieldEntry extends Omit<Field, 'name' | 'type' | 'list' | 'structure' | 'secret' | 'openChoices'> {
  readonly type: string;
  /** `review`: a secret by its name, until the user decides. */
  readonly secret?: boolean | 'review';
}
