/**
 * The conventions of a family of controllers, as data: header names, sign-in, paths, paging, references. Code checks
 * these fields, never the name of the dialect.
 */
export interface Dialect {
  readonly name: string;
  /** Carries the API version on every request; `controller_version_header` overrides it. */
  readonly versionHeader: string;
  /** The path that shows the controller's API version; undefined if there is none. */
  readonly versionPath: string | undefined;
  /** Undefined: controllers have no tenants. */
  readonly tenants: TenantTraits | undefined;
  /** Undefined: Basic authentication only. */
  readonly session: SessionTraits | undefined;
  /** Whether clients write collections with a slash at the end: `/api/cloud/`. */
  readonly collectionSlash: boolean;
  /**
   * Whether every object that exists once has a GET. If not, 404, 405 and 501 mean that the controller cannot show the
   * object.
   */
  readonly singlesReadable: boolean;
  /** Whether a secret keeps its value if a write contains the placeholder that the controller shows for it. */
  readonly placeholderKeepsSecret: boolean;
  /** Undefined: the controller chooses the size of pages. */
  readonly paging: PagingTraits | undefined;
  /** Undefined: names in a collection are unique in a tenant, whatever cloud the objects refer to. */
  readonly cloudScope: CloudScope | undefined;
  /** Undefined: references are compared and sent as written. */
  readonly references: ReferenceTraits | undefined;
}

interface TenantTraits {
  /** The header that names the tenant of a request. */
  readonly header: string;
  /** The tenant of a controller without `controller_tenant`. */
  readonly default: string;
  /** The tenant name that means all tenants: reads return the objects of each. */
  readonly all: string;
  /** The collection of tenants, for "did you mean". */
  readonly collection: string;
}

/** Sign-in by session: one sign-in returns cookies, which every later request sends. */
export interface SessionTraits {
  /** POST of `username` and `password` as JSON. */
  readonly loginPath: string;
  /** POST without a body. */
  readonly logoutPath: string;
  /** Any of these cookies identifies the session. */
  readonly sessionCookies: readonly string[];
  readonly csrfCookie: string;
  /** Writes repeat the CSRF cookie's value in this header, next to `Referer`. */
  readonly csrfHeader: string;
}

interface PagingTraits {
  readonly sizeParameter: string;
  /** Maximum number of objects on a page. */
  readonly most: number;
}

/** Kinds with this field have unique names per cloud, not per tenant. */
interface CloudScope {
  readonly field: string;
  /** The collection that the field refers to. */
  readonly collection: string;
  /** The default cloud of an object that names none. */
  readonly default: string;
}

interface ReferenceTraits {
  /** Whether references by name, such as `/api/pool?name=web`, are allowed besides `/api/pool/UUID`. */
  readonly byName: boolean;
  /** The query parameter that makes a GET show references as `URL#name`. */
  readonly nameParameter: string | undefined;
}

/** The API document and nothing else. */
const GENERIC: Dialect = {
  name: 'generic',
  versionHeader: 'X-Vendor-Version',
  versionPath: undefined,
  tenants: undefined,
  session: undefined,
  collectionSlash: true,
  singlesReadable: false,
  placeholderKeepsSecret: false,
  paging: undefined,
  cloudScope: undefined,
  references: undefined,
};

/** Avi Load Balancer, also sold as VMware NSX Advanced Load Balancer. */
const AVI: Dialect = {
  name: 'avi',
  versionHeader: 'X-Avi-Version',
  versionPath: '/api/initial-data',
  tenants: { header: 'X-Avi-Tenant', default: 'admin', all: '*', collection: '/api/tenant/' },
  session: {
    loginPath: '/login',
    logoutPath: '/logout',
    sessionCookies: ['avi-sessionid', 'sessionid'],
    csrfCookie: 'csrftoken',
    csrfHeader: 'X-CSRFToken',
  },
  collectionSlash: false,
  singlesReadable: true,
  placeholderKeepsSecret: true,
  paging: { sizeParameter: 'page_size', most: 200 },
  cloudScope: { field: 'cloud_ref', collection: '/api/cloud/', default: 'Default-Cloud' },
  references: { byName: true, nameParameter: 'include_name' },
};

export type Dialects = ReadonlyMap<string, Dialect>;

/** The values that `controller_dialect` allows without a project file. */
export const DIALECTS: Dialects = new Map([GENERIC, AVI].map((dialect) => [dialect.name, dialect]));

/** The dialect of controllers without `controller_dialect`. */
export const DEFAULT_DIALECT: Dialect = GENERIC;

/** RFC 9110, section 5.6.2: names of headers, cookies and methods. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that Evenkeel or the connection sets. */
const OF_CONNECTION: ReadonlySet<string> = new Set(
  (
    'authorization proxy-authorization host connection keep-alive upgrade expect content-length content-type ' +
    'transfer-encoding'
  ).split(' '),
);

/** Headers with a meaning of their own, for servers or for what is between, which a version, a tenant or a token must not replace. */
const WITH_MEANING: ReadonlySet<string> = new Set(
  (
    'accept accept-encoding accept-language user-agent cookie set-cookie referer origin content-encoding range ' +
    'te trailer via date if-match if-none-match proxy-connection x-http-method-override x-http-method ' +
    'x-method-override x-requested-with forwarded x-forwarded-for x-forwarded-host x-forwarded-proto ' +
    'x-original-url x-rewrite-url if-modified-since if-unmodified-since'
  ).split(' '),
);

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether users may set a header of this name. */
export function isFreeHeader(name: string): boolean {
  return isToken(name) && !OF_CONNECTION.has(name.toLowerCase());
}

/** Whether a header of this name may carry a version, a tenant or a token. */
export function isTraitHeader(name: string): boolean {
  return isFreeHeader(name) && !WITH_MEANING.has(name.toLowerCase());
}
