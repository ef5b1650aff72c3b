import { refusal, type Answer } from '../protocol/answer.js';
import { firstMismatch, type Shape } from './field_types.js';
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.js';
import type { SimulatedRequest } from '../protocol/request.js';

export type Body =
  { readonly status: 'ok'; readonly object: JsonObject } | { readonly status: 'refused'; readonly answer: Answer };

/** The JSON object in a write's body, or why it is invalid. Fields of the API document must have its types. */
export function readBody(request: SimulatedRequest, shape: Shape): Body {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refused(415, 'The body must be application/json.');
  }
  const parsed = parse(request.body);
  if (parsed === undefined) return refused(400, 'The body is not valid JSON.');
  if (!isJsonObject(parsed)) return refused(400, 'The body must be a JSON object.');
  const mismatch = firstMismatch(parsed, shape);
  return mismatch === undefined ? { status: 'ok', object: parsed } : refused(400, mismatch);
}

function refused(status: number, error: string): Body {
  return { status: 'refused', answer: refusal(status, error) };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
