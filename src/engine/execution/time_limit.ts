import { type ControllerSession, type WaitWithoutFork, SessionThrough } from '../../core/model/run/session.js';
import { LONGEST_MS } from '../control/clock.js';
import type { Fork } from '../control/forks.js';
import { TimeOver } from '../keywords/failed_result.js';

/** The session of one attempt of a task, and its stop signal. */
export interface Attempt {
  readonly session: ControllerSession;
  /** Aborted: start nothing new. */
  readonly signal: AbortSignal;
  /** For a wait until others have finished, which a time limit does not count. */
  readonly wait: WaitWithoutFork;
}

/**
 * Does the work, and rejects with a `TimeOver` when it takes longer than the limit. Then nothing more is sent. Waits
 * for running writes, whose outcome must be known, but not for reads.
 */
export async function withinTime<Result>(
  { seconds, module }: { readonly seconds: number; readonly module: string },
  attempt: Omit<Attempt, 'wait'>,
  fork: Fork,
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const limit = startLimit(attempt.session, seconds, module, fork);
  const signal = AbortSignal.any([attempt.signal, limit.signal]);
  const worked = work({ session: limit.session, signal, wait: limit.wait });
  try {
    return await Promise.race([worked, limit.reached]);
  } catch (error) {
    // The work may continue to wait, or to read, for a while.
    if (limit.signal.aborted) await fork.abandon(worked);
    throw error;
  } finally {
    limit.stop();
  }
}

function startLimit(session: ControllerSession, seconds: number, module: string, fork: Fork) {
  const over = new AbortController();
  const { signal } = over;
  const isOver = (): boolean => signal.aborted;
  let writing = 0;
  let written = false;
  let fail: (reason: TimeOver) => void = () => undefined;
  const reached = new Promise<never>((_, reject) => (fail = reject));
  // Handle a late rejection, so that it is not reported as unhandled.
  reached.catch(() => undefined);
  const problem = (): TimeOver => {
    const message = `The ${module} action failed to execute in the expected time frame (${seconds}) and was terminated`;
    const hint = written ? 'it wrote something before its time was over; run it again to see what is left' : undefined;
    return new TimeOver(message, undefined, hint);
  };
  const failUnlessWriting = (): void => {
    if (writing === 0) fail(problem());
  };
  const limited = new SessionThrough(async (kind, ask) => {
    if (isOver()) throw problem();
    if (kind === 'read') return ask(session);
    writing++;
    written = true;
    try {
      return await ask(session);
    } finally {
      writing--;
      if (isOver()) failUnlessWriting();
    }
  });
  /** How long others are waited for: so far, and since when. */
  let [restedMs, since]: [number, number | undefined] = [0, undefined];
  const wait: WaitWithoutFork = (awaited) =>
    fork.wait(async () => {
      since = performance.now();
      try {
        return await awaited();
      } finally {
        [restedMs, since] = [restedMs + performance.now() - since, undefined];
      }
    });
  const allWaitedMs = (): number => fork.waitedMs + restedMs + (since === undefined ? 0 : performance.now() - since);
  /** The controller's wait for a fork before this task. */
  const before = fork.waitedMs;
  let timer: NodeJS.Timeout;
  /** @param waitedMs total wait that `ms` already compensates for */
  const start = (ms: number, waitedMs: number): void => {
    timer = setTimeout(() => {
      const waited = allWaitedMs() - before;
      if (waited > waitedMs) return start(waited - waitedMs, waited);
      over.abort();
      failUnlessWriting();
    }, ms);
  };
  start(Math.min(seconds * 1000, LONGEST_MS), 0);
  return { session: limited, signal, wait, reached, stop: (): void => clearTimeout(timer) };
}
