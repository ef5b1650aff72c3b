import type { Mapping } from '../values/value.js';

/** What a task would do, or did, to one thing on a controller. */
export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'create'; readonly object: string; readonly before: null; readonly after: Mapping }
  /** `before` is null when the controller cannot be read: the change could not be compared. */
  | { readonly kind: 'update'; readonly object: string; readonly before: Mapping | null; readonly after: Mapping }
  /** The whole object goes. */
  | { readonly kind: 'delete'; readonly object: string; readonly before: Mapping; readonly after: null }
  /** Something without a state to compare, such as a raw request. */
  | { readonly kind: 'invoke'; readonly object: string; readonly before: null; readonly after: null };
