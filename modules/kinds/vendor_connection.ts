import { isMapping, type Mapping, type Value } from '../../src/module/contract.js';

/**
 * The connection variables that correspond to the arguments of the vendor's modules. Arguments of the task override
 * `avi_credentials`. Without a controller, the connection comes from the inventory.
 */
export function vendorConnection(args: Mapping): Mapping {
  const credentials = isMapping(args['avi_credentials']) ? args['avi_credentials'] : {};
  const given = (name: string): Value | undefined => filled(args[name]) ?? filled(credentials[name]);
  const controller = given('controller');
  const variables: Readonly<Record<string, Value | undefined>> = {
    controller_url: typeof controller === 'string' ? toUrl(controller, given('port')) : undefined,
    controller_dialect: controller === undefined ? undefined : 'avi',
    controller_auth: controller === undefined ? undefined : 'session',
    controller_username: given('username'),
    controller_password: given('password'),
    controller_token: given('password') === undefined ? given('token') : undefined,
    controller_api_version: version(given('api_version')),
    controller_tenant: given('tenant'),
    controller_timeout: given('timeout'),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Playbooks pass empty texts for values that are not set. */
function filled(value: Value | undefined): Value | undefined {
  return value === null || value === '' ? undefined : value;
}

/** The port follows the host, whatever else is in the text: what is not an address is refused with the connection. */
function toUrl(controller: string, port: Value | undefined): string {
  const [, scheme = 'https://', host = '', rest = ''] = /^(https?:\/\/)?([^/?#\\]*)([^]*)$/i.exec(controller) ?? [];
  const bracketed = /^[^[\]:]*:[^[\]]*:/.test(host) ? `[${host}]` : host;
  const end = port === undefined ? '' : `:${typeof port === 'string' || typeof port === 'number' ? port : ''}`;
  return `${scheme}${bracketed}${end}${rest}`;
}

/** Converts a version to text with three numbers, because YAML reads `20.1` as a number. */
function version(given: Value | undefined): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined;
  const text = String(given);
  return /^\d+\.\d+$/.test(text) ? `${text}.0` : text;
}
