import type { ApiAnswer } from './exchange/call.js';
import { ConnectionFailure } from './exchange/connection_failure.js';
import { isTemporaryStatus } from './exchange/policy.js';

export type AttemptOutcome =
  | { readonly type: 'answer'; readonly answer: ApiAnswer }
  | { readonly type: 'failure'; readonly failure: ConnectionFailure };

export interface Attempts {
  readonly url: string;
  readonly method: string;
  /** Whether there may be more than one. */
  readonly several: boolean;
  /** Sends the request once. Throws `ConnectionFailure` only. */
  send(): Promise<ApiAnswer>;
  /** Called after a temporary failure: waits, then returns whether to try again. */
  again(outcome: AttemptOutcome, attempts: number): Promise<boolean>;
}

/** A short reason for the failure. */
export function outcomeText(outcome: AttemptOutcome): string {
  return outcome.type === 'answer' ? `answered ${outcome.answer.status}` : outcome.failure.brief;
}

/**
 * Returns the last answer, whatever its status, or throws the last failure.
 *
 * ky repeats temporary failures. It costs 110 µs of CPU a call (a `Request`, its clone, their abort signals), a third
 * of the request itself, so the first attempt, which nearly always suffices, does without it.
 */
export async function sendWithRetries(attempts: Attempts): Promise<ApiAnswer> {
  const first = await tryOnce(attempts);
  return answerOrThrow(isTemporary(first) && attempts.several ? await repeat(attempts, first) : first);
}

/**
 * ky sees only a method, a URL and a status: credentials, headers and bodies stay in `send`. So ky neither clones
 * bodies nor reads web streams, and its errors cannot contain secrets.
 */
async function repeat(attempts: Attempts, first: AttemptOutcome): Promise<AttemptOutcome> {
  // Loaded on first use: it loads Node's fetch, which takes longer than a short command.
  const { default: ky, isHTTPError } = await import('ky');
  let last = first;
  let sent = 0;
  const fetch = async (): Promise<Response> => {
    sent += 1;
    if (sent > 1) last = await tryOnce(attempts);
    if (last.type === 'failure') throw last.failure;
    return new Response(null, { status: last.answer.status });
  };
  const shouldRetry = ({ retryCount }: { retryCount: number }): boolean | Promise<boolean> =>
    isTemporary(last) && attempts.again(last, retryCount);
  const retry = { limit: Infinity, methods: METHODS, delay: () => 0, shouldRetry };
  try {
    await ky(attempts.url, { method: attempts.method, fetch, timeout: false, retry });
  } catch (error) {
    // ky's error for a status or a failure says the same as `last`.
    if (!(error instanceof ConnectionFailure) && !isHTTPError(error)) throw error;
  }
  return last;
}

/** All methods: the caller decides which calls may be repeated. */
const METHODS: ('get' | 'put' | 'post' | 'patch' | 'delete' | 'head')[] = [
  'get',
  'put',
  'post',
  'patch',
  'delete',
  'head',
];

async function tryOnce(attempts: Attempts): Promise<AttemptOutcome> {
  try {
    return { type: 'answer', answer: await attempts.send() };
  } catch (error) {
    if (error instanceof ConnectionFailure) return { type: 'failure', failure: error };
    throw error;
  }
}

function isTemporary(outcome: AttemptOutcome): boolean {
  return outcome.type === 'answer' ? isTemporaryStatus(outcome.answer.status) : outcome.failure.temporary;
}

function answerOrThrow(outcome: AttemptOutcome): ApiAnswer {
  if (outcome.type === 'answer') return outcome.answer;
  throw outcome.failure;
}
