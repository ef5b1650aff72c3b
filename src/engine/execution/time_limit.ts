import { type ControllerSession, SessionThrough } from '../../core/model/run/session.js';
import { LONGEST_MS } from '../control/clock.js';
import type { Fork } from '../control/forks.js';
import { TaskProblem } from '../keywords/failed_result.js';

/** The session of one attempt of a task, and its stop signal. */
export interface Attempt {
  readonly session: ControllerSession;
  /** Aborted: start nothing new. */
  readonly signal: AbortSignal;
}

/**
 * Does the work, and rejects with a `TaskProblem` when it takes longer than the limit. Then nothing more is sent. Waits
 * for running writes, whose outcome must be known, but not for reads.
 */
export async function withinTime<Result>(
  { seconds, module }: { readonly seconds: number; readonly module: string },
  attempt: Attempt,
  fork: Fork,
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const limit = new TimeLimit(attempt.session, seconds, module, fork);
  const signal = AbortSignal.any([attempt.signal, limit.signal]);
  const worked = work({ session: limit.session, signal });
  try {
    return await Promise.race([worked, limit.reached]);
  } catch (error) {
    // The work may continue to rest, or to read, for a while.
    if (limit.signal.aborted) await fork.abandon(worked);
    throw error;
  } finally {
    limit.stop();
  }
}

class TimeLimit {
  readonly session: ControllerSession;
  readonly reached: Promise<never>;
  readonly #over = new AbortController();
  /** The controller's wait for a fork before this task. */
  readonly #waitedMs: number;
  #timer: NodeJS.Timeout;
  #fail: (reason: TaskProblem) => void = () => undefined;
  #writing = 0;
  #written = false;

  constructor(
    session: ControllerSession,
    private readonly seconds: number,
    private readonly module: string,
    private readonly fork: Fork,
  ) {
    this.session = new SessionThrough((kind, ask) => this.#call(kind, () => ask(session)));
    this.reached = new Promise((_, reject) => (this.#fail = reject));
    // Handle a late rejection, so that it is not reported as unhandled.
    this.reached.catch(() => undefined);
    this.#waitedMs = fork.waitedMs;
    this.#timer = this.#start(Math.min(seconds * 1000, LONGEST_MS), 0);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** @param waitedMs total wait for a fork that `ms` already compensates for */
  #start(ms: number, waitedMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const waited = this.fork.waitedMs - this.#waitedMs;
      if (waited > waitedMs) {
        this.#timer = this.#start(waited - waitedMs, waited);
        return;
      }
      this.#over.abort();
      this.#failUnlessWriting();
    }, ms);
  }

  #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async #call<Answer>(kind: 'read' | 'write', send: () => Promise<Answer>): Promise<Answer> {
    if (this.#isOver()) throw this.#problem();
    if (kind === 'read') return send();
    this.#writing++;
    this.#written = true;
    try {
      return await send();
    } finally {
      this.#writing--;
      if (this.#isOver()) this.#failUnlessWriting();
    }
  }

  #failUnlessWriting(): void {
    if (this.#writing === 0) this.#fail(this.#problem());
  }

  #problem(): TaskProblem {
    const { module, seconds } = this;
    const message = `The ${module} action failed to execute in the expected time frame (${seconds}) and was terminated`;
    const hint = this.#written
      ? 'it wrote something before its time was over; run it again to see what is left'
      : undefined;
    return new TaskProblem(message, undefined, hint);
  }
}
