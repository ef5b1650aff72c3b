/** From the coordinator to one of its processes. */
export type ToProcess =
  | { readonly type: 'run'; readonly description: string }
  | { readonly type: 'walk'; readonly walk: string; readonly text: string }
  | { readonly type: 'text'; readonly walk: string; readonly text: string }
  | { readonly type: 'broadcast'; readonly text: string }
  | { readonly type: 'end' };

/** From a process to its coordinator. */
export type FromProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'text'; readonly walk: string; readonly text: string }
  /** The walk could not be carried out. */
  | { readonly type: 'broken'; readonly walk: string; readonly problem: string }
  | { readonly type: 'ended'; readonly walk: string };
