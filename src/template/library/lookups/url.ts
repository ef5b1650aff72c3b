import { decodedUri } from '../../../model/values/uri.js';
import { decodeUtf8 } from '../../../files/utf8.js';
import { isSecretName } from '../../../secrets/names.js';
import { isMapping, type Value } from '../../../model/values/value.js';
import { WaitInterrupted } from '../../../programs/side_thread.js';
import type { WebAnswer, WebRequest } from '../../../programs/web.js';
import { settle } from '../../runtime/access.js';
import { Interrupted, NotKnownYet } from '../../runtime/errors.js';
import { asText, describe } from '../../runtime/text.js';
import type { Page } from '../../runtime/command_outputs.js';
import { findFile, readText } from './file_search.js';
import { type LookupCall, type Lookups, reasonOf, termsOf, textOption } from './lookup.js';

const MIB = 1 << 20;
const MOST = 16 * MIB;
const MOST_REDIRECTS = 10;
/** Seconds. */
const LONGEST_TIMEOUT = 86_400;

/** What a web server answers to a GET. */
export const urlLookups = {
  url: {
    options: [
      ...['split_lines', 'username', 'password', 'force_basic_auth', 'headers', 'timeout', 'validate_certs'],
      ...['ca_path', 'follow_redirects', 'use_proxy', 'force', 'http_agent'],
    ],
    run: (call) => {
      const splits = flag(call, 'split_lines', true);
      return termsOf(call).flatMap((term) => {
        const text = textAt(asText(term), call);
        return splits ? linesOf(text) : [text];
      });
    },
  },
} satisfies Lookups;

/** As Python's `bytes.splitlines`. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function textAt(term: string, call: LookupCall): string {
  const { args } = call;
  const { commands, preview } = args.invoke;
  const url = parsed(term, call);
  if (!commands.allowed && preview?.readsLocal !== true)
    throw args.error(`--no-exec does not send a request to ${shown(url)}`);
  if (preview !== undefined) throw new NotKnownYet(`the answer of ${shown(url)}`);
  const wanted = requestFor(url, call);
  const page = pageAt(wanted, call);
  if (page.type === 'failure') throw args.error(page.message, page.hint);
  return page.text;
}

function pageAt(wanted: Wanted, { args }: LookupCall): Page {
  const { url, ...rest } = wanted;
  try {
    return args.invoke.commands.page(JSON.stringify({ url: url.href, ...rest }), (send) =>
      followed(wanted, send, args),
    );
  } catch (error) {
    if (error instanceof WaitInterrupted) throw new Interrupted(`interrupted during the request to ${shown(url)}`);
    throw error;
  }
}

/** The request of a call. */
interface Wanted {
  /** Without credentials. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: string;
  readonly timeout: number;
  readonly ca: string | undefined;
  readonly follows: boolean;
  readonly usesProxy: boolean;
}

function parsed(term: string, { args }: LookupCall): URL {
  const url = URL.canParse(term) ? new URL(term) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw args.error('a URL that begins with https:// or http:// is needed');
}

function requestFor(given: URL, call: LookupCall): Wanted {
  const { args } = call;
  if (!flag(call, 'validate_certs', true))
    throw args.error(
      'certificates are always verified',
      'name the authority that signed the certificate with ca_path=',
    );
  const url = new URL(given);
  url.username = url.password = url.hash = '';
  const headers = headersFor(given, call);
  if (url.protocol === 'http:' && Object.keys(headers).some(isSecretHeader))
    throw args.error(`credentials are not sent to ${shown(url)}, which is not encrypted`, 'use https://');
  const seconds = Number(option(call, 'timeout') ?? 10);
  if (!(seconds > 0 && seconds <= LONGEST_TIMEOUT))
    throw args.error(`timeout must be a number of seconds up to ${LONGEST_TIMEOUT}`);
  return {
    url,
    headers,
    agent: asText(option(call, 'http_agent') ?? 'evenkeel'),
    timeout: seconds * 1000,
    ca: authority(call),
    follows: follows(call),
    usesProxy: flag(call, 'use_proxy', true),
  };
}

/** Names are in lower case. Secrets among the values are masked in all output from now on. */
function headersFor(url: URL, call: LookupCall): Readonly<Record<string, string>> {
  const given = settle(option(call, 'headers') ?? {});
  if (!isMapping(given)) throw call.args.error(`"headers" must be a mapping, not ${describe(given)}`);
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), asText(value)] as const);
  const own = { ...(flag(call, 'force', false) && { 'cache-control': 'no-cache' }), ...Object.fromEntries(headers) };
  const all = { ...own, ...basicAuthentication(url, call) };
  for (const [name, value] of Object.entries(all))
    if (isSecretHeader(name)) for (const secret of [value, ...value.split(' ').slice(1)]) learn(secret, call);
  return all;
}

