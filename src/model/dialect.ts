/**
 * The habits of a family of controllers, as data: header names, sign-in, paths, paging, references. Code asks for a habit, never for the name
 * of the dialect.
 */
export interface Dialect {
  readonly name: string;
  /** Carries the API version on every request; `controller_version_header` overrides it. */
  readonly versionHeader: string;
  /** Where a controller says which API version it has; undefined if it does not. */
  readonly versionPath: string | undefined;
  /** Undefined: controllers have no tenants. */
  readonly tenants: TenantHabits | undefined;
  /** Undefined: Basic authentication only. */
  readonly session: SessionHabits | undefined;
  /** Whether clients write collections with a slash at the end: `/api/cloud/`. */
  readonly collectionSlash: boolean;
  /** Whether objects that exist once can always be read. If not, 404, 405 and 501 say that the controller cannot show them. */
  readonly singlesReadable: boolean;
  /** Whether a secret stays as it is if the placeholder that the controller shows is sent in its place. */
  readonly placeholderKeepsSecret: boolean;
  /** Undefined: lists come in pages of the controller's choice. */
  readonly paging: PagingHabits | undefined;
  /** Undefined: the names of a collection are unique in a tenant, whatever the objects refer to. */
  readonly cloudScope: CloudScope | undefined;
  /** Undefined: references are compared and sent as written. */
  readonly references: ReferenceHabits | undefined;
}

interface TenantHabits {
  /** The header that says in which tenant a request acts. */
  readonly header: string;
  /** The tenant of a controller without `controller_tenant`. */
  readonly default: string;
  /** In place of a name: reads see the objects of every tenant. */
  readonly all: string;
  /** The collection of tenants, for "did you mean". */
  readonly collection: string;
}

/** Sign-in by session: who signs in once gets cookies, which every later request carries. */
export interface SessionHabits {
  /** POST of `username` and `password` as JSON. */
  readonly loginPath: string;
  /** POST without a body. */
  readonly logoutPath: string;
  /** Any of them is the session. */
  readonly sessionCookies: readonly string[];
  readonly csrfCookie: string;
  /** Writes repeat the CSRF cookie's value in this header, next to `Referer`. */
  readonly csrfHeader: string;
}

interface PagingHabits {
  readonly sizeParameter: string;
  /** Objects that one page may have at most. */
  readonly most: number;
}

/** Kinds with this field have unique names per cloud, not per tenant. */
interface CloudScope {
  readonly field: string;
  /** The collection that the field refers to. */
  readonly collection: string;
  /** The cloud of an object that names none. */
  readonly default: string;
}

interface ReferenceHabits {
  /** Whether `/api/pool?name=web` may be sent in place of `/api/pool/UUID`. */
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

/** What `controller_dialect` may name without a project file. */
export const DIALECTS: Dialects = new Map([GENERIC, AVI].map((dialect) => [dialect.name, dialect]));

/** The dialect of controllers without `controller_dialect`. */
export const DEFAULT_DIALECT: Dialect = GENERIC;
