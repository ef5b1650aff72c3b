import { X509Certificate } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { whyUnreadable } from '../../core/files/paths.js';
import { readBytesSync } from '../../core/files/read_bytes.js';
import { DIALECTS, type Dialect, type Dialects, isFreeHeader, isTraitHeader } from '../../core/model/dialect.js';
import type { Auth, ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity, routeText, type Routes } from '../../core/model/inventory/route.js';
import { errorMessage, orElse } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isNumeric } from '../../core/model/values/json.js';
import { removedText } from '../../core/model/version.js';
import { settingDialect, type DialectSettings } from './dialect.js';
import { settingRoute, signedInRoute } from './route.js';
import { settingUrl } from './url.js';
import { SettingValues, type SettingProblem, type VariableLookup } from './values.js';

const SITE = 'evenkeel_site';
const DEFAULT_TIMEOUT = 30;
/** One day, in seconds. Node's timers treat more than 24 days as zero. */
const LONGEST_TIMEOUT = 86_400;

/** In seconds: a restart of a tunnel, a failover of a cluster's leader. */
const DEFAULT_PATIENCE = 15;

/** In seconds: a controller may work on a request longer than its client waits. */
const LEAST_SETTLING = 60;

/** What settings can refer to. */
export interface SettingSources {
  /** Returns the text of a `controller_ca_file`; throws if it cannot be read. Share one `caReader` in a run. */
  readonly readCa?: (file: string) => string;
  /** The dialects for `controller_dialect`. Absent: the built-in ones. */
  readonly dialects?: Dialects;
  /** The routes for `controller_route`. Absent: none. */
  readonly routes?: Routes;
}

/**
 * The connection settings of a controller, from its rendered variables: `controller_*`, else Ansible's httpapi names.
 * Reports all problems at once and contacts nothing.
 */
export function parseSettings(
  variables: VariableLookup,
  controller: string,
  { readCa = caReader('.'), dialects = DIALECTS, routes = new Map() }: SettingSources = {},
): { readonly settings: ConnectionSettings } | { readonly problems: readonly SettingProblem[] } {
  const values = new SettingValues(variables, controller);
  requireNoSite(values);
  const url = settingUrl(values, values.flag('controller_allow_http') ?? false);
  const traits = settingDialect(values, dialects);
  const username = readUsername(values, traits.auth);
  const token = readToken(values, traits.auth);
  const password = token ?? values.required(PASSWORD_VARIABLES, 'set it in the inventory, or pass -k');
  const apiVersion = readApiVersion(values, traits.dialect);
  const headers = settingHeaders(values, traits);
  // Without spreading, which costs more than the rest for an object of so many fields.
  const timeout =
    values.number({ least: 0.001, most: LONGEST_TIMEOUT, whole: false }, 'controller_timeout') ?? DEFAULT_TIMEOUT;
  const settings = {
    controller,
    url,
    username,
    password,
    isToken: token !== undefined,
    apiVersion,
    dialect: traits.dialect,
    isDialectAssumed: traits.isDialectAssumed,
    auth: traits.auth,
    tenant: traits.tenant,
    versionHeader: headers.versionHeader,
    headers: headers.headers,
    ca: readCaFile(values, readCa),
    verifyTls: values.flagOr('strict', 'controller_verify_tls', 'ansible_httpapi_validate_certs') ?? true,
    timeout,
    writeSettles:
      values.number({ least: 0, most: LONGEST_TIMEOUT, whole: false }, 'controller_write_settles') ??
      Math.max(LEAST_SETTLING, timeout),
    patience:
      values.number({ least: 0, most: LONGEST_TIMEOUT, whole: false }, 'controller_patience') ?? DEFAULT_PATIENCE,
    maxRequests: values.number({ least: 1, whole: true }, 'controller_max_requests') ?? 1,
    requestsPerSecond: values.number({ least: 0.001, whole: false }, 'controller_requests_per_second'),
    route: signedInRoute(values, settingRoute(values, routes)),
    shared: values.flag('controller_shared') ?? false,
  };
  const simulated = values.text('controller_simulated_url');
  if (!complete(settings)) return { problems: values.problems };
  if (simulated !== undefined) requireSimulated(simulated, settings, values);
  return values.problems.length === 0 ? { settings } : { problems: values.problems };
}

/** Many variables override those of an inventory of simulated controllers, and could lead its run to a real one. */
function requireSimulated(simulated: string, settings: ConnectionSettings, values: SettingValues): void {
  const identity = controllerIdentity(settings);
  if (identity === simulated) return;
  const hint =
    'an inventory of simulated controllers allows no others: pass it last, limit the run to them, or use "run --simulate" without it';
  values.problem(`${identity} is not the simulated controller of ${settings.controller}`, ['controller_url'], { hint });
}

/** Without its site, the address may be that of another controller. */
function requireNoSite(values: SettingValues): void {
  const message = values.isSet(SITE) ? removedText(SITE) : undefined;
  if (message !== undefined) values.problem(message, [SITE], { hint: 'delete the variable' });
}

type Draft = { readonly [Key in keyof ConnectionSettings]: ConnectionSettings[Key] | undefined };

/** Missing values were reported as problems; this proves it to the compiler. */
function complete(draft: Draft): draft is ConnectionSettings {
  return draft.url !== undefined && draft.username !== undefined && draft.password !== undefined;
}

/** Strongest first. */
export const USERNAME_VARIABLES = ['controller_username', 'ansible_user'] as const;
export const PASSWORD_VARIABLES = [
  'controller_password',
  // In Ansible, too, those of httpapi override the one that SSH may use.
  'ansible_httpapi_password',
  'ansible_httpapi_pass',
  'ansible_password',
] as const;

