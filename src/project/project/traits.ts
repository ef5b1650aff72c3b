import type { Dialect } from '../../core/model/dialect.js';

export type TraitKind =
  | 'header'
  /** The value of a header. */
  | 'header value'
  | 'path'
  /** A name in the query of a URL. */
  | 'parameter'
  | 'field'
  /** The name of an object. */
  | 'name'
  | 'cookie'
  /** One, or a list. */
  | 'cookies'
  | 'boolean'
  | 'whole number';

export type TraitValue = string | readonly string[] | boolean | number;

/** One trait of a dialect, with its name in the project file and `evenkeel doc dialects`. */
export interface Trait {
  readonly name: string;
  readonly value: TraitKind;
  /** One line, for editors and for `evenkeel doc dialects`. */
  readonly description: string;
  /** Where a dialect has it: a field of its own, or one of a group. */
  readonly part: keyof Dialect;
  readonly field: string | undefined;
  /** The value in a dialect; undefined: its controllers do not have this. */
  readonly valueIn: (dialect: Dialect) => TraitValue | undefined;
  readonly presence: Presence;
  /** The trait that this one requires. */
  readonly partOf?: string;
}

/** `needed`: required if the trait in `partOf` is set. */
type Presence = 'always' | 'needed' | 'optional';

type TraitPlace = readonly [part: keyof Dialect, field?: string];

function always(name: string, value: TraitKind, description: string, ...place: TraitPlace): Trait {
  return { name, value, description, ...at(place), presence: 'always' };
}

function optional(name: string, value: TraitKind, description: string, ...place: TraitPlace): Trait {
  return { name, value, description, ...at(place), presence: 'optional' };
}

function needed(partOf: string, name: string, value: TraitKind, description: string, ...place: TraitPlace): Trait {
  return { name, value, description, ...at(place), presence: 'needed', partOf };
}

function at([part, field]: TraitPlace): Pick<Trait, 'part' | 'field' | 'valueIn'> {
  return {
    part,
    field,
    valueIn: (dialect) => {
      const value: unknown = dialect[part];
      const isGroup = field !== undefined && typeof value === 'object' && value !== null;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests compare all traits with a dialect
      return (isGroup ? Reflect.get(value, field) : value) as TraitValue | undefined;
    },
  };
}

/** All traits of a dialect, in groups that begin with the trait that the others require. */
export const TRAITS: readonly Trait[] = [
  always('version_header', 'header', 'Carries the API version on every request.', 'versionHeader'),
  optional('version_path', 'path', 'Shows the version of a controller without controller_api_version.', 'versionPath'),
  optional('tenant_header', 'header', 'Carries the tenant on every request.', 'tenants', 'header'),
  needed(
    'tenant_header',
    'default_tenant',
    'header value',
    'The tenant of controllers without controller_tenant.',
    'tenants',
    'default',
  ),
  needed(
    'tenant_header',
    'all_tenants',
    'header value',
    'In place of a tenant: reads see the objects of all tenants.',
    'tenants',
    'all',
  ),
  needed('tenant_header', 'tenant_collection', 'path', 'The collection of tenants.', 'tenants', 'collection'),
  optional('login_path', 'path', 'POST of username and password starts a session.', 'session', 'loginPath'),
  needed('login_path', 'logout_path', 'path', 'POST ends a session.', 'session', 'logoutPath'),
  needed(
    'login_path',
    'session_cookies',
    'cookies',
    'Cookies that identify the session; one of them is enough.',
    'session',
    'sessionCookies',
  ),
  needed('login_path', 'csrf_cookie', 'cookie', 'The cookie with the CSRF token.', 'session', 'csrfCookie'),
  needed(
    'login_path',
    'csrf_header',
    'header',
    'Carries the CSRF token on writes, next to Referer.',
    'session',
    'csrfHeader',
  ),
  always(
    'collection_slash',
    'boolean',
    'Whether requests write collections with a slash at the end.',
    'collectionSlash',
  ),
  always(
    'singles_readable',
    'boolean',
    'Whether a 404, 405 or 501 for an object that exists once is an error; otherwise it cannot be compared.',
    'singlesReadable',
  ),
  always(
    'placeholder_keeps_secret',
    'boolean',
    'Whether a secret stays if <sensitive> is sent in its place; otherwise updates leave it out.',
    'placeholderKeepsSecret',
  ),
  optional(
    'page_size_parameter',
    'parameter',
    'The query parameter for the number of objects on a page.',
    'paging',
    'sizeParameter',
  ),
  needed(
    'page_size_parameter',
    'most_per_page',
    'whole number',
    'The largest number of objects on a page.',
    'paging',
    'most',
  ),
  optional('cloud_field', 'field', 'Names are unique per cloud for kinds with this field.', 'cloudScope', 'field'),
  needed('cloud_field', 'cloud_collection', 'path', 'The collection of clouds.', 'cloudScope', 'collection'),
  needed('cloud_field', 'default_cloud', 'name', 'The cloud of objects that name none.', 'cloudScope', 'default'),
  optional(
    'references_by_name',
    'boolean',
    'Whether a reference may be sent as a path with ?name=.',
    'references',
    'byName',
  ),
  {
    ...optional(
      'reference_name_parameter',
      'parameter',
      'The query parameter that makes a read show references with names.',
      'references',
      'nameParameter',
    ),
    partOf: 'references_by_name',
  },
];
