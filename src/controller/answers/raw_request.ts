import type { Dialect } from '../../model/dialect.js';
import { type RawAnswer, type RawRequest, isRead } from '../../model/run/session.js';
import { answerTextOf, parsed, type AnswerContext } from './answer_text.js';
import { bodyText } from './json_object.js';
import { ControllerError } from '../exchange/controller_error.js';
import type { Answer, Call } from '../exchange/call.js';
import { parseWithDigits } from '../../model/values/inexact_numbers.js';

/** Throws if the request is invalid, or could be sent to another server. */
export function rawCall(raw: RawRequest, dialect: Dialect): Call {
  const method = raw.method.toUpperCase();
  const query = new URLSearchParams(raw.query ?? {}).toString();
  const path = raw.path + (query === '' ? '' : `${raw.path.includes('?') ? '&' : '?'}${query}`);
  // Without the slash, "@elsewhere" or ".elsewhere" would change the host.
  if (!raw.path.startsWith('/')) throw invalid(method, path, 'the path must begin with "/"');
  if (!/^[A-Z]+$/.test(method)) throw invalid(method, path, 'the method must be a word such as GET or PUT');
  const body =
    raw.body === undefined
      ? {}
      : { body: bodyText(method, path, raw.body, raw.keepsSecrets === true ? dialect : undefined) };
  const { form, into } = raw;
  return { method, path, repeatable: isRead(method) || method === 'PUT', ...body, form, into };
}

export function rawAnswer(answer: Answer, context: AnswerContext): RawAnswer {
  const body = parsed(answer.text, parseWithDigits);
  return {
    status: answer.status,
    body: body === undefined ? answer.text : body,
    says: answerTextOf(body, answer.text, context),
  };
}

function invalid(method: string, path: string, what: string): ControllerError {
  return new ControllerError(what, { outcome: 'failed', method, path });
}
