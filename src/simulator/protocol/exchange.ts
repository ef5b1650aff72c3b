import type { IncomingHttpHeaders } from 'node:http';
import type { SimulatedJson } from './json.js';

/** A simulated controller's answer to one request, before any misbehaviour changes it. */
export interface SimulatedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined: no content. */
  readonly body: SimulatedJson | undefined;
  /** The controller restarts after this answer. */
  readonly restarts?: RestartPhases;
}

/** How long each phase of a restart takes, in milliseconds: writes get 403, then everything gets 503, then nothing listens. */
export interface RestartPhases {
  readonly disallowed: number;
  readonly unavailable: number;
  readonly refused: number;
}

/** By name; several values are several header lines. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

export function success(body: SimulatedJson, status = 200): SimulatedAnswer {
  return { status, headers: {}, body };
}

/** The API document leaves the shape of errors open; `error` is what controllers of this family send. */
export function refusal(status: number, error: string, headers: Headers = {}): SimulatedAnswer {
  return { status, headers, body: { error } };
}

/** A value, or the answer that refuses the request. */
export type OrRefusal<T> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: 'refused'; readonly answer: SimulatedAnswer };

export function ok<T>(value: T): OrRefusal<T> {
  return { status: 'ok', value };
}

export function refused(
  status: number,
  error: string,
): { readonly status: 'refused'; readonly answer: SimulatedAnswer } {
  return { status: 'refused', answer: refusal(status, error) };
}

/** One request as a simulated controller sees it. */
export interface SimulatedRequest {
  readonly method: string;
  /** Without the query and without the base URL's own path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of a multipart/form-data body, whose `body` is empty. */
  readonly upload?: SimulatedUpload;
  /** The base URL as the client addresses it, path included: for `url` and `next`. */
  readonly base: string;
}

/** What is kept of an upload; not its content. */
export interface SimulatedUpload {
  /** Whether the closing boundary came. */
  readonly isComplete: boolean;
  readonly file: { readonly name: string; readonly size: number; readonly sha256: string } | undefined;
}