function isSecretHeader(name: string): boolean {
  return (
    /^(?:proxy-)?authorization$|^cookie$/.test(name) || isSecretName(name) || isSecretName(name.replaceAll('-', '_'))
  );
}

function basicAuthentication(url: URL, call: LookupCall): Readonly<Record<string, string>> {
  const username = textOption(call, 'username', decodedUri(url.username));
  const password = textOption(call, 'password', decodedUri(url.password));
  learn(password, call);
  if (username === '') return {};
  if (username.includes(':')) throw call.args.error('"username" must not contain a colon');
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

function learn(secret: string, { args }: LookupCall): void {
  if (secret !== '') args.invoke.secrets?.learn(secret);
}

function authority(call: LookupCall): string | undefined {
  const path = option(call, 'ca_path');
  if (path === undefined || path === '') return undefined;
  const text = readText(call.args, findFile(call.args, asText(path)));
  if (text.includes('-----BEGIN ')) return text;
  throw call.args.error(`ca_path contains no PEM certificate: ${asText(path)}`);
}

function follows(call: LookupCall): boolean {
  const value = option(call, 'follow_redirects') ?? 'urllib2';
  if (value === 'all' || value === 'safe' || value === 'urllib2') return true;
  return value === 'none' ? false : flag(call, 'follow_redirects', true);
}

/** Options that variables may set, as in Ansible. */
const BY_VARIABLE: ReadonlyMap<string, string> = new Map([
  ['force', 'ansible_lookup_url_force'],
  ['timeout', 'ansible_lookup_url_timeout'],
  ['http_agent', 'ansible_lookup_url_agent'],
  ['follow_redirects', 'ansible_lookup_url_follow_redirects'],
  ['ca_path', 'ansible_lookup_url_ca_path'],
]);

function option({ options, args }: LookupCall, name: string): Value | undefined {
  const variable = BY_VARIABLE.get(name);
  return options.get(name) ?? (variable === undefined ? undefined : args.scope.get(variable)) ?? undefined;
}

function flag(call: LookupCall, name: string, fallback: boolean): boolean {
  const value = option(call, name) ?? fallback;
  if (/^(?:true|yes|on|y|t|1)$/i.test(asText(value))) return true;
  if (/^(?:false|no|off|n|f|0)$/i.test(asText(value))) return false;
  throw call.args.error(`"${name}" must be true or false, not ${describe(value)}`);
}

type Send = (request: WebRequest) => WebAnswer;

/** Sends the request, and follows redirects. Another origin gets none of the caller's headers. */
function followed(wanted: Wanted, send: Send, args: LookupCall['args']): Page {
  const { timeout, ca, agent } = wanted;
  let { url } = wanted;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const own = url.origin === wanted.url.origin ? wanted.headers : {};
    const way = reached(url, args);
    if ('type' in way) return way;
    const proxy = wanted.usesProxy ? way.proxy : undefined;
    const answer = send({ url: url.href, headers: { 'user-agent': agent, ...own }, timeout, ca, proxy, most: MOST });
    if (answer.type === 'failure') return failure(answer, url, timeout);
    const next = wanted.follows ? nextOf(answer, url) : undefined;
    if (next === undefined) return pageOf(answer, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      return failed(`${shown(url)} redirects to ${shown(next)}, which is not https`);
    url = next;
  }
  return failed(`${shown(wanted.url)} redirects more than ${MOST_REDIRECTS} times`);
}

function reached(url: URL, { invoke }: LookupCall['args']): { readonly proxy: string | undefined } | Page {
  if (invoke.reach === undefined) return failed(`no request to ${shown(url)}: only a run sends requests`);
  try {
    return invoke.reach(url);
  } catch (error) {
    const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
    return failed(reasonOf(error), hint);
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function nextOf({ status, location }: Extract<WebAnswer, { type: 'answer' }>, from: URL): URL | undefined {
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, from.href)) return undefined;
  const next = new URL(location, from);
  next.username = next.password = next.hash = '';
  return next;
}

function pageOf({ status, reason, body }: Extract<WebAnswer, { type: 'answer' }>, url: URL): Page {
  if (status < 200 || status > 299) return failed(`${shown(url)} answered ${`${status} ${reason}`.trim()}`);
  const text = decodeUtf8(Buffer.from(body));
  if ('bad' in text) return failed(`line ${text.bad.line} of the answer of ${shown(url)} is not UTF-8 text`);
  return { type: 'text', text: text.text };
}

function failure({ code, message }: Extract<WebAnswer, { type: 'failure' }>, url: URL, timeout: number): Page {
  switch (code) {
    case 'TIMEOUT':
      return failed(`${shown(url)} did not answer within ${timeout / 1000} s`, 'timeout= sets the number of seconds');
    case 'TOO_LARGE':
      return failed(`the answer of ${shown(url)} is larger than ${MOST / MIB} MiB`);
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

function failed(message: string, hint?: string): Page {
  return { type: 'failure', message, hint };
}

/** A query may hold a token. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
