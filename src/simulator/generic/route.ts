import { SYSTEM_CONFIGURATION, type ControllerState } from '../state/controller_state.js';

/** What a path means to a controller. */
export type Route =
  | { readonly type: 'collection'; readonly path: string }
  | { readonly type: 'object'; readonly collection: string; readonly uuid: string }
  | { readonly type: 'singleton'; readonly path: string }
  | { readonly type: 'unknown' };

const COLLECTION = /^\/api\/(?:[^/]+\/)+$/;
const OBJECT = /^(\/api\/(?:[^/]+\/)+)([^/]+)$/;
const SINGLETON = /^\/api\/(?:[^/]+\/)*[^/]+$/;
const UUID = /(^|-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The slash decides: `/api/NAME/` is a collection, `/api/NAME/UUID` an object of it, any other path without a final slash a singleton. The
 * two paths of the API document behave exactly as documented.
 */
export function route(path: string, state: ControllerState): Route {
  if (path === '/api/cloud' || path === `${SYSTEM_CONFIGURATION}/`) return { type: 'unknown' };
  if (COLLECTION.test(path)) return { type: 'collection', path };
  const [, collection, last] = OBJECT.exec(path) ?? [];
  if (collection !== undefined && last !== undefined && (UUID.test(last) || state.hasCollection(collection))) {
    return { type: 'object', collection, uuid: decode(last) };
  }
  return SINGLETON.test(path) ? { type: 'singleton', path } : { type: 'unknown' };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
