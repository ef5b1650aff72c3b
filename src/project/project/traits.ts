import type { Dialect } from '../../core/model/dialect.js';

export type TraitKind =
  | 'header'
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
  readonly partOf: string | undefined;
}

/** `needed`: required if the trait in `partOf` is set. */
type Presence = 'always' | 'needed' | 'optional';

type TraitRow = readonly [field: string | undefined, name: string, value: TraitKind, description: string];

function trait(part: keyof Dialect, presence: Presence, row: TraitRow, partOf?: string): Trait {
  const [field, name, value, description] = row;
  const valueIn = (dialect: Dialect): TraitValue | undefined => {
    const found: unknown = dialect[part];
    const isGroup = field !== undefined && typeof found === 'object' && found !== null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests compare all traits with a dialect
    return (isGroup ? Reflect.get(found, field) : found) as TraitValue | undefined;
  };
  return { name, value, description, part, field, valueIn, presence, partOf };
}

/** @param row without a field: the part is the value itself */
function always(part: keyof Dialect, ...row: readonly [name: string, value: TraitKind, description: string]): Trait {
  return trait(part, 'always', [undefined, ...row]);
}

/** The fields of a part that a dialect may lack: `needed` ones require the first. */
function group(part: keyof Dialect, first: TraitRow, ...needed: readonly TraitRow[]): readonly Trait[] {
  return [trait(part, 'optional', first), ...needed.map((row) => trait(part, 'needed', row, first[1]))];
}

const BY_NAME = 'references_by_name';

/** All traits of a dialect, in groups that begin with the trait that the others require. */
export const TRAITS: readonly Trait[] = [
  always('versionHeader', 'version_header', 'header', 'Carries the API version on every request.'),
  ...group('versionPath', [
    undefined,
    'version_path',
    'path',
    'Shows the version of a controller without controller_api_version.',
  ]),
  ...group(
    'tenants',
    ['header', 'tenant_header', 'header', 'Carries the tenant on every request.'],
    ['default', 'default_tenant', 'header value', 'The tenant of controllers without controller_tenant.'],
    ['all', 'all_tenants', 'header value', 'In place of a tenant: reads see the objects of all tenants.'],
    ['collection', 'tenant_collection', 'path', 'The collection of tenants.'],
  ),
  ...group(
    'session',
    ['loginPath', 'login_path', 'path', 'POST of username and password starts a session.'],
    ['logoutPath', 'logout_path', 'path', 'POST ends a session.'],
    ['sessionCookies', 'session_cookies', 'cookies', 'Cookies that identify the session; one of them is enough.'],
    ['csrfCookie', 'csrf_cookie', 'cookie', 'The cookie with the CSRF token.'],
    ['csrfHeader', 'csrf_header', 'header', 'Carries the CSRF token on writes, next to Referer.'],
  ),
  always(
    'collectionSlash',
    'collection_slash',
    'boolean',
    'Whether requests write collections with a slash at the end.',
  ),
  always(
    'singlesReadable',
    'singles_readable',
    'boolean',
    'Whether a 404, 405 or 501 for an object that exists once is an error; otherwise it cannot be compared.',
  ),
  always(
    'placeholderKeepsSecret',
    'placeholder_keeps_secret',
    'boolean',
    'Whether a secret stays if <sensitive> is sent in its place; otherwise updates leave it out.',
  ),
  ...group(
    'paging',
    ['sizeParameter', 'page_size_parameter', 'parameter', 'The query parameter for the number of objects on a page.'],
    ['most', 'most_per_page', 'whole number', 'The largest number of objects on a page.'],
  ),
  ...group(
    'cloudScope',
    ['field', 'cloud_field', 'field', 'Names are unique per cloud for kinds with this field.'],
    ['collection', 'cloud_collection', 'path', 'The collection of clouds.'],
    ['default', 'default_cloud', 'name', 'The cloud of objects that name none.'],
  ),
  ...group('references', ['byName', BY_NAME, 'boolean', 'Whether a reference may be sent as a path with ?name=.']),
  trait(
    'references',
    'optional',
    [
      'nameParameter',
      'reference_name_parameter',
      'parameter',
      'The query parameter that makes a read show references with names.',
    ],
    BY_NAME,
  ),
];
