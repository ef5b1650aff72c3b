import { encodedPart } from '../values/uri.js';
import { entry } from '../values/value.js';
import type { WriteIntended } from './journal.js';

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
