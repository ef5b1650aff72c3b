import { refusal, type Answer } from '../protocol/answer.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import type { JsonObject } from '../protocol/json.js';

/** 412 if the client read an older state than the one it is about to replace, on controllers that look at it. */
export function refuseStale(body: JsonObject, present: JsonObject, behaviour: Behaviour): Answer | undefined {
  const given = body['_last_modified'];
  if (behaviour.locking !== true || given === undefined || given === present['_last_modified']) return undefined;
  return refusal(412, 'Concurrent update: the object was changed since it was read.');
}
