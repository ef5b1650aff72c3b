import type { ConnectionSettings } from '../model/inventory/connection_variables.js';
import type { WholeNumber } from '../model/values/json.js';
import { isStoring, loadResident } from '../model/values/stored.js';
import { decodedUri } from '../model/values/uri.js';
import { isList, isMapping, LazyMapping, Unsafe, Vaulted, type Mapping, type Value } from '../model/values/value.js';
import { URL_PASSWORD } from './mask_text.js';
import { coverFor, FEWEST_DIGITS, type Cover } from './names.js';
import type { Secrets } from './secrets.js';

/** Reports a secret. `named`: it is under the name of a secret. */
type OnSecret = (text: string, named: boolean) => void;

/** Headers with credentials have such names. */
const TELLING_HEADER = /auth|token|key|secret|pass|cookie|session/i;
const HEADERS = new Set(['controller_headers', 'headers']);
const USER_INFO = new RegExp(String.raw`\b[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:]{0,200}:(${URL_PASSWORD})@`, 'gi');

/**
 * The texts and numbers under names such as `password`, and passwords in URLs; with `all`, every text and long number.
 */
export function forEachSecret(value: Value, all: boolean, onSecret: OnSecret): void {
  visit(value, 'open', { all, onSecret, seen: new Set() });
}

interface SecretSearch {
  readonly all: boolean;
  readonly onSecret: OnSecret;
  /** Mappings not under the name of a secret. The states before and after a change share most of them. */
  readonly seen: Set<Mapping>;
}

function visit(value: Value, cover: Cover, search: SecretSearch): void {
  if (typeof value === 'string') visitText(value, cover, search);
  else if (value === null || typeof value === 'boolean') return;
  else if (typeof value !== 'object') visitNumber(value, cover, search);
  // It becomes a secret when it is decrypted.
  else if (value instanceof Vaulted || value instanceof LazyMapping) return;
  else if (value instanceof Unsafe) visitText(value.text, cover, search);
  else if (isList(value)) for (const item of value) visit(item, cover, search);
  else visitMapping(value, cover, search);
}

function visitMapping(mapping: Mapping, cover: Cover, search: SecretSearch): void {
  if (cover === 'open') {
    if (search.seen.has(mapping)) return;
    search.seen.add(mapping);
  }
  // Stored values have been searched before; if all of it is a secret, it is read again.
  const read = cover === 'open' && !search.all && isStoring(mapping) ? loadResident(mapping) : mapping;
  for (const name of Object.keys(read)) {
    const value = read[name] ?? null;
    const inner = coverFor(name, mapping, cover);
    if (inner === 'open' && HEADERS.has(name)) visitHeaders(value, search);
    else visit(value, inner, search);
  }
}

function visitText(text: string, cover: Cover, { all, onSecret }: SecretSearch): void {
  const named = cover !== 'open';
  if (all || named) onSecret(text, named);
  if (text.includes('://') && text.includes('@'))
    for (const password of passwordsInUrls(text)) onSecret(password, true);
}

function visitNumber(value: WholeNumber, cover: Cover, { all, onSecret }: SecretSearch): void {
  const text = String(value);
  const named = cover !== 'open';
  if (named || (all && text.length >= FEWEST_DIGITS)) onSecret(text, named);
}

function visitHeaders(value: Value, search: SecretSearch): void {
  if (!isMapping(value)) return visit(value, 'open', search);
  for (const [name, header] of Object.entries(value)) {
    if (!TELLING_HEADER.test(name)) visit(header, 'open', search);
    else if (typeof header === 'string') for (const secret of secretsInHeader(header)) search.onSecret(secret, true);
    else visit(header, 'secret', search);
  }
}

/** A header's value, what follows its scheme (`Bearer …`), and of Basic credentials the password. */
function secretsInHeader(value: string): readonly string[] {
  const [, scheme = '', rest] = /^([\w-]+)\s+(\S.*)$/.exec(value.trim()) ?? [];
  if (rest === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, rest];
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(rest, 'base64').toString()) ?? [];
  return password === undefined ? [value, rest] : [value, rest, password];
}

/**
 * The password in `https://user:password@host`, as written and decoded. Before several `@`, it may also end at the first:
 * in a list of addresses.
 */
export function passwordsInUrls(text: string): readonly string[] {
  const readings = (given: string) => [...new Set([given, decodedUri(given), ...given.split('@', 1)])];
  return [...text.matchAll(USER_INFO)].flatMap(([, password = '']) => readings(password));
}

/**
 * Everything in the settings that must be masked in all output: the password, a proxy's password, and headers with
 * credentials.
 */
export function addSecrets(settings: ConnectionSettings, secrets: Secrets): void {
  secrets.addCredentials(settings.username, settings.password);
  for (const proxy of settings.route?.proxies ?? []) addProxySecrets(proxy, secrets);
  for (const [name, value] of Object.entries(settings.headers))
    if (TELLING_HEADER.test(name)) for (const secret of secretsInHeader(value)) secrets.add(secret);
}

/** The credentials in the URL of a proxy. */
export function addProxySecrets(proxy: string, secrets: Secrets): void {
  for (const password of passwordsInUrls(proxy)) secrets.add(password);
  if (!URL.canParse(proxy)) return;
  const { username, password } = new URL(proxy);
  if (password !== '') secrets.addCredentials(decodedUri(username), decodedUri(password));
}
