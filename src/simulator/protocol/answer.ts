import type { Json } from './json.js';

/** What a simulated controller has to say to one request, before any misbehaviour touches it. */
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
