import { randomBytes } from 'node:crypto';
import type { Dialect } from '../../core/model/dialect.js';
import type { AccountCredentials, Behaviour } from '../behaviour/behaviour.js';
import {
  isJsonObject,
  isTraitPath,
  type JsonObject,
  tryReadJson,
  errorAnswer,
  requestRejected,
  RequestRejected,
  type SimulatedAnswer,
  type SimulatedRequest,
  success,
} from '../protocol/exchange.js';
import type { Accounts, SignIn } from './accounts.js';

interface SimulatedSession {
  readonly username: string;
  readonly csrfToken: string;
  lastUsed: number;
}

type SimulatedTraits = NonNullable<Dialect['session']>;

/** Sign-in by session, and by Basic authentication where it is allowed. */
export class Sessions {
  readonly #sessions = new Map<string, SimulatedSession>();

  constructor(
    private readonly traits: SimulatedTraits | undefined,
    private readonly accounts: Accounts,
  ) {}

  endAll(): void {
    this.#sessions.clear();
  }

  /** The answer if the request signs in; undefined if it does something else. */
  login(
    request: SimulatedRequest,
    path: string,
    behaviour: Behaviour,
    greeting: JsonObject,
  ): SimulatedAnswer | undefined {
    if (this.traits === undefined || !isTraitPath(path, this.traits.loginPath)) return undefined;
    if (request.method !== 'POST')
      return errorAnswer(405, `Method '${request.method}' not allowed.`, { allow: 'POST' });
    const credentials = parseCredentials(request);
    if (credentials === undefined) return errorAnswer(400, 'username and password are required.');
    const signIn = this.accounts.signIn(credentials, behaviour, Date.now());
    return signIn === 'ok' ? this.#welcome(credentials.username, this.traits, greeting) : signInRefusal(signIn);
  }

  logout(request: SimulatedRequest): SimulatedAnswer {
    this.#sessions.delete(this.#find(request)?.id ?? '');
    const { sessionCookies = [], csrfCookie = '' } = this.traits ?? {};
    const cleared = [...sessionCookies, csrfCookie].map((name) => `${name}=; Path=/; Max-Age=0`);
    return { ...success({}), headers: { 'set-cookie': cleared } };
  }

  /** The user's name if the request is signed in, and has the CSRF token that writes need. */
  authenticate(request: SimulatedRequest, behaviour: Behaviour, basicAllowed: boolean): string {
    if (request.headers.authorization !== undefined) return this.#basic(request, behaviour, basicAllowed);
    if (this.traits === undefined) throw challenge('Authentication credentials were not provided.');
    const found = this.#find(request);
    if (found === undefined) throw withDetail(401, 'Authentication credentials were not provided.');
    const { id, session } = found;
    const { session_timeout: timeout = Infinity } = behaviour;
    if (Date.now() - session.lastUsed >= timeout) {
      this.#sessions.delete(id);
      throw withDetail(401, 'Authentication credentials were not provided.');
    }
    session.lastUsed = Date.now();
    const problem = request.method === 'GET' ? undefined : this.#forgery(request, session);
    if (problem !== undefined) throw withDetail(403, `CSRF Failed: ${problem}`);
    return session.username;
  }

  #basic(request: SimulatedRequest, behaviour: Behaviour, allowed: boolean): string {
    if (!allowed)
      throw requestRejected(401, 'Basic authentication is disabled (portal_configuration.allow_basic_authentication).');
    const [, encoded = ''] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(request.headers.authorization ?? '') ?? [];
    const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const signIn = this.accounts.signIn({ username, password: password.join(':') }, behaviour, Date.now());
    if (signIn === 'ok') return username;
    throw this.traits === undefined ? challenge('Invalid credentials.') : new RequestRejected(signInRefusal(signIn));
  }

  #find(request: SimulatedRequest): { readonly id: string; readonly session: SimulatedSession } | undefined {
    const cookies = parseCookies(request);
    for (const name of this.traits?.sessionCookies ?? []) {
      const id = cookies.get(name) ?? '';
      const session = this.#sessions.get(id);
      if (session !== undefined) return { id, session };
    }
    return undefined;
  }

  /** Why the request may be forged by another site (CSRF); undefined if it has the token of the session. */
  #forgery(request: SimulatedRequest, { csrfToken }: SimulatedSession): string | undefined {
    const { csrfHeader = '', csrfCookie = '' } = this.traits ?? {};
    const { referer } = request.headers;
    if (referer === undefined) return 'Referer checking failed - no Referer.';
    if (urlOrigin(referer) !== urlOrigin(request.base))
      return `Referer checking failed - ${referer} does not match any trusted origins.`;
    const matches = request.headers[csrfHeader.toLowerCase()] === csrfToken;
    return matches && parseCookies(request).get(csrfCookie) === csrfToken
      ? undefined
      : 'CSRF token missing or incorrect.';
  }

  #welcome(username: string, { sessionCookies, csrfCookie }: SimulatedTraits, greeting: JsonObject): SimulatedAnswer {
    const id = randomBytes(16).toString('hex');
    const csrfToken = randomBytes(16).toString('hex');
    this.#sessions.set(id, { username, csrfToken, lastUsed: Date.now() });
    const cookies = [
      `${csrfCookie}=${csrfToken}; Path=/; Secure`,
      ...sessionCookies.map((name) => `${name}=${id}; HttpOnly; Path=/; Secure`),
    ];
    const body = { ...greeting, user: { username }, session_cookie_name: sessionCookies[0] ?? '' };
    return { ...success(body), headers: { 'set-cookie': cookies } };
  }
}

function signInRefusal(signIn: Exclude<SignIn, 'ok'>): SimulatedAnswer {
  const why = signIn === 'wrong' ? 'Invalid credentials' : 'Account is locked after too many failed logins';
  return errorAnswer(401, why);
}

function challenge(error: string): RequestRejected {
  return new RequestRejected(errorAnswer(401, error, { 'www-authenticate': 'Basic realm="controller"' }));
}

function withDetail(status: number, detail: string): RequestRejected {
  return new RequestRejected({ status, headers: {}, body: { detail } });
}

/** As a form or as JSON. */
function parseCredentials({ headers, body }: SimulatedRequest): AccountCredentials | undefined {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  const given = isJson ? tryReadJson(body) : Object.fromEntries(new URLSearchParams(body));
  if (!isJsonObject(given)) return undefined;
  const { username, token, password = token } = given;
  return typeof username === 'string' && typeof password === 'string' ? { username, password } : undefined;
}

function parseCookies({ headers }: SimulatedRequest): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return new Map(pairs);
}

function urlOrigin(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
