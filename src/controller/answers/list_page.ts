import { entry, isList, isMapping, type Mapping } from '../../core/model/values/value.js';
import { ControllerError, type ApiAnswer, type ApiCall } from '../exchange/call.js';
import { printable, type AnswerContext } from './answer_text.js';
import { jsonObject } from './json_object.js';
import { invalid } from './rejection.js';

/** One page of a list (API document, section 2.2). */
export interface ListPage {
  readonly results: readonly Mapping[];
  /** The total number of matches; undefined if the controller does not return it. */
  readonly count: number | undefined;
  /** The link to the next page, as the controller wrote it. */
  readonly next: string | undefined;
}

/**
 * Only an object whose `results` is a list of objects is a list. Throws for anything else, because it must never mean
 * "no such object".
 */
export function listPage(call: ApiCall, answer: ApiAnswer, context: AnswerContext): ListPage {
  const body = jsonObject(call, answer, context);
  const repeated = repeatedKey(answer.text, ['results', 'count', 'next']);
  if (repeated !== undefined) throw invalid(call, answer, `with a list that has "${repeated}" twice`, context);
  const results = entry(body, 'results');
  if (!isList(results) || !results.every((result) => isMapping(result)))
    throw invalid(call, answer, 'not with a list (an object whose "results" is a list of objects)', context);
  const count = entry(body, 'count') ?? undefined;
  const next = entry(body, 'next') ?? undefined;
  if (count !== undefined && typeof count !== 'number')
    throw invalid(call, answer, 'with a list whose "count" is not a number', context);
  if (next !== undefined && typeof next !== 'string')
    throw invalid(call, answer, 'with a list whose "next" is not an address', context);
  return { results, count, next: next === '' ? undefined : next };
}

/**
 * Returns the first of these field names that a JSON object has twice. Parsers silently use the last one, so a list
 * could wrongly appear empty.
 * @param json text of a valid JSON object
 */
function repeatedKey(json: string, names: readonly string[]): string | undefined {
  // Fast path: usually the name does not occur twice. With escapes it can be written in many ways.
  const isPlain = !json.includes('\\u');
  const suspects = names.filter((name) => !isPlain || json.indexOf(`"${name}"`) !== json.lastIndexOf(`"${name}"`));
  if (suspects.length === 0) return undefined;
  const keys = outerKeys(json);
  return suspects.find((name) => keys.indexOf(name) !== keys.lastIndexOf(name));
}

/** Texts, the colon after a key, and brackets. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[{]|[\]}]/g;

function outerKeys(json: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (text === undefined) depth += token === '[' || token === '{' ? 1 : -1;
    else if (depth === 1 && colon !== undefined)
      keys.push(text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1));
  }
  return keys;
}

/**
 * The path of the next page, below the controller's URL. Links to other servers are refused, because the request
 * would send them the credentials.
 */
export function nextPath(call: ApiCall, next: string, context: AnswerContext): string {
  const controllerUrl = context.settings.url;
  const here = controllerUrl + call.path;
  const there = URL.canParse(next, here) ? new URL(next, here) : undefined;
  const base = new URL(controllerUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  if (there?.origin === base.origin && there.pathname.startsWith(`${prefix}/`))
    return there.pathname.slice(prefix.length) + there.search;
  const what = `the next page is at another address (${printable(next, context)}), which is not followed`;
  const hint = 'does controller_url have the address that the controller uses in its links?';
  throw new ControllerError(call, what, { hint });
}
