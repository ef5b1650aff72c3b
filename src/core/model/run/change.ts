import type { Mapping } from '../values/value.js';

/** Fields that the controller sets: never sent on create, never compared (API document, section 2.1). */
export const SERVER_FIELDS: readonly string[] = ['uuid', 'url', '_last_modified'];

/** A planned or completed change of a task to one object on a controller. */
export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly object: string; readonly before: null; readonly after: Mapping }
  /** `before` is null when the controller cannot show the object, so the change could not be compared. */
  | { readonly kind: 'update'; readonly object: string; readonly before: Mapping | null; readonly after: Mapping }
  /** Deletes the whole object. */
  | { readonly kind: 'delete'; readonly object: string; readonly before: Mapping; readonly after: null }
  /** Something without a state to compare, such as a raw request. */
  | { readonly kind: 'invoke'; readonly object: string; readonly before: null; readonly after: null };
