import type { DialectSettings } from './dialect.js';
import type { SettingValues } from './values.js';

export interface SettingHeaders {
  readonly versionHeader: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HEADERS = ['controller_headers'];

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRINTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What Evenkeel or the connection sets itself. */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'content-length',
  'content-type',
  'transfer-encoding',
]);

/** `controller_headers` and the name of the version header, checked to be headers that may be sent. */
export function settingHeaders(values: SettingValues, habits: DialectSettings): SettingHeaders {
  const versionHeader = values.text('controller_version_header') ?? habits.dialect.versionHeader;
  if (!isFree(versionHeader))
    values.problem(`controller_version_header is no header that can be set: "${versionHeader}"`, [
      'controller_version_header',
    ]);
  const taken = namesSetBy(habits).set(versionHeader.toLowerCase(), undefined);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values.mapping('controller_headers'))) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    if (!isFree(name) || taken.has(name.toLowerCase()))
      values.problem(`controller_headers cannot set "${name}"`, HEADERS, { hint: taken.get(name.toLowerCase()) });
    else if (typeof text !== 'string' || !PRINTABLE.test(text))
      values.problem(`the header "${name}" in controller_headers must be one line of text`, HEADERS);
    else headers[name] = text;
  }
  return { versionHeader, headers };
}

function isFree(name: string): boolean {
  return TOKEN.test(name) && !RESERVED.has(name.toLowerCase());
}

/** What the dialect and the sign-in set, with what to do instead. */
function namesSetBy({ dialect, auth }: DialectSettings): Map<string, string | undefined> {
  const taken = new Map<string, string | undefined>();
  if (dialect.tenants !== undefined) taken.set(dialect.tenants.header.toLowerCase(), 'set controller_tenant instead');
  if (auth !== 'session' || dialect.session === undefined) return taken;
  for (const name of ['cookie', 'referer', dialect.session.csrfHeader]) taken.set(name.toLowerCase(), undefined);
  return taken;
}
