import type { ConnectionSettings } from '../model/connection.js';
import { Secrets } from '../model/secrets.js';
import { isMapping } from '../model/value.js';
import type { Answer } from './exchange.js';
import { addSecrets } from './setting_secrets.js';

const LONGEST = 500;

/** Control characters would let a controller write to the user's terminal. */
const UNPRINTABLE = /[\p{Cc}\s]+/gu;

/** What the controller says about its refusal: `error`, `detail` or `message`, else the first 500 characters. One line, without our credentials. */
export function answerText(answer: Answer, settings: ConnectionSettings): string {
  return printable(statedReason(answer.text) ?? answer.text, settings);
}

/** Text of a controller that may be printed: no control characters, no credentials that it echoes, not longer than 500 characters. */
export function printable(text: string, settings: ConnectionSettings): string {
  const secrets = new Secrets();
  addSecrets(settings, secrets);
  const line = secrets
    .mask(text.slice(0, 4 * LONGEST))
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function statedReason(text: string): string | undefined {
  const body = parsed(text);
  return isMapping(body) ? reasonIn(body) : undefined;
}

function reasonIn(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['error', 'detail', 'message']) {
    const value = body[key];
    if (typeof value === 'string' && value !== '') return value;
    if (isMapping(value)) return reasonIn(value) ?? JSON.stringify(value);
    if (Array.isArray(value) && value.length > 0) return JSON.stringify(value);
  }
  return undefined;
}

/** What a parser makes of a text, or undefined if it is no JSON. */
export function parsed(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
