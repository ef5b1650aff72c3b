/** From the coordinator to one of its processes. */
export type ToProcess =
  | { readonly type: 'run'; readonly description: string }
  | { readonly type: 'walk'; readonly walk: string; readonly text: string }
  | { readonly type: 'text'; readonly walk: string; readonly text: string }
  /** What the worker posted durably is kept, or cannot be. */
  | { readonly type: 'kept'; readonly walk: string; readonly count: number; readonly problem?: string | undefined }
  | { readonly type: 'broadcast'; readonly text: string }
  | { readonly type: 'end' };

/** From a process to its coordinator. */
export type FromProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly problem: string }
  | {
      readonly type: 'text';
      readonly walk: string;
      readonly text: string;
      /** Posted durably. */ readonly count?: number | undefined;
    }
  | { readonly type: 'ended'; readonly walk: string };
