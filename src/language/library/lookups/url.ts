import { decodedUri } from '../../../core/model/values/uri.js';
import { jsonText, isMapping, type Value, parseFlag } from '../../../core/model/values/value.js';
import { WaitInterrupted } from '../../../core/programs/side_thread.js';
import { isSecretName } from '../../../core/secrets/names.js';
import { splitLines } from '../../python/string.js';
import type { OutputPage } from '../../runtime/arguments.js';
import { Interrupted, NotKnownYet } from '../../runtime/errors.js';
import { asText, describe, evaluateLazy } from '../../runtime/result.js';
import { findFile, flattenTerms, readLookupFile, textOption, type LookupCall, type Lookups } from './lookup.js';
import { fetchPage, routeTo, shownUrl, type UrlRequest } from './url_page.js';

/** Seconds. */
const LONGEST_TIMEOUT = 86_400;

/** What a web server answers to a GET. */
export const urlLookups = {
  url: {
    options: (
      'split_lines username password force_basic_auth headers timeout validate_certs ca_path follow_redirects use_proxy ' +
      'force http_agent'
    ).split(' '),
    run: (call) => {
      const splits = flag(call, 'split_lines', true);
      return flattenTerms(call).flatMap((term) => {
        const text = textAt(asText(term), call);
        return splits ? splitLines(text, 'bytes') : [text];
      });
    },
  },
} satisfies Lookups;

function textAt(term: string, call: LookupCall): string {
  const page = askForPage(requestFor(parsed(term, call), call), call);
  if (page.type === 'failure') throw call.args.error(page.message, page.hint);
  return page.text;
}

/** @throws NotKnownYet before the run; TemplateError with `--no-exec` */
export function askForPage(request: UrlRequest, call: LookupCall): OutputPage {
  const { args } = call;
  const { commands, preview } = args.invoke;
  const { url } = request;
  if (!commands.allowed && preview?.readsLocal !== true)
    throw args.error(`--no-exec does not send a request to ${shownUrl(url)}`);
  if (preview !== undefined) throw new NotKnownYet(`the answer of ${shownUrl(url)}`);
  return pageAt(request, call);
}

function pageAt(request: UrlRequest, { args }: LookupCall): OutputPage {
  const { url, ...rest } = request;
  const route = routeTo(url, request.usesProxy, args);
  if ('type' in route) return route;
  try {
    // Behind another route, the same address is another server.
    return args.invoke.commands.page(jsonText({ url: url.href, ...rest, ...route }), (send) =>
      fetchPage(request, send, args),
    );
  } catch (error) {
    if (error instanceof WaitInterrupted) throw new Interrupted(`interrupted during the request to ${shownUrl(url)}`);
    throw error;
  }
}

function parsed(term: string, { args }: LookupCall): URL {
  const url = URL.canParse(term) ? new URL(term) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw args.error('a URL that begins with https:// or http:// is needed');
}

export function requestFor(given: URL, call: LookupCall): UrlRequest {
  const { args } = call;
  const hint = 'name the authority that signed the certificate with ca_path=';
  if (!flag(call, 'validate_certs', true)) throw args.error('certificates are always verified', hint);
  const url = new URL(given);
  url.username = url.password = url.hash = '';
  const headers = headersFor(given, call);
  if (Object.keys(headers).some(isSecretHeader)) requireEncrypted(url, call);
  const seconds = Number(option(call, 'timeout') ?? 10);
  if (!(seconds > 0 && seconds <= LONGEST_TIMEOUT))
    throw args.error(`timeout must be a number of seconds up to ${LONGEST_TIMEOUT}`);
  const agent = asText(option(call, 'http_agent') ?? 'evenkeel');
  const way = { ca: authority(call), follows: follows(call), usesProxy: flag(call, 'use_proxy', true) };
  return { url, headers, agent, timeout: seconds * 1000, ...way };
}

/** Before credentials are sent. */
export function requireEncrypted(url: URL, { args }: LookupCall): void {
  if (url.protocol === 'http:')
    throw args.error(`credentials are not sent to ${shownUrl(url)}, which is not encrypted`, 'use https://');
}

/** Names are in lower case. Secrets among the values are masked in all output from now on. */
function headersFor(url: URL, call: LookupCall): Readonly<Record<string, string>> {
  const given = evaluateLazy(option(call, 'headers') ?? {});
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
  if (secret !== '') args.invoke.services.secrets?.learn(secret);
}

function authority(call: LookupCall): string | undefined {
  const path = option(call, 'ca_path');
  if (path === undefined || path === '') return undefined;
  const text = readLookupFile(call.args, findFile(call.args, asText(path)));
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
  const known = parseFlag(asText(value));
  if (known !== undefined) return known;
  throw call.args.error(`"${name}" must be true or false, not ${describe(value)}`);
}
