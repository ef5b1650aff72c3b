import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { isRead } from '../../core/model/run/session.js';
import { isTemporaryStatus, isUpgrading } from '../../core/model/run/temporary.js';
import {
  ControllerError,
  StaleObjectError,
  type ApiAnswer,
  type ApiCall,
  type ConnectionFailure,
  type FailureType,
} from '../exchange/call.js';
import { isRestarting, retryAfterMs } from '../exchange/policy.js';
import { answerText, printable, type AnswerContext } from './answer_text.js';

/** The error for a rejected request. */
export function rejection(call: ApiCall, answer: ApiAnswer, context: AnswerContext): ControllerError {
  if (answer.status === 412 && call.method === 'PUT') return new StaleObjectError(call, answer.uncertain ?? false);
  const text = answerText(answer, context);
  const wait = retryAfterMs(answer.retryAfter, Date.now());
  const asked = wait === 0 ? '' : `; it asks to wait ${Math.ceil(wait / 1000)} s`;
  const what = `the controller answered ${answer.status}${text === '' ? '' : `: ${text}`}${asked}`;
  return new ControllerError(call, what, {
    outcome: answer.status === 401 ? 'unreachable' : 'failed',
    status: answer.status,
    hint: refusalHint(call, answer, text, context),
    uncertain: answer.uncertain,
    temporary: isTemporaryStatus(answer.status),
    ...(isRestarting(answer) && { passing: true }),
    // 504 comes from a gateway that waits for the controller.
    late: answer.status === 504,
  });
}

/** What to do about a rejected request. @param text the controller's message */
export function refusalHint(
  call: ApiCall,
  { status, lostSignIn, outcomeUnknown }: ApiAnswer,
  text: string,
  { settings }: AnswerContext,
): string | undefined {
  if (lostSignIn === true) return LOST_SIGN_IN;
  if (outcomeUnknown === true) return OUTCOME_UNKNOWN;
  return deletionHint(call, status, text) ?? statusHint(call, status, text, settings);
}

/** A redirect is never followed: the credentials would go with it. */
export function redirected(call: ApiCall, answer: ApiAnswer, context: AnswerContext): ControllerError {
  const to = answer.location === undefined ? 'without saying where to' : `to ${printable(answer.location, context)}`;
  const what = `the controller answered ${answer.status} and points ${to}; redirects are not followed`;
  const hint = 'write the address of the controller itself in controller_url';
  return new ControllerError(call, what, { status: answer.status, hint, uncertain: answer.uncertain });
}

/** The error for an answer whose status is fine and whose body is not. */
export function invalid(
  call: ApiCall,
  answer: ApiAnswer,
  what: string,
  context: AnswerContext,
  hint?: string,
): ControllerError {
  const text = printable(answer.text, context);
  const unknown = isWithoutEffect(call) ? '' : '; it may have taken effect';
  const said = text === '' ? '' : `: ${text}`;
  const message = `the controller answered ${answer.status}, but ${what}${said}${unknown}`;
  return new ControllerError(call, message, { status: answer.status, hint, uncertain: true });
}

/** The error for an answer whose body is an error, although its status is a success. Whether the request had an effect is unknown. */
export function deniedBy(call: ApiCall, answer: ApiAnswer, context: AnswerContext): ControllerError {
  const { status } = answer;
  const text = answerText(answer, context);
  return new ControllerError(call, `the controller answered ${status} with an error: ${text}`, { status });
}

/** The error for a call whose last attempt got no answer. `uncertain`: an earlier attempt may have arrived. */
export function unanswered(
  call: ApiCall,
  failure: ConnectionFailure,
  attempts: number,
  uncertain: boolean,
): ControllerError {
  const mayHaveArrived = uncertain || failure.uncertain;
  const tried = attempts > 1 && failure.route === undefined ? `, ${attempts} attempts` : '';
  const unknown = mayHaveArrived && !isWithoutEffect(call) ? '; it may have taken effect' : '';
  return new ControllerError(call, `${failure.message}${tried}${unknown}`, {
    outcome: FAILED.has(failure.type) ? 'failed' : 'unreachable',
    hint: failure.hint,
    uncertain: mayHaveArrived,
    temporary: failure.temporary,
    givenUp: failure.type === 'closed',
    late: failure.type === 'timeout',
    route: failure.route,
    failure: failure.type,
    cause: failure.cause,
  });
}

