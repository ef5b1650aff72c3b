import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from './json.js';

/** A simulated controller's answer to one request, before any misbehaviour changes it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined: no content. */
  readonly body: Json | undefined;
}

/** By name; several values are several header lines. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

export function success(body: Json, status = 200): Answer {
  return { status, headers: {}, body };
}

/** The API document leaves the shape of errors open; `error` is what controllers of this family send. */
export function refusal(status: number, error: string, headers: Headers = {}): Answer {
  return { status, headers, body: { error } };
}

/** A value, or the answer that refuses the request. */
export type Outcome<T> =
  { readonly status: 'ok'; readonly value: T } | { readonly status: 'refused'; readonly answer: Answer };

export function ok<T>(value: T): Outcome<T> {
  return { status: 'ok', value };
}

export function refused(status: number, error: string): { readonly status: 'refused'; readonly answer: Answer } {
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
  readonly upload?: Upload;
  /** The base URL as the client addresses it, path included: for `url` and `next`. */
  readonly base: string;
}

/** What is kept of an upload; not its content. */
export interface Upload {
  /** Whether the closing boundary came. */
  readonly isComplete: boolean;
  readonly file: { readonly name: string; readonly size: number; readonly sha256: string } | undefined;
}
