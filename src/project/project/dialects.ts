import { DEFAULT_DIALECT, DIALECTS, type Dialect, type Dialects } from '../../core/model/dialect.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { entry, isList, isMapping } from '../../core/model/values/value.js';
import { text, texts, wantMapping, type Cursor } from '../document/cursor.js';
import { checkApart, checkForm } from './trait_forms.js';
import { TRAITS, type Trait } from './traits.js';
import { boolean, checkSetting, wholeNumberUpTo } from './values.js';

/** The built-in dialects, and those that `dialects` of the project file defines. */
export function readDialects(cursor: Cursor): Dialects {
  wantMapping(cursor, ' of names to traits');
  return new ProjectDialects(cursor).all();
}

/** Dialects that may extend each other, in any order. */
class ProjectDialects {
  readonly #written: ReadonlyMap<string, Cursor>;
  readonly #made = new Map<string, Dialect>(DIALECTS);
  readonly #refused = new Set<string>();

  constructor(cursor: Cursor) {
    this.#written = new Map(cursor.entries().flatMap((one) => (isFree(one) ? [[one.name, one]] : [])));
  }

  all(): Dialects {
    for (const cursor of this.#written.values()) {
      checkNames(cursor);
      this.#make(cursor, []);
    }
    return this.#made;
  }

  /** @param extending the dialects that extend this one, directly or not */
  #make(cursor: Cursor, extending: readonly string[]): Dialect | undefined {
    const known = this.#made.get(cursor.name);
    if (known !== undefined || this.#refused.has(cursor.name)) return known;
    const base = this.#base(cursor.get('extends'), [...extending, cursor.name]);
    if (base === undefined) {
      this.#refused.add(cursor.name);
      return undefined;
    }
    const made = extended(cursor, base);
    this.#made.set(cursor.name, made);
    return made;
  }

  #base(cursor: Cursor | undefined, extending: readonly string[]): Dialect | undefined {
    if (cursor === undefined) return DEFAULT_DIALECT;
    const name = text(cursor);
    if (name === undefined) return undefined;
    if (extending.includes(name)) {
      cursor.error(`the dialect "${name}" extends itself: ${[...extending, name].join(' → ')}`);
      return undefined;
    }
    const own = this.#written.get(name);
    const base = own === undefined ? this.#made.get(name) : this.#make(own, extending);
    if (base !== undefined || own !== undefined) return base;
    const names = [...new Set([...DIALECTS.keys(), ...this.#written.keys()])].filter((one) => !extending.includes(one));
    cursor.error(`there is no dialect "${name}"`, didYouMean(name, names) ?? `known dialects: ${names.join(', ')}`);
    return undefined;
  }
}

function isFree(cursor: Cursor): boolean {
  if (!DIALECTS.has(cursor.name)) return true;
  cursor.errorAtKey(
    `the dialect "${cursor.name}" is built in`,
    `choose another name, and set "extends: ${cursor.name}"`,
  );
  return false;
}

function checkNames(cursor: Cursor): void {
  if (cursor.value !== null) wantMapping(cursor, ' of traits', `the dialect "${cursor.name}"`);
  for (const item of cursor.entries()) checkSetting(item, 'a dialect', ['extends', ...TRAITS.map(({ name }) => name)]);
}

function extended(cursor: Cursor, base: Dialect): Dialect {
  const made = overridden(new Overrides(cursor), base, cursor.name);
  checkParts(cursor, made);
  checkApart(cursor, (name) => {
    const value = TRAITS.find((trait) => trait.name === name)?.valueIn(made);
    return typeof value === 'object' ? value : typeof value === 'string' && value !== '' ? [value] : [];
  });
  return made;
}

function overridden(given: Overrides, base: Dialect, name: string): Dialect {
  const { tenants, session, paging, cloudScope, references } = base;
  const tenantHeader = given.text('tenant_header', tenants?.header);
  const loginPath = given.text('login_path', session?.loginPath);
  const sizeParameter = given.text('page_size_parameter', paging?.sizeParameter);
  const field = given.text('cloud_field', cloudScope?.field);
  const byName = given.boolean('references_by_name', references?.byName);
  return {
    name,
    versionHeader: given.text('version_header', base.versionHeader) ?? base.versionHeader,
    versionPath: given.text('version_path', base.versionPath),
    tenants:
      tenantHeader === undefined
        ? undefined
        : {
            header: tenantHeader,
            default: given.text('default_tenant', tenants?.default) ?? '',
            all: given.text('all_tenants', tenants?.all) ?? '',
            collection: given.text('tenant_collection', tenants?.collection) ?? '',
          },
    session:
      loginPath === undefined
        ? undefined
        : {
            loginPath,
            logoutPath: given.text('logout_path', session?.logoutPath) ?? '',
            sessionCookies: given.texts('session_cookies', session?.sessionCookies) ?? [],
            csrfCookie: given.text('csrf_cookie', session?.csrfCookie) ?? '',
            csrfHeader: given.text('csrf_header', session?.csrfHeader) ?? '',
          },
    collectionSlash: given.boolean('collection_slash', base.collectionSlash) ?? base.collectionSlash,
    placeholderKeepsSecret:
      given.boolean('placeholder_keeps_secret', base.placeholderKeepsSecret) ?? base.placeholderKeepsSecret,
    singlesReadable: given.boolean('singles_readable', base.singlesReadable) ?? base.singlesReadable,
    paging:
      sizeParameter === undefined
        ? undefined
        : { sizeParameter, most: given.count('most_per_page', paging?.most) ?? 0 },
    cloudScope:
      field === undefined
        ? undefined
        : {
            field,
            collection: given.text('cloud_collection', cloudScope?.collection) ?? '',
            default: given.text('default_cloud', cloudScope?.default) ?? '',
          },
    references:
      byName === undefined
        ? undefined
        : { byName, nameParameter: given.text('reference_name_parameter', references?.nameParameter) },
  };
}

/** No controller shows more objects at once. */
const MOST_PER_PAGE = 100_000;

/** The values that a dialect sets itself. It inherits the others, and null removes an inherited value. */
class Overrides {
  constructor(private readonly cursor: Cursor) {}

  text(name: string, inherited: string | undefined): string | undefined {
    return this.#read(name, inherited, (item) => {
      const value = text(item);
      if (value !== undefined) checkForm(item, value);
      return value;
    });
  }

