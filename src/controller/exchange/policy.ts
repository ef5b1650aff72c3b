import { isTemporaryStatus, isUpgrading } from '../../core/model/run/temporary.js';
import { ConnectionFailure, type ApiAnswer, type ApiCall } from './call.js';

/** When a request is repeated. For how long, the patience of the settings says. */
export interface RetryPolicy {
  /** Requests in all, the first one included; Infinity: the patience alone decides. */
  readonly attempts: number;
  /** The first pause; each further one is twice as long. */
  readonly baseMs: number;
  /** No pause of our own is longer. A controller's `Retry-After` may be, up to the deadline. */
  readonly capMs: number;
  /** A controller that asks for more time than this is not waited for. */
  readonly deadlineSeconds: number;
}

/** The limits of an answer. */
export interface RequestLimits {
  readonly responseBytes: number;
  /** The longest wait for memory. Servers close connections that are not read, often after a minute. */
  readonly pauseMs: number;
  /** Pages of one list. */
  readonly pages: number;
}

export const RETRY: RetryPolicy = { attempts: Infinity, baseMs: 500, capMs: 8000, deadlineSeconds: 60 };

export const LIMITS: RequestLimits = { responseBytes: 16 * 2 ** 20, pauseMs: 5000, pages: 100 };

/**
 * Whether a write may still take effect after this answer, which gateways give while the controller works on the request. After 503,
 * the client itself looks, and sends it again.
 */
export function mayStillApply({ status }: { readonly status: number }): boolean {
  return status === 408 || status === 502 || status === 504;
}

/** Whether the controller itself says that it is not ready. */
export function isStarting({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 503 && /\bnot (?:yet )?ready\b|\bstarting\b|\bupgrad/i.test(text);
}

export interface Attempted {
  /** How many attempts there were. */
  readonly attempts: number;
  /** Milliseconds since the first failure. */
  readonly failingMs: number;
  /** The pause before the next request to the controller. */
  readonly pauseMs: number;
  /** The part of it that the controller asked for. */
  readonly askedMs: number;
}

/** How exact timers are. */
const TIMER_MS = 2;

/**
 * Milliseconds to wait before the next attempt, or undefined when there should be none. The last attempt is at the end of
 * the patience, unless the controller asked for more time.
 * @param random from 0 to 1
 */
export function pauseBefore(
  { attempts, failingMs, pauseMs, askedMs }: Attempted,
  policy: RetryPolicy,
  patienceMs: number,
  random: number,
): number | undefined {
  const left = patienceMs - failingMs;
  const deadlineMs = policy.deadlineSeconds * 1000;
  if (attempts >= policy.attempts || left < TIMER_MS || askedMs > deadlineMs) return undefined;
  if (askedMs > left) return failingMs + askedMs > deadlineMs ? undefined : askedMs;
  return Math.min(left, Math.max(pauseMs, jittered(attempts, policy, random)));
}

/** Between half and all of base · 2ⁿ⁻¹, so that a fleet behind one proxy does not retry at the same moment. */
export function jittered(attempt: number, policy: RetryPolicy, random: number): number {
  const full = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  return full * (0.5 + random / 2);
}

/** The header is seconds or an HTTP date (RFC 9110, section 10.2.3). Returns 0 if it is absent or invalid. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

export type AttemptOutcome = ApiAnswer | ConnectionFailure;

/** The state of one call over all its attempts. */
export interface CallProgress {
  attempts: number;
  uncertain: boolean;
  /** Since when it has failed, not counting waits for a fork, in ms of `performance.now()`. */
  failing: number | undefined;
  /** Whether the last attempt was answered 401 with a new sign-in, which no other request has used. */
  isRefused: boolean;
}

/** Whether it is open what has become of a write: a proxy may answer 503 to what the controller has carried out. */
export function isUncertain(outcome: AttemptOutcome): boolean {
  if (outcome instanceof ConnectionFailure) return outcome.uncertain;
  return mayStillApply(outcome) || (outcome.status === 503 && !isStarting(outcome));
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
export function isRestarting(answer: ApiAnswer): boolean {
  return answer.lostSignIn === true || isUpgrading(answer);
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
  const shouldRetry = ({ error }: { readonly error: Error }): Promise<boolean> | boolean =>
    error === passing && again(last ?? first);
  const retry = { limit: Infinity, delay: () => 0, shouldRetry };
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