function readUsername(values: SettingValues, auth: Auth): string | undefined {
  const username = values.required(USERNAME_VARIABLES, 'set it in the inventory, or pass -u');
  if (auth !== 'basic' || username?.includes(':') !== true) return username;
  const problem = 'controller_username must not contain a colon: Basic authentication does not allow one';
  values.problem(problem, USERNAME_VARIABLES);
  return undefined;
}

/** An empty one equals none, as in playbooks of the vendor's collection. */
function readToken(values: SettingValues, auth: Auth): string | undefined {
  const token = values.text('controller_token');
  if (token === undefined || token === '') return undefined;
  const problem = 'controller_token needs controller_auth: session, because Basic authentication takes passwords only';
  if (auth === 'basic') values.problem(problem, ['controller_token']);
  return token;
}

const VERSION_HINT =
  'set it to the API version to speak, such as "22.1.3"; with controller_dialect: avi, controllers are asked for it';

/** API document, section 9: three numbers. Controllers that show their version need not have it set. */
function readApiVersion(values: SettingValues, { versionPath }: Dialect): string | undefined {
  if (versionPath !== undefined && !values.isSet('controller_api_version')) return undefined;
  const names = ['controller_api_version'] as const;
  const version = values.required(names, VERSION_HINT);
  if (version === undefined || /^\d+\.\d+\.\d+$/.test(version)) return version;
  values.problem(`controller_api_version must be three numbers, such as "22.1.3", not "${version}"`, names);
  return undefined;
}

function readCaFile(values: SettingValues, readCa: (file: string) => string): string | undefined {
  const names = ['controller_ca_file', 'ansible_httpapi_ca_path'];
  const file = values.text(...names);
  if (file === undefined) return undefined;
  try {
    return readCa(file);
  } catch (error) {
    values.problem(`controller_ca_file cannot be read: ${errorMessage(error)}`, names);
  }
  return undefined;
}

const HEADERS = ['controller_headers'];
const VERSION_HEADER = ['controller_version_header'];

const PRINTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** `controller_headers` and the name of the version header, checked to be headers that may be sent. */
function settingHeaders(values: SettingValues, traits: DialectSettings) {
  const versionHeader = values.text('controller_version_header') ?? traits.dialect.versionHeader;
  const taken = namesSetBy(traits);
  if (!isTraitHeader(versionHeader) || taken.has(versionHeader.toLowerCase()))
    values.problem(`controller_version_header is not a header that can be set: "${versionHeader}"`, VERSION_HEADER);
  taken.set(versionHeader.toLowerCase(), undefined);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values.mapping('controller_headers'))) {
    const text = isNumeric(value) || typeof value === 'boolean' ? String(value) : value;
    if (!isFreeHeader(name) || taken.has(name.toLowerCase()))
      values.problem(`controller_headers cannot set "${name}"`, HEADERS, { hint: taken.get(name.toLowerCase()) });
    else if (typeof text !== 'string' || !PRINTABLE.test(text))
      values.problem(`the header "${name}" in controller_headers must be one line of text`, HEADERS);
    else headers[name] = text;
  }
  return { versionHeader, headers };
}

/** Headers that the dialect and the sign-in set, with what to use instead. */
function namesSetBy({ dialect, auth }: DialectSettings): Map<string, string | undefined> {
  const taken = new Map<string, string | undefined>();
  if (dialect.tenants !== undefined) taken.set(dialect.tenants.header.toLowerCase(), 'set controller_tenant instead');
  if (auth !== 'session' || dialect.session === undefined) return taken;
  for (const name of ['cookie', 'referer', dialect.session.csrfHeader]) taken.set(name.toLowerCase(), undefined);
  return taken;
}

/** Reads files of PEM certificates, each once: a fleet shares one text, and so one secure context. Relative names count from `directory`. */
export function caReader(directory: string): (file: string) => string {
  const texts = new Map<string, string>();
  return (file) => {
    const name = path.resolve(directory, file.replace(/^~(?=\/)/, homedir()));
    return getOrAdd(texts, name, () => readCertificates(name));
  };
}

const CERTIFICATE = /^-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;

/**
 * PEM, even of a file in DER. OpenSSL would pass over what it cannot read, and trust fewer authorities: it gets what was
 * checked, each certificate on lines of its own, also if files were joined whose last line had no end.
 */
function readCertificates(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readBytesSync(file);
  } catch (error) {
    throw new Error(`${file}: ${whyUnreadable(error)}`, { cause: error });
  }
  const blocks = bytes
    .toString()
    .split(/(?=-----BEGIN )/)
    .filter((block) => CERTIFICATE.test(block));
  if (blocks.length === 0) {
    const inDer = orElse(undefined, () => new X509Certificate(bytes));
    if (inDer === undefined) throw new Error(`${file}: it has no certificate in PEM or DER`);
    return inDer.toString();
  }
  const damaged = blocks.findIndex((block) => orElse(true, () => new X509Certificate(block)) === true);
  if (damaged >= 0) throw new Error(`${file}: certificate ${damaged + 1} of ${blocks.length} in it is damaged`);
  return blocks.join('\n');
}

/** What anyone on the way to the controller could read. A route leads through other machines, so it is named. */
export function securityRisk({ url, verifyTls, route }: ConnectionSettings): string | undefined {
  const through = route === undefined || route.proxies.length === 0 ? '' : ` through ${routeText(route)}`;
  if (url.startsWith('http:')) return `controller_allow_http: the password is sent in clear text${through}`;
  if (verifyTls) return undefined;
  return `controller_verify_tls is false: anyone on the network path${through} can pose as this controller and read the password`;
}
