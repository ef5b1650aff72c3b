import { decodeUtf8 } from '../../../core/files/read_bytes.js';
import { refusesCredentials } from '../../../core/model/run/temporary.js';
import { errorHint } from '../../../core/model/source/diagnostic.js';
import { jsonText } from '../../../core/model/values/value.js';
import type { WebAnswer, WebRequest } from '../../../core/programs/programs.js';
import type { OutputPage } from '../../runtime/arguments.js';
import type { RouteUrl } from '../../runtime/frame.js';
import { describeError, type LookupCall } from './lookup.js';

const MIB = 1 << 20;
const MOST_PAGE_BYTES = 16 * MIB;
const MOST_REDIRECTS = 10;

/** The request of a call of the lookup `url`. */
export interface UrlRequest extends Pick<WebRequest, 'headers' | 'timeout' | 'ca'> {
  /** Without credentials. */
  readonly url: URL;
  readonly agent: string;
  readonly follows: boolean;
  readonly usesProxy: boolean;
  /** Whether any certificate is trusted. */
  readonly insecure?: boolean;
  /** Signs in before the request, and out after it. */
  readonly session?: WebRequest['session'];
}

type Send = (request: WebRequest) => WebAnswer;

/** Sends the request, and follows redirects. Sends none of the caller's headers to another origin. */
export function fetchPage(request: UrlRequest, send: Send, args: LookupCall['args']): OutputPage {
  const { timeout, ca, agent } = request;
  const { refusedSignIns } = args.invoke.commands;
  let { url } = request;
  const signIn = jsonText([url.origin, request.session?.body ?? null]);
  if (refusedSignIns.has(signIn))
    return failed(
      `no request to ${shownUrl(url)}: it has refused these credentials before`,
      'check the user and password in avi_credentials',
    );
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const own = url.origin === request.url.origin ? request.headers : {};
    const route = routeTo(url, request.usesProxy, args);
    if ('type' in route) return route;
    const { proxies } = route;
    const answer = send({
      url: url.href,
      headers: { 'user-agent': agent, ...own },
      timeout,
      ca,
      proxies,
      most: MOST_PAGE_BYTES,
      insecure: request.insecure === true,
      session: url.origin === request.url.origin ? request.session : undefined,
    });
    if (answer.type === 'failure') return failure(answer, url, timeout);
    const { status, body, isSignIn } = answer;
    if (isSignIn === true && refusesCredentials({ status, text: Buffer.from(body).toString() }))
      refusedSignIns.add(signIn);
    const next = request.follows ? redirectTarget(answer, url) : undefined;
    if (next === undefined) return toPage(answer, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      return failed(`${shownUrl(url)} redirects to ${shownUrl(next)}, which is not https`);
    url = next;
  }
  return failed(`${shownUrl(request.url)} redirects more than ${MOST_REDIRECTS} times`);
}

/** How the request is sent, or why it is not. */
export function routeTo(
  url: URL,
  usesProxy: boolean,
  { invoke, scope }: LookupCall['args'],
): ReturnType<RouteUrl> | OutputPage {
  const { routeUrl } = invoke.services;
  if (routeUrl === undefined) return failed(`no request to ${shownUrl(url)}: only a run sends requests`);
  try {
    const route = routeUrl(url, usesProxy ? scope : undefined);
    const simulated = scope.get('controller_simulated_url') ?? null;
    if (simulated === null || (url.origin === simulated && route.proxies.length === 0)) return route;
    return failed(`no request to ${shownUrl(url)}: an inventory of simulated controllers allows no other addresses`);
  } catch (error) {
    return failed(describeError(error), errorHint(error));
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget({ status, location }: Extract<WebAnswer, { type: 'answer' }>, from: URL): URL | undefined {
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from);
  next.username = next.password = next.hash = '';
  return next;
}

function toPage({ status, reason, body }: Extract<WebAnswer, { type: 'answer' }>, url: URL): OutputPage {
  if (status < 200 || status > 299) return failed(`${shownUrl(url)} answered ${`${status} ${reason}`.trim()}`);
  const text = decodeUtf8(Buffer.from(body));
  if ('bad' in text) return failed(`line ${text.bad.line} of the answer of ${shownUrl(url)} is not UTF-8 text`);
  return { type: 'text', text: text.text };
}

function failure({ code, message }: Extract<WebAnswer, { type: 'failure' }>, url: URL, timeout: number): OutputPage {
  switch (code) {
    case 'TIMEOUT':
      return failed(
        `${shownUrl(url)} did not answer within ${timeout / 1000} s`,
        'timeout= sets the number of seconds',
      );
    case 'TOO_LARGE':
      return failed(`the answer of ${shownUrl(url)} is larger than ${MOST_PAGE_BYTES / MIB} MiB`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed(`no connection to ${url.origin}: the name is unknown (${code})`, 'check the host in the URL');
    case 'CERT_HAS_EXPIRED':
      return failed(`the certificate of ${url.origin} has expired`);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return failed(`the certificate of ${url.origin} is for another name`);
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return failed(
        `the certificate of ${url.origin} is not trusted (${code})`,
        'name the authority that signed it with ca_path=',
      );
    case 'PROXY':
      return failed(`no connection to ${url.origin}: ${message}`);
    default:
      return failed(`no answer from ${url.origin} (${code === '' ? message : code})`);
  }
}

function failed(message: string, hint?: string): OutputPage {
  return { type: 'failure', message, hint };
}

/** The URL for messages: its query may contain a token. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
