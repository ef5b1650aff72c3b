import type { Dialect } from '../dialect.js';
import type { Route } from './route.js';

/** `session`: one sign-in per controller and run, then cookies. */
export type Auth = 'basic' | 'session';

/** How to reach one controller: the `controller_*` variables (or Ansible's httpapi names), rendered and checked. */
export interface ConnectionSettings {
  /** Inventory name, for messages. */
  readonly controller: string;
  /** `https://host[:port][/prefix]`, without `/api/` and without a slash at the end. */
  readonly url: string;
  /** The conventions of the controller's family. */
  readonly dialect: Dialect;
  /** No variable names the dialect, so the controller may have another one. */
  readonly isDialectAssumed?: boolean | undefined;
  readonly auth: Auth;
  /** The tenant in which requests act; part of the identity of every object. Undefined: the dialect has no tenants. */
  readonly tenant: string | undefined;
  readonly username: string;
  readonly password: string;
  /** The password is a token, which a sign-in names so. */
  readonly isToken?: boolean | undefined;
  /**
   * `n.n.n`, sent as the version header on every request (API document, section 9). Undefined: read from the dialect's
   * `versionPath`.
   */
  readonly apiVersion: string | undefined;
  /** Defaults to the dialect's header. */
  readonly versionHeader: string;
  /** PEM text added to the trusted roots. */
  readonly ca: string | undefined;
  /** `strict` also refuses certificates that are weak. */
  readonly verifyTls: boolean | 'strict';
  /** Time limit of a request, in seconds. */
  readonly timeout: number;
  /** Seconds after which a write without an answer has taken effect, or never will. */
  readonly writeSettles: number;
  /** For how many seconds after the first failure a request may be sent again. */
  readonly patience: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum number of simultaneous requests. */
  readonly maxRequests: number;
  /** Undefined: no limit. */
  readonly requestsPerSecond?: number | undefined;
  /** Undefined: through the proxy that environment variables name, if they do. */
  readonly route: Route | undefined;
  /** Whether other names of the inventory may have the same address. */
  readonly shared: boolean;
}

/** `controller_simulated_url` of the controllers that an inventory of simulated ones does not have. */
export const NOT_SIMULATED = 'none';

/** A variable of the inventory that says how to reach a controller. */
export interface ConnectionVariable {
  readonly name: string;
  readonly type: 'text' | 'text or texts' | 'flag' | 'flag or strict' | 'number' | 'whole number' | 'mapping';
  /** One line, for editors. */
  readonly description: string;
  readonly secret?: true;
}

function variable(name: string, type: ConnectionVariable['type'], description: string): ConnectionVariable {
  return { name, type, description };
}

function secret(name: string, description: string): ConnectionVariable {
  return { name, type: 'text', description, secret: true };
}

/** All variables that `controller/settings.ts` reads; Ansible's httpapi names apply where ours are absent. */
export const CONNECTION_VARIABLES: readonly ConnectionVariable[] = [
  variable('controller_url', 'text', 'https://host[:port][/prefix] of the controller.'),
  variable('controller_username', 'text', 'The user who signs in.'),
  secret('controller_password', 'Their password.'),
  secret('controller_token', 'A token instead of the password, for sign-in by session.'),
  variable(
    'controller_api_version',
    'text',
    'Three numbers, sent with every request: 22.1.3. If it is not set, Evenkeel asks controllers of the dialect avi for it.',
  ),
  variable('controller_version_header', 'text', 'The header with the API version; default: that of the dialect.'),
  variable(
    'controller_dialect',
    'text',
    'The traits of the controller: generic (default), avi, or a dialect of the project file.',
  ),
  variable(
    'controller_auth',
    'text',
    'How to sign in: basic or session; default: session in the dialect avi and others with sessions.',
  ),
  variable('controller_tenant', 'text', 'The tenant in which requests act.'),
  variable('controller_ca_file', 'text', 'The certificate authority to trust: a PEM file.'),
  variable(
    'controller_verify_tls',
    'flag or strict',
    'False trusts any certificate; strict refuses weak ones. Default: true, which warns about weak ones.',
  ),
  variable('controller_allow_http', 'flag', 'True allows http://, which sends the password in clear text.'),
  variable('controller_timeout', 'number', 'Time limit of a request in seconds, at most a day.'),
  variable(
    'controller_write_settles',
    'number',
    'Seconds after which a write without an answer has taken effect, or never will; default: controller_timeout, at least 60.',
  ),
  variable(
    'controller_patience',
    'number',
    'Seconds for which a controller or route that refuses, breaks or answers 429, 502, 503 or 504 is tried again; default 15.',
  ),
  variable('controller_headers', 'mapping', 'More headers: names and texts.'),
  variable('controller_max_requests', 'whole number', 'Maximum number of simultaneous requests; default 1.'),
  variable('controller_requests_per_second', 'number', 'Maximum number of requests per second.'),
  variable(
    'controller_proxy',
    'text or texts',
    'The proxy to the controller: socks5://, socks5h://, http:// or https://; a list is tried in order. Empty: none. Default: HTTPS_PROXY and NO_PROXY.',
  ),
  variable(
    'controller_route',
    'text',
    'The route to the controller: a name under routes in evenkeel.yml, instead of controller_proxy.',
  ),
  variable('controller_proxy_username', 'text', 'The user who signs in to the proxy.'),
  secret('controller_proxy_password', 'Their password.'),
  variable('controller_shared', 'flag', 'True allows other controllers of the inventory with the same address.'),
  variable('controller_simulated_url', 'text', 'Set by evenkeel simulate: no other address is contacted.'),
  variable('ansible_host', 'text', 'The address, if there is no controller_url.'),
  variable('ansible_port', 'whole number', 'Its port.'),
  variable('ansible_user', 'text', 'The user, if there is no controller_username.'),
  secret('ansible_password', 'The password, if no other variable has it.'),
  variable('ansible_connection', 'text', 'With httpapi, the name of the host is its address.'),
  variable('ansible_httpapi_port', 'whole number', 'The port; overrides ansible_port.'),
  variable('ansible_httpapi_use_ssl', 'flag', 'Whether the address is https://.'),
  variable(
    'ansible_httpapi_validate_certs',
    'flag',
    'Whether to verify certificates, if there is no controller_verify_tls.',
  ),
  variable('ansible_httpapi_ca_path', 'text', 'The certificate authority, if there is no controller_ca_file.'),
  variable(
    'ansible_httpapi_use_proxy',
    'flag',
    'False: no proxy of the environment, if there is no controller_proxy or controller_route.',
  ),
  secret('ansible_httpapi_password', 'The password, if there is no controller_password.'),
  secret('ansible_httpapi_pass', 'The password, if there is no ansible_httpapi_password.'),
];

export const CONNECTION_NAMES: ReadonlySet<string> = new Set(CONNECTION_VARIABLES.map(({ name }) => name));

/** Whether the name begins as those of connection variables do, or nearly so: `controler_tenant`. */
export function beginsLikeConnection(name: string): boolean {
  return /^c\w*l\w*r_/.test(name);
}
