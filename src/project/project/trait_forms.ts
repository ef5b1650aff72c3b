import { isToken, isTraitHeader } from '../../core/model/dialect.js';
import type { Cursor } from '../document/cursor.js';
import { TRAITS, type TraitKind } from './traits.js';

interface TraitForm {
  readonly is: (text: string) => boolean;
  /** As in `"tenant_header" must be …`. */
  readonly must: string;
}

const MOST_TRAIT_CHARACTERS = 200;

/** Fields that are no reference to a cloud. */
const OF_ALL_OBJECTS: ReadonlySet<string> = new Set(['name', 'uuid', 'url', 'tenant_ref', '_last_modified']);

const COOKIE: TraitForm = { is: isToken, must: 'the name of a cookie' };
const FORMS: Readonly<Partial<Record<TraitKind, TraitForm>>> = {
  header: { is: isTraitHeader, must: 'the name of a header that has no meaning of its own, such as X-Version' },
  'header value': {
    is: (text) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text),
    must: 'one line of ASCII without blanks around it, because a header carries it',
  },
  path: { is: isPlainPath, must: 'a path that begins with "/", without "..", "//", "?" or "#"' },
  parameter: { is: (text) => /^[a-z_][\w-]*$/i.test(text), must: 'a name of letters, digits, "_" and "-"' },
  field: {
    is: (text) => /^[a-z_]\w*$/i.test(text) && !OF_ALL_OBJECTS.has(text.toLowerCase()),
    must: 'the name of a field that not every object has: letters, digits and "_"',
  },
  name: { is: (text) => /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text) && text.trim() === text, must: 'a name on one line' },
  cookie: COOKIE,
  cookies: COOKIE,
};

/** Reports a text that a trait cannot be. */
export function checkForm(item: Cursor, text: string): void {
  const kind = TRAITS.find(({ name }) => name === item.name)?.value;
  const form = kind === undefined ? undefined : FORMS[kind];
  if (form === undefined || (form.is(text) && text.length <= MOST_TRAIT_CHARACTERS)) return;
  const shown = JSON.stringify(text.length <= MOST_TRAIT_CHARACTERS ? text : `${text.slice(0, 20)}…`);
  item.error(`${item.title} must be ${form.must}, not ${shown}`);
}

/** What is written must be what is sent: URLs resolve `..`, and encode what they may not contain. */
function isPlainPath(text: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(text) || /[?#\\]|\/\//.test(text)) return false;
  return new URL(text, 'https://lb1').pathname === text;
}

/** Traits that must differ, because one request has both. */
const APART = [
  ['version_header', 'tenant_header', 'csrf_header'],
  ['default_tenant', 'all_tenants'],
  ['session_cookies', 'csrf_cookie'],
  ['login_path', 'logout_path', 'version_path'],
  ['tenant_collection', 'cloud_collection'],
  ['page_size_parameter', 'reference_name_parameter'],
] as const;

/** A path with a slash at the end leads to the same place. */
function comparable(text: string): string {
  return text.toLowerCase().replace(/(?!^)\/$/, '');
}

/** Parameters that requests have anyway. */
const USED_PARAMETERS: ReadonlySet<string> = new Set(['name', 'page', 'uuid']);

/** Reports traits that take the place of each other. */
export function checkApart(cursor: Cursor, valueOf: (trait: string) => readonly string[]): void {
  for (const group of APART)
    for (const [at, name] of group.entries())
      for (const earlier of group.slice(0, at)) {
        const taken = new Set(valueOf(earlier).map(comparable));
        const same = valueOf(name).find((text) => taken.has(comparable(text)));
        if (same === undefined) continue;
        const [written, other] = cursor.get(name) === undefined ? [earlier, name] : [name, earlier];
        const item = cursor.get(written);
        const message = `"${written}" of the dialect "${cursor.name}" must not be the same as "${other}": ${same}`;
        if (item === undefined) cursor.errorAtKey(message);
        else item.error(message);
      }
  for (const name of ['page_size_parameter', 'reference_name_parameter']) {
    const used = valueOf(name).find((text) => USED_PARAMETERS.has(text.toLowerCase()));
    if (used !== undefined)
      cursor.get(name)?.error(`"${name}" must not be "${used}", which requests need for themselves`);
  }
}
