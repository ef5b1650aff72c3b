import { hostFault, type AddressFault, controllerFault } from '../../core/model/inventory/address.js';
import { controllerIdentity, type Routes } from '../../core/model/inventory/route.js';
import { escapeInvisible } from '../../core/model/invisible.js';
import { MASK } from '../../core/secrets/secrets.js';
import { settingRoute } from './route.js';
import { PORT, SettingValues, type VariableLookup } from './values.js';

const VARIABLES = (
  'controller_url ansible_host ansible_connection ansible_httpapi_use_ssl ansible_httpapi_port ansible_port ' +
  'controller_allow_http'
).split(' ');

/** Valid addresses as written, and as used. A run reads the address of each controller several times. */
const sound = new Map<string, string>();
const MOST_SOUND = 5_000;

const URL_HINT = 'set it to https:// and the address of the controller';

/**
 * The base URL from `controller_url`, else from Ansible's httpapi names; undefined, with a reported problem, if none
 * is valid.
 */
export function settingUrl(values: SettingValues, allowHttp: boolean): string | undefined {
  const { controller } = values;
  const isOwn = values.isSet('controller_url');
  const text = isOwn ? values.required(['controller_url'], URL_HINT) : ansibleUrl(values);
  if (text === undefined) return undefined;
  const known = sound.get(text);
  if (known !== undefined) return known;
  const fault = controllerFault(text) ?? pathFault(text) ?? schemeFault(text, allowHttp);
  if (fault === undefined) {
    const url = withoutSlashes(new URL(text).href);
    if (url.startsWith('https:') && sound.size < MOST_SOUND) sound.set(text, url);
    return url;
  }
  const problem = `${fault.what}: "${shownAddress(text)}"`;
  const name = isOwn ? 'controller_url' : `the address of ${controller}`;
  const general = isOwn ? undefined : `the address ${problem}`;
  values.problem(`${name} ${problem}`, VARIABLES, { hint: fault.hint, general });
  return undefined;
}

/** The inventory name is an address only if Ansible's httpapi would use it as one. */
function ansibleUrl(values: SettingValues): string | undefined {
  const https = values.flag('ansible_httpapi_use_ssl');
  const host = values.isSet('ansible_host') ? ownHost(values) : nameAsHost(values, https !== undefined);
  const port = values.number(PORT, 'ansible_httpapi_port', 'ansible_port');
  if (host === undefined) return undefined;
  return `${https === false ? 'http' : 'https'}://${host}${port === undefined ? '' : `:${port}`}`;
}

function ownHost(values: SettingValues): string | undefined {
  const text = values.text('ansible_host');
  if (text === undefined) return undefined;
  const host = text.replace(/^\[(.*:.*)\]$/, '$1');
  const fault = hostFault(host);
  if (fault === undefined) return bracketed(host);
  const hint = /^[^:]+:[0-9]+$/.test(host) ? 'write the port in ansible_port' : fault.hint;
  values.problem(`ansible_host ${fault.what}: "${shownAddress(text)}"`, ['ansible_host'], { hint });
  return undefined;
}

function nameAsHost(values: SettingValues, hasScheme: boolean): string | undefined {
  const { controller } = values;
  if (!hasScheme && !isHttpapi(values.text('ansible_connection'))) {
    values.problem(`${controller} has no controller_url`, VARIABLES, { hint: URL_HINT, general: 'no controller_url' });
    return undefined;
  }
  const fault = hostFault(controller);
  if (fault === undefined) return bracketed(controller);
  const hint = 'set ansible_host or controller_url';
  values.problem(`the name "${shownAddress(controller)}" ${fault.what}`, VARIABLES, { hint });
  return undefined;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Whether an `ansible_connection` makes the name of a host an address. */
export function isHttpapi(connection: string | undefined): boolean {
  return connection !== undefined && /(^|\.)httpapi$/.test(connection);
}

function pathFault(text: string): AddressFault | undefined {
  if (!withoutSlashes(text).endsWith('/api')) return undefined;
  return { what: 'must end before /api', hint: 'requests add /api/ themselves' };
}

function schemeFault(text: string, allowHttp: boolean): AddressFault | undefined {
  if (allowHttp || !/^http:/i.test(text)) return undefined;
  const hint = 'credentials would be sent in clear text; controller_allow_http: true allows it';
  return { what: 'is not https', hint };
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}

/** For messages. */
function shownAddress(text: string): string {
  const clear = text.replace(/^([a-z]*:[/\\]*)?[^]*@/i, (_all, scheme?: string) => `${scheme ?? ''}${MASK}@`);
  return escapeInvisible(clear);
}

/**
 * The identity of a controller, from its rendered variables, even if the rest of its settings is missing or wrong.
 * Undefined if its address or its route is.
 *
 * @param routes those of the project file; absent: none
 */
export function settingIdentity(
  variables: VariableLookup,
  controller: string,
  routes: Routes = new Map<string, never>(),
): string | undefined {
  const values = new SettingValues(variables, controller);
  const url = settingUrl(values, true);
  const route = settingRoute(values, routes);
  return url === undefined || values.problems.length > 0 ? undefined : controllerIdentity({ url, route });
}
