/**
 * How the coordinator of a run and its workers reach each other: over pipes to local processes, or over NATS. What the texts say is the
 * business of the caller; the transport keeps them in order, and fences attempts.
 */

/** One controller's walk through one play, for the workers of its site. */
export interface Order {
  /** Unique in the run, free of spaces and dots: `2-1-lb7`. */
  readonly walk: string;
  readonly controller: string;
  /** Absent: any worker. */
  readonly site?: string | undefined;
  /** What the worker is to do, made when a worker has taken the walk. */
  readonly text: () => string;
}

/** What the coordinator hears of one attempt. */
export interface OrderListener {
  /**
   * A worker has taken it; called before any message.
   *
   * @param worker its name, for people
   * @param instance identifies the process: several may have one name, at once or one after the other
   */
  taken(worker: string, instance: string): void;
  /** In the order in which the worker sent them, each once. */
  message(text: string): void;
  /** No worker has taken it yet, and why: for a warning. Said for one of the orders that wait for the same reason. */
  waiting(reason: string): void;
}

/** How an attempt ended. `lost`: the worker vanished. Nothing more comes of it, and nothing that it sends durably is accepted. */
export type AttemptEnd =
  | { readonly type: 'ended' }
  | { readonly type: 'lost'; readonly worker: string; readonly reason: string }
  /** No worker took it. */
  | { readonly type: 'untaken'; readonly reason: string }
  /** The worker cannot carry out the run, and the transport has said so. It gets nothing more of it, but another one may. */
  | { readonly type: 'refused'; readonly worker: string; readonly reason: string }
  /** The worker cannot carry it out, and says why. */
  | { readonly type: 'failed'; readonly worker: string; readonly reason: string };

/** One attempt of a worker to carry out an order. */
export interface Attempt {
  /** In order. Lost with the worker. */
  send(text: string): void;
  /** Withdraws it, unless a worker has taken it: `end` is `untaken` then. */
  cancel(): void;
  /** Takes it from its worker, which has said what it must not. Nothing more comes of it. Absent: the worker is this machine's own. */
  refuse?(reason: string): void;
  readonly end: Promise<AttemptEnd>;
}

/** The coordinator's side. */
export interface CoordinatorTransport {
  /** Hands the order to one worker, once: another attempt is another order. */
  offer(order: Order, listener: OrderListener): Attempt;
  /** To every worker that works for the run. */
  broadcast(text: string): void;
  /** Ends what workers still do for the run. */
  close(): Promise<void>;
}

/** One of as many places as a worker has for walks. A walk that waits for others gives it back, because they may need it. */
export interface WalkPlace {
  giveBack(): void;
  /** Calls back once the walk has a place again. */
  takeAgain(go: () => void): void;
}

/** A walk that a worker has taken. */
export interface Assignment {
  readonly run: string;
  readonly text: string;
  /** In order; resolves at once, delivered as long as the worker lives, also after the connection was lost for a while. */
  post(text: string): void;
  /**
   * Resolves when the text, and all before it, cannot be lost any more. Rejects if the attempt was given to somebody else: then the write that it
   * announces must not be sent.
   */
  postDurably(text: string): Promise<void>;
  /**
   * Resolves when it is certain that no other worker has the walk, so that a write may be sent. Rejects if another one has it.
   */
  stillHeld(): Promise<void>;
  /** What the coordinator sends for this walk. */
  onMessage(listen: (text: string) => void): void;
  /** Aborted when the attempt was given to somebody else, or the coordinator has gone for good. */
  readonly revoked: AbortSignal;
  /** Absent: the worker has no limit. */
  readonly place?: WalkPlace | undefined;
}

/** The worker's side. */
export interface WorkerTransport {
  /** Takes walks until the signal is aborted, then finishes those it has. `describe` fetches what a run is about, once for each run. */
  serve(work: {
    /** Called once for each run, before its first walk: what the coordinator described, and the files that it sent. */
    readonly begin: (run: string, description: string, files: Uint8Array | undefined) => Promise<void>;
    readonly walk: (assignment: Assignment) => Promise<void>;
    /** Asked before each walk: why the worker can carry out nothing any more. Another one gets the walk. */
    readonly whyUnfit?: (() => string | undefined) | undefined;
    /** For all walks of a run. */
    readonly onBroadcast: (run: string, text: string) => void;
    /** The run is over. */
    readonly end: (run: string) => Promise<void>;
    readonly signal: AbortSignal;
    /** Aborted: it ends at once. What could not be delivered stays on disk. */
    readonly abort?: AbortSignal | undefined;
  }): Promise<void>;
}