/** A sign-in is a POST that may be repeated. */
function isWithoutEffect({ method, outsideApi }: ApiCall): boolean {
  return isRead(method) || outsideApi === true;
}

/** Failures that do not mean that the controller is unreachable. */
const FAILED: ReadonlySet<FailureType> = new Set(['malformed', 'oversized', 'throttled', 'local'] as const);

function deletionHint({ method }: ApiCall, status: number, text: string): string | undefined {
  if (method !== 'DELETE') return undefined;
  if (status === 405 || status === 501) return 'this controller does not delete such objects';
  return /\brefer/i.test(text) ? 'delete what refers to it first, or remove the reference there' : undefined;
}

const RESTARTS =
  'the controller may be starting or being upgraded: run again when it is up, or wait longer with controller_patience';
const GATEWAY = 'a gateway or proxy before the controller answered: does it reach the controller, and is that up?';
export const OUTCOME_UNKNOWN =
  'it is not sent again, because nothing shows whether it took effect: look at the controller, then run again if it did not';
const LOST_SIGN_IN =
  'the controller accepts the sign-in, but not the new session: it may be restarting, so run again when it is up, or wait longer with controller_patience';
const VERSION_STATUSES = new Set([400, 406, 417, 426]);

/** What to do about an answer, if its cause is known. `text` is the controller's message. */
function statusHint(call: ApiCall, status: number, text: string, settings: ConnectionSettings): string | undefined {
  if (VERSION_STATUSES.has(status) && /version/i.test(text))
    return `check controller_api_version: "${settings.apiVersion ?? ''}" was sent as ${settings.versionHeader}`;
  switch (status) {
    case 401:
      return refusedHint(settings);
    case 403:
      if (isUpgrading({ status, text })) return RESTARTS;
      if (settings.auth === 'session' && /\bCSRF Failed\b/i.test(text))
        return 'not even with a new session: does the controller know itself by the address in controller_url?';
      return `the user "${settings.username}" is not allowed to do this`;
    case 404:
      // A collection is no object.
      if (call.method === 'POST' && /\bobject not found\b/i.test(text))
        return 'a field refers to an object that does not exist';
      return settings.dialect.collectionSlash && mayLackSlash(call)
        ? 'check controller_url, and the path: that of a collection ends with a slash'
        : 'check controller_url, and the path';
    case 412:
      return 'the object has changed since it was read: read it again, then send it with the new _last_modified';
    case 419:
      return settings.dialect.session === undefined
        ? 'the controller speaks of a session: does controller_dialect name its dialect?'
        : 'the controller speaks of a session: set controller_auth: session';
    case 429:
      return 'the controller asks for fewer requests: set controller_requests_per_second, or try again later';
    case 503:
      return RESTARTS;
    case 502:
    case 504:
      return GATEWAY;
    default:
      return undefined;
  }
}

/** Only raw requests are written by users. An object that exists once takes PUT and PATCH, a collection does not. */
function mayLackSlash({ method, path, isFact }: ApiCall): boolean {
  return isFact !== true && (isRead(method) || method === 'POST') && /^\/api\/[^/?]+(?:\?|$)/.test(path);
}

function refusedHint({ auth, dialect, password }: ConnectionSettings): string {
  const isOdd = /^\s|\s$/.test(password);
  const check = `check controller_username and controller_password${isOdd ? ', which has white space at its beginning or end' : ''}`;
  if (auth === 'session') return check;
  if (dialect.session !== undefined)
    return `${check}; on a fresh controller Basic authentication is off: set controller_auth: session`;
  return `${check}; on a fresh controller Basic authentication is off until allow_basic_authentication is set in its portal settings; controller_auth: session does without it (with controller_dialect: avi)`;
}
