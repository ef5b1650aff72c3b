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

/** A variable of the inventory that says how to reach a controller. */
export interface ConnectionVariable {
  readonly name: string;
  readonly type: 'text' | 'text or texts' | 'flag' | 'flag or strict' | 'number' | 'whole number' | 'mapping';
  /** One line, for editors. */
  readonly description: string;
  readonly secret?: true;
}

/** All variables that `controller/settings.ts` reads; Ansible's httpapi names apply where ours are absent. */
export const CONNECTION_VARIABLES: readonly ConnectionVariable[] = [
  { name: 'controller_url', type: 'text', description: 'https://host[:port][/prefix] of the controller.' },
  { name: 'controller_username', type: 'text', description: 'The user who signs in.' },
  { name: 'controller_password', type: 'text', description: 'Their password.', secret: true },
  {
    name: 'controller_token',
    type: 'text',
    description: 'A token instead of the password, for sign-in by session.',
    secret: true,
  },
  {
    name: 'controller_api_version',
    type: 'text',
    description:
      'Three numbers, sent with every request: 22.1.3. If it is not set, Evenkeel asks controllers of the dialect avi for it.',
  },
  {
    name: 'controller_version_header',
    type: 'text',
    description: 'The header with the API version; default: that of the dialect.',
  },
  {
    name: 'controller_dialect',
    type: 'text',
    description: 'The traits of the controller: generic (default), avi, or a dialect of the project file.',
  },
  {
    name: 'controller_auth',
    type: 'text',
    description: 'How to sign in: basic or session; default: session in the dialect avi and others with sessions.',
  },
  { name: 'controller_tenant', type: 'text', description: 'The tenant in which requests act.' },
  { name: 'controller_ca_file', type: 'text', description: 'The certificate authority to trust: a PEM file.' },
  {
    name: 'controller_verify_tls',
    type: 'flag or strict',
    description: 'False trusts any certificate; strict refuses weak ones. Default: true, which warns about weak ones.',
  },
  {
    name: 'controller_allow_http',
    type: 'flag',
    description: 'True allows http://, which sends the password in clear text.',
  },
  { name: 'controller_timeout', type: 'number', description: 'Time limit of a request in seconds, at most a day.' },
  {
    name: 'controller_write_settles',
    type: 'number',
    description:
      'Seconds after which a write without an answer has taken effect, or never will; default: controller_timeout, at least 60.',
  },
  {
    name: 'controller_patience',
    type: 'number',
    description:
      'Seconds for which a controller or route that refuses, breaks or answers 429, 502, 503 or 504 is tried again; default 15.',
  },
  { name: 'controller_headers', type: 'mapping', description: 'More headers: names and texts.' },
  {
    name: 'controller_max_requests',
    type: 'whole number',
    description: 'Maximum number of simultaneous requests; default 1.',
  },
  { name: 'controller_requests_per_second', type: 'number', description: 'Maximum number of requests per second.' },
  {
    name: 'controller_proxy',
    type: 'text or texts',
    description:
      'The proxy to the controller: socks5://, socks5h://, http:// or https://; a list is tried in order. Empty: none. Default: HTTPS_PROXY and NO_PROXY.',
  },
  {
    name: 'controller_route',
    type: 'text',
    description: 'The route to the controller: a name under routes in evenkeel.yml, instead of controller_proxy.',
  },
  { name: 'controller_proxy_username', type: 'text', description: 'The user who signs in to the proxy.' },
  { name: 'controller_proxy_password', type: 'text', description: 'Their password.', secret: true },
  {
    name: 'controller_shared',
    type: 'flag',
    description: 'True allows other controllers of the inventory with the same address.',
  },
  { name: 'ansible_host', type: 'text', description: 'The address, if there is no controller_url.' },
  { name: 'ansible_port', type: 'whole number', description: 'Its port.' },
  { name: 'ansible_user', type: 'text', description: 'The user, if there is no controller_username.' },
  {
    name: 'ansible_password',
    type: 'text',
    description: 'The password, if no other variable has it.',
    secret: true,
  },
  { name: 'ansible_connection', type: 'text', description: 'With httpapi, the name of the host is its address.' },
  { name: 'ansible_httpapi_port', type: 'whole number', description: 'The port; overrides ansible_port.' },
  { name: 'ansible_httpapi_use_ssl', type: 'flag', description: 'Whether the address is https://.' },
  {
    name: 'ansible_httpapi_validate_certs',
    type: 'flag',
    description: 'Whether to verify certificates, if there is no controller_verify_tls.',
  },
  {
    name: 'ansible_httpapi_ca_path',
    type: 'text',
    description: 'The certificate authority, if there is no controller_ca_file.',
  },
  {
    name: 'ansible_httpapi_use_proxy',
    type: 'flag',
    description: 'False: no proxy of the environment, if there is no controller_proxy or controller_route.',
  },
  {
    name: 'ansible_httpapi_password',
    type: 'text',
    description: 'The password, if there is no controller_password.',
    secret: true,
  },
  {
    name: 'ansible_httpapi_pass',
    type: 'text',
    description: 'The password, if there is no ansible_httpapi_password.',
    secret: true,
  },
];
