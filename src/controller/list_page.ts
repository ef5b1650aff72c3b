import { entry, isList, isMapping, type Mapping } from '../model/values/value.js';
import type { Asker } from './answer_text.js';
import type { Answer, Call } from './exchange.js';
import { jsonObject } from './json_object.js';
import { repeatedKey } from './repeated_key.js';
import { senseless } from './refusal.js';

/** One page of a list (API document, section 2.2). */
export interface ListPage {
  readonly results: readonly Mapping[];
  /** How many objects match in all; undefined if the controller does not say. */
  readonly count: number | undefined;
  /** The link to the next page, as the controller wrote it. */
  readonly next: string | undefined;
}

/** Only an object whose `results` is a list of objects is a list; throws for anything else, which must never be read as "there is none". */
export function listPage(call: Call, answer: Answer, asker: Asker): ListPage {
  const body = jsonObject(call, answer, asker);
  const repeated = repeatedKey(answer.text, ['results', 'count', 'next']);
  if (repeated !== undefined) throw senseless(call, answer, `with a list that has "${repeated}" twice`, asker);
  const results = entry(body, 'results');
  if (!isList(results) || !results.every((result) => isMapping(result))) {
    throw senseless(call, answer, 'not with a list (an object whose "results" is a list of objects)', asker);
  }
  const count = entry(body, 'count') ?? undefined;
  const next = entry(body, 'next') ?? undefined;
  if (count !== undefined && typeof count !== 'number')
    throw senseless(call, answer, 'with a list whose "count" is no number', asker);
  if (next !== undefined && typeof next !== 'string')
    throw senseless(call, answer, 'with a list whose "next" is no address', asker);
  return { results, count, next: next === '' ? undefined : next };
}
