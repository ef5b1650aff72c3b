import type { Behaviour } from '../behaviour/behaviour.js';
import {
  ok,
  refusal,
  refused,
  type OrRefusal,
  type SimulatedAnswer,
  type SimulatedRequest,
} from '../protocol/exchange.js';
import { isJsonObject, parseJson, type JsonObject } from '../protocol/json.js';
import { firstMismatch, type Shape } from './field_types.js';

/** The JSON object in a write's body, or why it is invalid. Fields of the API document must have its types. */
export function readBody(request: SimulatedRequest, shape: Shape): OrRefusal<JsonObject> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return refused(415, 'The body must be application/json.');
  }
  const parsed = parseJson(request.body);
  if (parsed === undefined) return refused(400, 'The body is not valid JSON.');
  if (!isJsonObject(parsed)) return refused(400, 'The body must be a JSON object.');
  const mismatch = firstMismatch(parsed, shape);
  return mismatch === undefined ? ok(parsed) : refused(400, mismatch);
}

/** 412 if the client read an older state than the one it would replace, on controllers that check this. */
export function refuseStale(body: JsonObject, present: JsonObject, behaviour: Behaviour): SimulatedAnswer | undefined {
  const given = body['_last_modified'];
  if (behaviour.locking !== true || given === undefined || given === present['_last_modified']) return undefined;
  return refusal(412, 'Concurrent update: the object was changed since it was read.');
}
