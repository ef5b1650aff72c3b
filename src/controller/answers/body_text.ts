import type { Dialect } from '../../model/dialect.js';
import { HIDDEN } from '../../model/placeholder.js';
import type { Value } from '../../model/values/value.js';
import { ControllerError } from '../exchange/controller_error.js';

const HIDDEN_VALUE = JSON.stringify(HIDDEN);

/**
 * The body of a write. Throws if it contains the placeholder of a secret, because the controller would store it as
 * the secret. Some dialects keep the secret instead.
 */
export function bodyText(method: string, path: string, body: Value, dialect?: Dialect): string {
  const text = JSON.stringify(body);
  const isKept = method === 'PUT' && dialect?.placeholderKeepsSecret === true;
  if (isKept || !text.includes(HIDDEN_VALUE)) return text;
  const what = 'not sent: the body contains "<sensitive>", which a controller shows in place of a secret';
  const hint = 'set the secret, or leave the field out';
  throw new ControllerError(what, { outcome: 'failed', method, path, hint });
}
