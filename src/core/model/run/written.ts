import { encodedPart } from '../values/uri.js';
import { type Value, entry } from '../values/value.js';
import type { WriteIntended } from './journal.js';

/** A secret that a controller does not show, and its declared value. */
export type HiddenField = readonly [path: string, value: Value];

/** Remembers the secrets that the project last wrote to one controller. It can compare values, but not reveal them. */
export interface WrittenSecrets {
  /**
   * The fields whose declared value differs from the last written one, and the fields without a record.
   * @param object its path on the controller
   */
  compare(object: string, fields: readonly HiddenField[]): Promise<ComparedSecrets>;
  /** Records written fields. Never rejects: a value that cannot be recorded is unknown later. */
  keep(object: string, fields: readonly HiddenField[]): Promise<void>;
  /** Records that the user was warned about unknown fields. Returns whether the warning is new. Never rejects. */
  note(object: string, fields: readonly string[]): Promise<boolean>;
}

export interface ComparedSecrets {
  readonly changed: readonly string[];
  readonly unknown: readonly string[];
}

/** Opens the record of a controller, by its address and tenant. */
export type OpenWrittenSecrets = (place: string) => Promise<WrittenSecrets>;

/** The object of a write. */
export type ObjectPlace =
  | { readonly type: 'member'; readonly collection: string; readonly name: string; readonly uuid: string | undefined }
  | { readonly type: 'single'; readonly path: string };

/**
 * Identifies a member of a collection by its uuid or, in a create, by its name: both mean the same object. An object
 * without a name cannot be found again, and counts as single.
 */
export function findObjectPlace({ change, path, name }: WriteIntended): ObjectPlace {
  if (change.kind === 'create') {
    return name === undefined ? { type: 'single', path } : { type: 'member', collection: path, name, uuid: undefined };
  }
  const before = change.kind === 'update' || change.kind === 'delete' ? (change.before ?? {}) : {};
  const [uuid, ownName] = [entry(before, 'uuid'), entry(before, 'name')];
  const end = typeof uuid === 'string' && uuid !== '' ? encodedPart(uuid) : undefined;
  if (end === undefined || typeof uuid !== 'string' || typeof ownName !== 'string' || !path.endsWith(`/${end}`)) {
    return { type: 'single', path };
  }
  return { type: 'member', collection: path.slice(0, -end.length), name: ownName, uuid };
}

/** Equal for all writes to one object. */
export function objectKey(place: ObjectPlace): string {
  return place.type === 'single' ? place.path : `${place.collection} ${place.name}`;
}
