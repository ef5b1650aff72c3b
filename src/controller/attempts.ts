import type { ApiAnswer, ApiCall } from './exchange/call.js';
import { ConnectionFailure } from './exchange/connection_failure.js';
import { isStarting, isTemporaryStatus, isUpgrading } from './exchange/policy.js';

export type AttemptOutcome = ApiAnswer | ConnectionFailure;

/** The state of one call over all its attempts. */
export interface SoFar {
  attempts: number;
  uncertain: boolean;
  /** Since when it has failed, not counting waits for a fork, in ms of `performance.now()`. */
  failing: number | undefined;
  /** Whether the last attempt was answered 401 in a new session, which no other request has used. */
  isRefused: boolean;
}

/** A request that must not be sent twice is repeated only if the controller certainly did not carry it out. */
export function mayRepeat({ repeatable, isLookedUp, form }: ApiCall, outcome: AttemptOutcome): boolean {
  if (repeatable) return true;
  if (outcome instanceof ConnectionFailure) return outcome.unsent;
  if (isRestarting(outcome)) return true;
  if (isLookedUp !== true) return outcome.status === 429 || isStarting(outcome);
  return form !== undefined && isStarting(outcome);
}

/** A controller that restarts rejects changes and loses its sessions; such a request had no effect. */
function isRestarting(answer: ApiAnswer): boolean {
  return answer.lostSession === true || isUpgrading(answer);
}

/** A short reason for the failure. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome instanceof ConnectionFailure ? outcome.brief : `answered ${outcome.status}`;
}

/**
 * Repeats a call after a temporary failure; returns how the last attempt ended.
 *
 * ky repeats. It costs 110 µs of CPU a call (a `Request`, its clone, their abort signals), a third of the request itself, so the
 * first attempt, which nearly always suffices, does without it. ky sees neither the request nor its answers: credentials, headers
 * and bodies stay in `send`. So ky neither clones bodies nor reads web streams, and its errors cannot contain secrets.
 *
 * @param send sends the request once
 * @param again called after a temporary failure: waits, then returns whether to try again
 */
export async function repeat(
  call: ApiCall,
  first: AttemptOutcome,
  send: () => Promise<AttemptOutcome>,
  again: (outcome: AttemptOutcome) => Promise<boolean>,
): Promise<AttemptOutcome> {
  // Loaded on first use: it loads Node's fetch, which takes longer than a short command.
  const { default: ky } = await import('ky');
  const passing = new Error('a temporary failure');
  let last: AttemptOutcome | undefined;
  const fetch = async (): Promise<Response> => {
    last = last === undefined ? first : await send();
    if (isTemporary(last, call)) throw passing;
    return new Response();
  };
  const retry = { limit: Infinity, delay: () => 0, shouldRetry: () => again(last ?? first) };
  try {
    await ky('https://controller', { fetch, timeout: false, retry });
  } catch (error) {
    if (error !== passing) throw error;
  }
  return last ?? first;
}

export function isTemporary(outcome: AttemptOutcome, { isFact }: ApiCall): boolean {
  if (outcome instanceof ConnectionFailure) return outcome.temporary;
  return isTemporaryStatus(outcome.status) || isRestarting(outcome) || (isFact === true && outcome.status === 202);
}
