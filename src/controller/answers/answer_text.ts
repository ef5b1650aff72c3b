import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { withoutSequences } from '../../core/model/invisible.js';
import { parseJson } from '../../core/model/values/json.js';
import { jsonText, entry, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { maskAnswer } from '../../core/secrets/mask_value.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import type { ApiAnswer } from '../exchange/call.js';

const MOST_ANSWER_CHARACTERS = 500;
/** In longer answers, only this many characters are searched for secrets. */
const SEARCHED = 32 * MOST_ANSWER_CHARACTERS;
/** The number of characters to omit at the end of the searched part, because a secret may continue after it. */
const UNSURE = SEARCHED / 2;

/** Control characters would let a controller write to the user's terminal. */
const UNPRINTABLE = /[\p{Cc}\s]+/gu;

/** The client, for hints and for secrets to mask. */
export interface AnswerContext {
  readonly settings: ConnectionSettings;
  readonly secrets: Secrets;
}

/**
 * The controller's reason for a refusal: `error`, `errors`, `detail` or `message`, otherwise the first 500 characters. One line,
 * without secrets.
 */
export function answerText(answer: ApiAnswer, context: AnswerContext): string {
  return readErrorText(parsed(answer.text), answer.text, context);
}

/** Like `answerText`, for a parsed answer. */
export function readErrorText(body: unknown, text: string, context: AnswerContext): string {
  return printable((isMapping(body) ? reasonIn(body) : undefined) ?? text, context);
}

/**
 * Text of a controller that may be printed: no control characters, no secrets that it echoes, not longer than 500
 * characters. Masked before it is shortened and joined into one line, because half a secret, or one without its line
 * breaks, would not be recognised.
 */
export function printable(text: string, { secrets }: AnswerContext): string {
  const masked = maskAnswer(text.slice(0, SEARCHED), secrets);
  const isCut = text.length > SEARCHED;
  const sure = isCut ? masked.slice(0, Math.max(0, masked.length - UNSURE)) : masked;
  const line = withoutSequences(sure).replace(UNPRINTABLE, ' ').trim();
  return isCut || line.length > MOST_ANSWER_CHARACTERS ? `${line.slice(0, MOST_ANSWER_CHARACTERS)}…` : line;
}

function reasonIn(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['error', 'errors', 'detail', 'message']) {
    const value = body[key];
    if (typeof value === 'string' && value !== '') return value;
    if (isMapping(value) && Object.keys(value).length > 0) return reasonIn(value) ?? jsonText(value);
    if (Array.isArray(value) && value.length > 0) return jsonText(value);
  }
  return undefined;
}

/** Whether a body is an error, whatever the status: `{"error": "Tenant license limit exceeded"}`. No object is one. */
export function isError(body: Mapping): boolean {
  const isObject = entry(body, 'uuid') !== undefined || entry(body, 'name') !== undefined;
  return !isObject && reasonIn({ error: entry(body, 'error'), errors: entry(body, 'errors') }) !== undefined;
}

/** The parsed JSON; undefined if the text is not JSON, or is nested too deeply. */
export function parsed(text: string, parse: (text: string) => Value = (json) => parseJson(json)): Value | undefined {
  try {
    const value = parse(text);
    // Each level has two brackets.
    return text.length >= 2 * MOST_ANSWER_LEVELS && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** No object of a controller is nested deeper. The stack has room for recursive functions to go many times as deep. */
export const MOST_ANSWER_LEVELS = 200;

/** Whether a value from JSON is nested deeper than any controller's object. (The parser itself takes any depth.) */
export function isTooDeep(value: unknown, levels = MOST_ANSWER_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const item of items) if (typeof item === 'object' && isTooDeep(item, levels - 1)) return true;
  return false;
}
