import type { Value } from '../../core/model/values/value.js';
import { isNumeric, wholeNumber } from '../../core/model/values/whole_number.js';
import { isSecretName } from '../../core/secrets/names.js';

const SCALAR_WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['', null],
  ['~', null],
  ...spellings('null', null),
  ...spellings('true', true),
  ...spellings('yes', true),
  ...spellings('on', true),
  ...spellings('false', false),
  ...spellings('no', false),
  ...spellings('off', false),
]);

const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
const LONGEST_WORD = 5;

/** The value of an unquoted scalar: YAML 1.2's core schema, and Ansible's `yes`, `no`, `on` and `off`. */
export function plainScalar(text: string): Value {
  const first = text.charCodeAt(0);
  if (isDigitOrSign(first)) return numberOrText(text);
  if (text.length > LONGEST_WORD) return text;
  const word = SCALAR_WORDS.get(text);
  return word === undefined ? text : word;
}

/** Whether a secret is read as a number whose digits are others: `0042`, `1.50`. @param text as it is written */
export function isDamagedSecret(name: string, text: string, value: Value): boolean {
  return isNumeric(value) && String(value) !== text && name !== 'key' && isSecretName(name);
}

function isDigitOrSign(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
}

function numberOrText(text: string): Value {
  if (INTEGER.test(text)) return wholeNumber(text);
  if (FLOAT.test(text)) return Number(text);
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(text) ? NaN : text;
}

function spellings(word: string, value: Value): readonly (readonly [string, Value])[] {
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  return [word, capital, word.toUpperCase()].map((spelling) => [spelling, value]);
}