  texts(name: string, inherited: readonly string[] | undefined): readonly string[] | undefined {
    return this.#read(name, inherited, (item) => {
      const values = texts(item).map(({ value }) => value);
      for (const value of values) checkForm(item, value);
      return values;
    });
  }

  boolean(name: string, inherited: boolean | undefined): boolean | undefined {
    return this.#read(name, inherited, boolean);
  }

  count(name: string, inherited: number | undefined): number | undefined {
    return this.#read(name, inherited, (item) => wholeNumberUpTo(MOST_PER_PAGE, item));
  }

  #read<T>(name: string, inherited: T | undefined, read: (item: Cursor) => T | undefined): T | undefined {
    const item = this.cursor.get(name);
    if (item !== undefined) return read(item);
    return isWritten(this.cursor, name) ? undefined : inherited;
  }
}

/** True for null, too. */
function isWritten({ value }: Cursor, name: string): boolean {
  return isMapping(value) && entry(value, name) !== undefined;
}

/** A group of traits must be complete or absent. */
function checkParts(cursor: Cursor, made: Dialect): void {
  const missing = new Map<string, string[]>();
  for (const { name, presence, partOf, valueIn } of TRAITS) {
    const written = cursor.get(name);
    if (presence === 'always' && written === undefined && isWritten(cursor, name))
      cursor.error(`"${name}" of the dialect "${cursor.name}" must not be null`);
    if (partOf === undefined) continue;
    if (!has(partOf, made)) written?.errorAtKey(`"${name}" has no meaning without ${partOf}`);
    else if (presence === 'needed' && isList(written?.value) && written.value.length === 0)
      written.error(`${written.title} must not be empty`);
    else if (presence === 'needed' && written === undefined && isEmpty(valueIn(made)))
      missing.set(partOf, [...(missing.get(partOf) ?? []), name]);
  }
  for (const [trait, parts] of missing)
    cursor.errorAtKey(`the dialect "${cursor.name}" has ${trait}, which needs ${parts.join(', ')}`);
}

function has(name: string, dialect: Dialect): boolean {
  return TRAITS.find((trait) => trait.name === name)?.valueIn(dialect) !== undefined;
}

function isEmpty(value: ReturnType<Trait['valueIn']>): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}
