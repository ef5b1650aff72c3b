import type { Json } from './json.js';

/** What a simulated controller has to say to one request, before any misbehaviour touches it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export function success(body: Json, status = 200): Answer {
  return { status, headers: {}, body };
}

/** The API document leaves the shape of errors open; `error` is what controllers of this family send. */
export function refusal(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: { error } };
}
