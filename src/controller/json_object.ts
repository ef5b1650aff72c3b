import type { ConnectionSettings } from '../model/connection.js';
import { isMapping, type Mapping } from '../model/value.js';
import { parsed } from './answer_text.js';
import type { Answer, Call } from './exchange.js';
import { senseless } from './refusal.js';

/** The JSON object that an answer holds; throws if it holds anything else. */
export function jsonObject(call: Call, answer: Answer, settings: ConnectionSettings): Mapping {
  const body = parsed(answer.text);
  if (isMapping(body)) return body;
  throw senseless(
    call,
    answer,
    body === undefined ? 'not with JSON' : 'not with a JSON object',
    settings,
    elsewhere(answer),
  );
}

/** HTML comes from login pages and proxies. */
function elsewhere(answer: Answer): string | undefined {
  return answer.contentType?.includes('html') === true
    ? 'does controller_url lead to the controller itself?'
    : undefined;
}
