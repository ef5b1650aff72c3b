/**
 * How the coordinator of a run and its workers communicate: over pipes to local processes, or over NATS. The transport
 * does not interpret texts; it keeps them in order, and fences attempts.
 */

/** One controller's walk through one play, for the workers of its site. */
export interface Order {
  /** Unique in the run, free of spaces and dots: `2-1-lb7`. */
  readonly walk: string;
  readonly controller: string;
  /** Absent: any worker. */
  readonly site?: string | undefined;
  /** The instructions for the worker, created when a worker takes the walk. */
  readonly text: () => string;
}

/** The coordinator's callbacks for one attempt. */
export interface OrderListener {
  /**
   * A worker took the order; called before any message.
   *
   * @param worker its name, for people
   * @param instance identifies the process: several may have one name, at once or one after the other
   */
  taken(worker: string, instance: string): void;
  /** Called in the order in which the worker sent the messages, once each. */
  message(text: string): void;
  /**
   * Why no worker has taken the order yet: for a warning. Called for only one of the orders that wait for the same
   * reason.
   */
  waiting(reason: string): void;
}

/** How an attempt ended. `lost`: the worker vanished. No more messages arrive, and its durable ones are rejected. */
export type AttemptEnd =
  | { readonly type: 'ended' }
  | { readonly type: 'lost'; readonly worker: string; readonly reason: string }
  /** No worker took it. */
  | { readonly type: 'untaken'; readonly reason: string }
  /**
   * The worker cannot carry out the run, and the transport has refused it. It gets no more orders of the run; another
   * worker may.
   */
  | { readonly type: 'refused'; readonly worker: string; readonly reason: string }
  /** The worker cannot carry out the order, and says why. */
  | { readonly type: 'failed'; readonly worker: string; readonly reason: string };

/** One attempt of a worker to carry out an order. */
export interface Attempt {
  /** Delivers texts in order; they are lost if the worker is lost. */
  send(text: string): void;
  /** Withdraws the order, unless a worker has taken it: `end` is `untaken` then. */
  cancel(): void;
  /**
   * Takes the order away from a worker that sent something invalid. No more messages arrive. Absent: the worker is
   * local.
   */
  refuse?(reason: string): void;
  readonly end: Promise<AttemptEnd>;
}

/** The coordinator's side. */
export interface CoordinatorTransport {
  /** Hands the order to one worker, once: another attempt is another order. */
  offer(order: Order, listener: OrderListener): Attempt;
  /** Sends a text to every worker of the run. */
  broadcast(text: string): void;
  /** Stops the work of workers on the run. */
  close(): Promise<void>;
}

/**
 * A place for a walk: a worker has a limited number of them. A walk that waits for others gives its place up, because
 * they may need it.
 */
export interface WalkPlace {
  giveBack(): void;
  /** Calls back once the walk has a place again. */
  takeAgain(go: () => void): void;
}

/** A walk that a worker has taken. */
export interface Assignment {
  readonly run: string;
  readonly text: string;
  /**
   * Delivers texts in order. Resolves at once; the text arrives as long as the worker lives, even if the connection is
   * lost for a while.
   */
  post(text: string): void;
  /**
   * Resolves when the text, and all before it, cannot be lost any more. Rejects if another worker has the attempt: then
   * the write that the text announces must not be sent.
   */
  postDurably(text: string): Promise<void>;
  /** Resolves when no other worker can have the walk, so that a write may be sent. Rejects if another one has it. */
  stillHeld(): Promise<void>;
  /** Receives the coordinator's texts for this walk. */
  onMessage(listen: (text: string) => void): void;
  /** Aborted when another worker has the attempt, or the coordinator is permanently unreachable. */
  readonly revoked: AbortSignal;
  /** Absent: the worker has no limit. */
  readonly place?: WalkPlace | undefined;
}

/** The worker's side. */
export interface WorkerTransport {
  /**
   * Takes walks until the signal is aborted, then finishes the current ones. `describe` fetches the description of a
   * run, once per run.
   */
  serve(work: {
    /** Called once per run, before its first walk, with the coordinator's description and files. */
    readonly begin: (run: string, description: string, files: Uint8Array | undefined) => Promise<void>;
    readonly walk: (assignment: Assignment) => Promise<void>;
    /** Checked before each walk: why the worker cannot carry out any more walks. Another worker gets the walk. */
    readonly whyUnfit?: (() => string | undefined) | undefined;
    /** Receives texts for all walks of a run. */
    readonly onBroadcast: (run: string, text: string) => void;
    /** Called when the run is over. */
    readonly end: (run: string) => Promise<void>;
    readonly signal: AbortSignal;
    /** Aborted: stop at once. Undelivered texts stay on disk. */
    readonly abort?: AbortSignal | undefined;
  }): Promise<void>;
}
