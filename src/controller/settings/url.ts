import { MASK } from '../../secrets/secrets.js';
import type { SettingValues } from './values.js';

const VARIABLES = [
  'controller_url',
  'ansible_host',
  'ansible_connection',
  'ansible_httpapi_use_ssl',
  'ansible_httpapi_port',
  'ansible_port',
  'controller_allow_http',
];

/**
 * The base URL from `controller_url`, else from Ansible's httpapi names; undefined, with a reported problem, if none
 * is valid.
 */
export function settingUrl(values: SettingValues, controller: string, allowHttp: boolean): string | undefined {
  const found = values.first('controller_url');
  const own = found !== undefined;
  const text = own ? values.textOf(found, ['controller_url']) : ansibleUrl(values, controller);
  if (text === undefined) {
    if (!own)
      values.problem(`${controller} has no controller_url`, VARIABLES, {
        hint: 'set it to https:// and the address of the controller',
        general: 'no controller_url',
      });
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault = faultOf(url, allowHttp);
  if (fault === undefined) return url === undefined ? undefined : url.origin + pathOf(url);
  const problem = `${fault.what}: "${withoutCredentials(text)}"`;
  const name = own ? 'controller_url' : `the address of ${controller}`;
  const general = own ? undefined : `the address ${problem}`;
  values.problem(`${name} ${problem}`, VARIABLES, { hint: fault.hint, general });
  return undefined;
}

/** The inventory name is an address only if Ansible's httpapi would use it as one. */
function ansibleUrl(values: SettingValues, controller: string): string | undefined {
  const https = values.flag('ansible_httpapi_use_ssl');
  const speaksHttp = https !== undefined || isHttpapi(values.text('ansible_connection'));
  const host = values.text('ansible_host') ?? (speaksHttp ? controller : undefined);
  if (host === undefined) return undefined;
  const port = values.number({ least: 1, whole: true }, 'ansible_httpapi_port', 'ansible_port');
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return `${https === false ? 'http' : 'https'}://${bracketed}${port === undefined ? '' : `:${port}`}`;
}

function isHttpapi(connection: string | undefined): boolean {
  return connection !== undefined && /(^|\.)httpapi$/.test(connection);
}

interface Fault {
  readonly what: string;
  readonly hint: string;
}

function faultOf(url: URL | undefined, allowHttp: boolean): Fault | undefined {
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return { what: 'is not a URL', hint: 'it looks like https://lb1.example.com:8443' };
  if (url.username !== '' || url.password !== '') {
    return { what: 'must not contain credentials', hint: 'set controller_username and controller_password' };
  }
  if (url.search !== '' || url.hash !== '')
    return { what: 'must not have a query or a fragment', hint: 'leave out what follows the path' };
  if (pathOf(url).endsWith('/api')) return { what: 'must end before /api', hint: 'requests add /api/ themselves' };
  if (url.protocol === 'http:' && !allowHttp) {
    return {
      what: 'is not https',
      hint: 'credentials would be sent in clear text; controller_allow_http: true allows it',
    };
  }
  return undefined;
}

function pathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '');
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/.*@/, `//${MASK}@`);
}
