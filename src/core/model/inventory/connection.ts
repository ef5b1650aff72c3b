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
