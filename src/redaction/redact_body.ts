import type { Secrets } from '../model/secrets.js';
import type { Value } from '../model/values/value.js';
import { redactText } from './redact_text.js';
import { redactValue } from './redact_value.js';

/** The body of a request or an answer: by name wherever it is JSON, else as text. */
export function redactBody(body: string, secrets: Secrets): string {
  const value = parsed(body);
  return value === undefined ? redactText(body, secrets) : JSON.stringify(redactValue(value, secrets));
}

function parsed(body: string): Value | undefined {
  try {
    return JSON.parse(body) as Value;
  } catch {
    return undefined;
  }
}
