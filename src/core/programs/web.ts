import { SideThread } from './side_thread.js';

/** A GET over HTTP or HTTPS. */
export interface WebRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  /** PEM of the trusted authorities. Absent: those of Node. */
  readonly ca: string | undefined;
  /** URLs of SOCKS5 and HTTP proxies, with their credentials, in the order in which they are tried. Empty: directly. */
  readonly proxies: readonly string[];
  /** The maximum length of a body, in bytes. */
  readonly most: number;
}

export type WebAnswer =
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly reason: string;
      readonly location: string | undefined;
      /** Empty unless the status is 2xx. */
      readonly body: Uint8Array;
    }
  /** `code` is Node's or OpenSSL's, or `TIMEOUT`, `TOO_LARGE` or `PROXY`. */
  | { readonly type: 'failure'; readonly code: string; readonly message: string };

/**
 * Sends the request and waits for the answer, as templates must. It follows no redirects. Certificates are always
 * verified.
 *
 * @throws Error if the system starts no thread; WaitInterrupted
 */
export function webAnswer(request: WebRequest): WebAnswer {
  const answer = requests.answer(request);
  return isAnswer(answer) ? answer : { type: 'failure', code: '', message: 'its answer was lost' };
}

/** The thread posts nothing else. */
function isAnswer(message: unknown): message is WebAnswer {
  return typeof message === 'object' && message !== null && 'type' in message;
}

const requests = new SideThread(new URL('./web_worker.mjs', import.meta.url), {});
