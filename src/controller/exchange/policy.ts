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

const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether a status means "try again later". */
export function isTemporaryStatus(status: number): boolean {
  return TEMPORARY.has(status);
}

/** Whether the controller rejects changes during an upgrade. */
export function isUpgrading({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 403 && /\bduring (?:\w+ )?upgrade\b|\bupgrade (?:is )?in progress\b/i.test(text);
}

/** Whether the controller itself says that it is not ready. A proxy before it may answer 503 to what it has carried out. */
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
