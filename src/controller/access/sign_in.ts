import type { SessionTraits } from '../../core/model/dialect.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { isRead } from '../../core/model/run/session.js';
import type { AnswerContext } from '../answers/answer_text.js';
import { redirected, rejection } from '../answers/rejection.js';
import { ConnectionFailure, ControllerError, notSentAfter, type ApiAnswer, type ApiCall } from '../exchange/call.js';
import type { Transport } from '../transport/transport.js';
import { SignedIn } from './sign_ins.js';

/** The path does not exist: the controller has another dialect. */
const NO_LOGIN: ReadonlySet<number> = new Set([404, 405]);

/**
 * Whether a controller's answer is about the sign-in, not the request, which had no effect then. 403: its CSRF token is
 * no longer valid, as Django says it.
 */
export function endsSignIn({ status, text }: ApiAnswer): boolean {
  return status === 401 || status === 419 || (status === 403 && /\bCSRF Failed\b/i.test(text));
}

export function loginCall({ loginPath }: SessionTraits, settings: ConnectionSettings): ApiCall {
  const { username, password, isToken } = settings;
  const body = JSON.stringify({ username, [isToken === true ? 'token' : 'password']: password });
  return { method: 'POST', path: loginPath, body, repeatable: true, outsideApi: true };
}

/** How long the sign-out may take on one controller, and on all of them. Sign-ins also expire on their own. */
const LOGOUT_SECONDS = { each: 2, all: 5 };
const LOGOUTS_AT_ONCE = 20;

/** Ends sign-ins, as far as that is possible in a short time. */
export async function signOut(
  signIns: readonly SignedIn[],
  open: (settings: ConnectionSettings) => Transport,
): Promise<void> {
  const end = performance.now() + LOGOUT_SECONDS.all * 1000;
  const rest = signIns.values();
  const work = async (): Promise<void> => {
    for (const signedIn of rest) if (performance.now() < end) await signOutOnce(signedIn, open);
  };
  await Promise.all(Array.from({ length: LOGOUTS_AT_ONCE }, work));
}

async function signOutOnce(signedIn: SignedIn, open: (settings: ConnectionSettings) => Transport): Promise<void> {
  const { settings } = signedIn;
  const traits = settings.dialect.session;
  if (traits === undefined) return;
  const transport = open({ ...settings, timeout: Math.min(settings.timeout, LOGOUT_SECONDS.each), maxRequests: 1 });
  try {
    const call: ApiCall = { method: 'POST', path: traits.logoutPath, body: '{}', repeatable: false, outsideApi: true };
    await transport.send(call, signedIn.headersFor('POST'));
  } catch {
    // The controller ends the sign-in when it has not been used for a while.
  } finally {
    await transport.close();
  }
}

/** The sign-in that an answer to `loginCall` granted; throws if it granted none. */
export function signedInBy(call: ApiCall, answer: ApiAnswer, traits: SessionTraits, context: AnswerContext): SignedIn {
  const { settings, secrets } = context;
  if (NO_LOGIN.has(answer.status)) throw wrongDialect(call, answer, 'has no such path');
  if (answer.status >= 300 && answer.status < 400) throw redirected(call, answer, context);
  if (answer.status >= 400) throw rejection(call, answer, context);
  const signedIn = new SignedIn(traits, settings, (secret) => secrets.add(secret));
  signedIn.absorb(answer.setCookies ?? []);
  if (signedIn.isComplete) return signedIn;
  throw wrongDialect(call, answer, `set no cookie ${traits.sessionCookies.join(' or ')}`);
}

function wrongDialect(call: ApiCall, { status }: ApiAnswer, what: string): ControllerError {
  const hint = 'does controller_dialect name the dialect of this controller?';
  return new ControllerError(call, `the controller answered ${status} and ${what}`, { status, hint });
}

/** The failure of a request whose credentials must not be tried. */
export function signedOut(objection: string): ConnectionFailure {
  const hint = 'check controller_username and controller_password';
  return new ConnectionFailure('refused', `not sent: ${objection}`, hint);
}

/**
 * A request that was not sent because the sign-in before it failed.
 * @param uncertain whether an earlier attempt of the request may have arrived
 */
export class SignInError extends ControllerError {
  override readonly name = 'SignInError';

  constructor(call: ApiCall, cause: ControllerError, uncertain: boolean) {
    const unknown = uncertain && !isRead(call.method) ? '; the request may have taken effect before' : '';
    const what = `${cause.route === undefined ? 'cannot sign in: ' : ''}${cause.message}`;
    super(call, `${what}${unknown}`, { ...notSentAfter(call, cause), uncertain });
  }
}
