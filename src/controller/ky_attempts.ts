import ky from 'ky';
import { ConnectionFailure } from './connection_failure.js';
import type { Answer } from './exchange.js';
import { isPassing } from './passing_status.js';

export type Outcome =
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'failure'; readonly failure: ConnectionFailure };

export interface Attempts {
  readonly url: string;
  readonly method: string;
  /** How many in all, at most. */
  readonly limit: number;
  /** Sends the request once. Throws `ConnectionFailure` only. */
  send(): Promise<Answer>;
  /** Called after an attempt that may fare better: waits, and says whether to go on. */
  again(outcome: Outcome, attempts: number): Promise<boolean>;
}

/**
 * Has ky carry out the attempts; ends with the last answer, whatever its status, or throws the last failure.
 *
 * Credentials, headers and bodies stay with `send`: ky's request is a bare method and URL, and its response a bare status.
 * So ky neither clones bodies nor reads web streams, nor can its errors carry what must not be shown; it costs about 60 µs a call.
 */
export async function carryOut(attempts: Attempts): Promise<Answer> {
  let last: Outcome | undefined;
  const fetch = async (): Promise<Response> => {
    last = await outcomeOf(attempts);
    if (last.type === 'failure') throw last.failure;
    return new Response(null, { status: last.answer.status });
  };
  const shouldRetry = ({ retryCount }: { retryCount: number }): boolean | Promise<boolean> =>
    last !== undefined && mayPass(last) && attempts.again(last, retryCount);
  try {
    await ky(attempts.url, {
      method: attempts.method,
      fetch,
      timeout: false,
      retry: { limit: attempts.limit - 1, methods: METHODS, delay: () => 0, shouldRetry },
    });
  } catch (error) {
    if (last?.type !== 'answer') throw error;
  }
  return settled(last);
}

/** Which calls may be repeated is the caller's to say, by `limit`. */
const METHODS: ('get' | 'put' | 'post' | 'patch' | 'delete' | 'head')[] = [
  'get',
  'put',
  'post',
  'patch',
  'delete',
  'head',
];

async function outcomeOf(attempts: Attempts): Promise<Outcome> {
  try {
    return { type: 'answer', answer: await attempts.send() };
  } catch (error) {
    if (error instanceof ConnectionFailure) return { type: 'failure', failure: error };
    throw error;
  }
}

function mayPass(outcome: Outcome): boolean {
  return outcome.type === 'answer' ? isPassing(outcome.answer.status) : outcome.failure.passing;
}

function settled(outcome: Outcome | undefined): Answer {
  if (outcome?.type === 'answer') return outcome.answer;
  throw new Error('ky ended without an answer');
}
