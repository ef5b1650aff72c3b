import type { Dialect } from '../../core/model/dialect.js';
import type { RawAnswer } from '../../core/model/run/session.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { inexactIn, parseMarked, parseWithDigits, toWholeNumber } from '../../core/model/values/json.js';
import { HIDDEN, jsonText, entry, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { ControllerError, type ApiAnswer, type ApiCall } from '../exchange/call.js';
import { MOST_ANSWER_LEVELS, isError, isTooDeep, parsed, readErrorText, type AnswerContext } from './answer_text.js';
import { deniedBy, invalid, refusalHint } from './rejection.js';

/** Whether a successful answer to a raw request is an error. A list may have one beside what it found. */
function isDenial(answer: ApiAnswer, body: Value | undefined): boolean {
  return isMapping(body) && saysDone(answer) && isError(body) && entry(body, 'results') === undefined;
}

/** Throws if a successful answer contains an error. One that cannot be read does not say that the request failed. */
export function requireNoError(call: ApiCall, answer: ApiAnswer, context: AnswerContext): void {
  const body = parsed(answer.text);
  if (isMapping(body) && saysDone(answer) && isError(body)) throw deniedBy(call, answer, context);
}

/** Not 202: work continues after such an answer, and only its result counts. */
function saysDone({ status }: ApiAnswer): boolean {
  return status === 200 || status === 201;
}

/** As a field, not as a text or the end of one. */
const PROTO_FIELD = /(?<!\\)"__proto__"\s*:/;

/**
 * Returns the JSON object of an answer; throws if it is anything else. An object must pass `requireExact` before it is
 * written back.
 */
export function jsonObject(call: ApiCall, answer: ApiAnswer, context: AnswerContext): Mapping {
  // If the object is written back, the replacement characters would overwrite the original text.
  if (answer.garbled === true) throw invalid(call, answer, 'not with UTF-8', context);
  // No field of a controller has this name. It may be an attack on programs, so it is not written back either.
  if (answer.text.includes('"__proto__"') && PROTO_FIELD.test(answer.text))
    throw invalid(call, answer, 'with a field named "__proto__"', context);
  const body = parsed(answer.text, parseMarked);
  if (isMapping(body)) {
    if (saysDone(answer) && isError(body)) throw deniedBy(call, answer, context);
    return body;
  }
  const what = body === undefined ? whyNoJson(answer.text) : 'not with a JSON object';
  throw invalid(call, answer, what, context, isWebPage(answer) ? WEB_PAGE_HINT : undefined);
}

/** Like `jsonObject`, for an object that exists once: a list must never be written back in its place. */
export function singleObject(call: ApiCall, answer: ApiAnswer, context: AnswerContext): Mapping {
  const object = jsonObject(call, answer, context);
  if (entry(object, 'results') === undefined || entry(object, 'count') === undefined) return object;
  const hint = 'is this the path of a collection? Its objects are found by name';
  throw invalid(call, answer, 'with a list', context, hint);
}

/** Returns an object that was read, if writing it back would not change any number in it; throws otherwise. */
export function requireExact(call: ApiCall, object: Mapping): Mapping {
  const inexact = inexactIn(object);
  if (inexact === undefined) return object;
  const what = `the field "${inexact.path}" is ${inexact.digits}, a number that cannot be read and written back unchanged`;
  const hint = 'the number is too large, so this object is left alone: change it by other means';
  throw new ControllerError(call, what, { hint });
}

function whyNoJson(text: string): string {
  return orElse('not with JSON', () =>
    isTooDeep(JSON.parse(text)) ? `with JSON nested more than ${MOST_ANSWER_LEVELS} levels deep` : 'not with JSON',
  );
}

const WEB_PAGE_HINT = 'does controller_url lead to the controller itself?';

/** HTML comes from login pages and proxies. */
function isWebPage({ contentType, text }: ApiAnswer): boolean {
  return contentType?.includes('html') === true || /^\s*<(?:!doctype html|html)\b/i.test(text);
}

const HIDDEN_VALUE = jsonText(HIDDEN);

/**
 * The body of a write. Throws if JSON would drop or change part of it, or if it contains the placeholder of a secret,
 * which the controller would store as the secret; some dialects keep the secret instead.
 */
export function bodyText(method: string, path: string, body: Value, dialect?: Dialect): string {
  const odd = oddIn(body, 'body');
  if (odd !== undefined)
    throw new ControllerError({ method, path }, `not sent: the body has ${odd}`, { hint: `a body contains ${DATA}` });
  const text = jsonText(body);
  const isKept = method === 'PUT' && dialect?.placeholderKeepsSecret === true;
  if (isKept || !text.includes(HIDDEN_VALUE)) return text;
  const what = 'not sent: the body contains "<sensitive>", which a controller shows in place of a secret';
  throw new ControllerError({ method, path }, what, { hint: 'set the secret, or leave the field out' });
}

export function rawAnswer(call: ApiCall, answer: ApiAnswer, context: AnswerContext): RawAnswer {
  const body = parsed(answer.text, parseWithDigits);
  const says = readErrorText(body, answer.text, context);
  const { status, uncertain, outcomeUnknown } = answer;
  const open = { ...(uncertain && { uncertain }), ...(outcomeUnknown && { outcomeUnknown }) };
  const raw = { status, body: body === undefined ? answer.text : body, ...open };
  if (status >= 400) return { ...raw, says, hint: refusalHint(call, answer, says, context) };
  if (isDenial(answer, body)) return { ...raw, says, denied: true };
  if (!saysDone(answer) || !isWebPage(answer)) return { ...raw, says };
  return { ...raw, says: `a web page, not JSON: ${says}`, denied: true, hint: WEB_PAGE_HINT };
}

/** What JSON can contain. */
export const DATA = 'text, numbers, true, false, null, and lists and mappings of them';

/** Deeper than any object of a controller, and safe for the stack. */
const MOST_DATA_LEVELS = 300;
/** Enough of a path to find the place. */
const MOST_PATH_PARTS = 3;

/** The path from the returned value to a place inside it. */
type Path = (string | number)[];

/** What becomes of data: a result is kept and shown, a body is sent, and an option of a program may have entries that are not given. */
type DataUse = 'result' | 'body' | 'option';

/**
 * The first part of a value that is not data, with its path: `a function in "values.a"`.
 *
 * @param path to the value; unchanged at the end if nothing was found
 */
export function oddIn(value: unknown, use: DataUse = 'result', path: Path = []): string | undefined {
  if (value === null || typeof value === 'string') return undefined;
  if (typeof value !== 'object' || !(Array.isArray(value) || isPlain(value))) {
    const what = oddness(value, use, path);
    return what === undefined || path.length === 0 ? what : `${what} in "${path.join('.')}"`;
  }
  if (path.length > MOST_DATA_LEVELS)
    return `"${path.slice(0, MOST_PATH_PARTS).join('.')}", which is nested more than ${MOST_DATA_LEVELS} levels deep, or contains itself`;
  // This runs for everything that a module returns: most parts are texts and numbers, which cost no call, and entries would allocate.
  const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const names = list === undefined ? Object.keys(value) : [];
  const count = list?.length ?? names.length;
  for (let at = 0; at < count; at += 1) {
    const name = names[at] ?? at;
    const item: unknown = list === undefined ? Reflect.get(value, name) : list[at];
    if (typeof item === 'string' || typeof item === 'boolean') continue;
    if (typeof item === 'number' && (use === 'result' || Number.isFinite(item))) continue;
    path.push(name);
    const odd = oddIn(item, use, path);
    if (odd !== undefined) return odd;
    path.pop();
  }
  return undefined;
}

function oddness(value: unknown, use: DataUse, path: Path): string | undefined {
  if (value === undefined) {
    // What is left out at the top was not returned.
    const isAbsent = use === 'body' ? path.length === 0 : path.length < 2;
    return isAbsent || (use === 'option' && typeof path.at(-1) === 'string') ? undefined : 'undefined';
  }
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  // A small bigint would not equal the number that it is everywhere else.
  if (typeof value === 'bigint') return use === 'result' && toWholeNumber(value) !== value ? 'a bigint' : undefined;
  if (typeof value === 'number')
    return use === 'result' || Number.isFinite(value) ? undefined : 'a number that is not finite';
  return isMapping(value) ? `a ${value.constructor.name}` : undefined;
}

/** No `Date`, `Map` or other instance. The prototype of a plain object may be that of another realm, as in tests with jest. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
