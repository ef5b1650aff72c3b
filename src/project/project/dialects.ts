import { DEFAULT_DIALECT, DIALECTS, type Dialect, type Dialects } from '../../core/model/dialect.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { entry, isList, isMapping } from '../../core/model/values/value.js';
import { text, texts, wantMapping, type Cursor } from '../document/cursor.js';
import { checkApart, checkForm } from './trait_forms.js';
import { TRAITS, type Trait, type TraitKind, type TraitValue } from './traits.js';
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
    if (extending.includes(name))
      return cursor.error(`the dialect "${name}" extends itself: ${[...extending, name].join(' → ')}`);
    const own = this.#written.get(name);
    const base = own === undefined ? this.#made.get(name) : this.#make(own, extending);
    if (base !== undefined || own !== undefined) return base;
    const names = [...new Set([...DIALECTS.keys(), ...this.#written.keys()])].filter((one) => !extending.includes(one));
    const hint = didYouMean(name, names) ?? `known dialects: ${names.join(', ')}`;
    return cursor.error(`there is no dialect "${name}"`, hint);
  }
}

function isFree(cursor: Cursor): boolean {
  if (cursor.name.trim() === '') cursor.errorAtKey('a dialect needs a name, such as acme');
  else if (!DIALECTS.has(cursor.name)) return true;
  else {
    const hint = `choose another name, and set "extends: ${cursor.name}"`;
    cursor.errorAtKey(`the dialect "${cursor.name}" is built in`, hint);
  }
  return false;
}

function checkNames(cursor: Cursor): void {
  if (cursor.value !== null) wantMapping(cursor, ' of traits', `the dialect "${cursor.name}"`);
  for (const item of cursor.entries()) checkSetting(item, 'a dialect', ['extends', ...TRAITS.map(({ name }) => name)]);
}

function extended(cursor: Cursor, base: Dialect): Dialect {
  const made = overridden(cursor, base);
  checkParts(cursor, made);
  checkApart(cursor, (name) => {
    const value = TRAITS.find((trait) => trait.name === name)?.valueIn(made);
    return typeof value === 'object' ? value : typeof value === 'string' && value !== '' ? [value] : [];
  });
  return made;
}

function overridden(cursor: Cursor, base: Dialect): Dialect {
  const made: Record<string, unknown> = { name: cursor.name };
  for (const trait of TRAITS) {
    const { part, field, partOf } = trait;
    const group = made[part];
    if (field === undefined) made[part] = traitValue(trait, cursor, base);
    else if (partOf === undefined) {
      const value = traitValue(trait, cursor, base);
      made[part] = value === undefined ? undefined : { [field]: value };
    } else if (typeof group === 'object' && group !== null)
      Object.assign(group, { [field]: traitValue(trait, cursor, base) });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TRAITS has all parts of a dialect
  return made as unknown as Dialect;
}

/** The value that the dialect sets itself, or inherits. Null removes an inherited value. */
function traitValue({ name, value, presence, valueIn }: Trait, cursor: Cursor, base: Dialect): TraitValue | undefined {
  const item = cursor.get(name);
  const inherited = presence === 'always' || !isWritten(cursor, name) ? valueIn(base) : undefined;
  return (item && readTrait(value, item)) ?? inherited ?? (presence === 'needed' ? (MISSING[value] ?? '') : undefined);
}

const MISSING: Readonly<Partial<Record<TraitKind, TraitValue>>> = { cookies: [], 'whole number': 0 };

/** No controller shows more objects at once. */
const MOST_PER_PAGE = 100_000;

function readTrait(kind: TraitKind, item: Cursor): TraitValue | undefined {
  if (kind === 'boolean') return boolean(item);
  if (kind === 'whole number') return wholeNumberUpTo(MOST_PER_PAGE, item);
  const value = kind === 'cookies' ? texts(item).map((one) => one.value) : text(item);
  for (const one of [value ?? []].flat()) checkForm(item, one);
  return value;
}

/** True for null, too. */
function isWritten({ value }: Cursor, name: string): boolean {
  return isMapping(value) && entry(value, name) !== undefined;
}

/** A group of traits must be complete or absent. */
function checkParts(cursor: Cursor, made: Dialect): void {
  const missing = new Map<string, string[]>();
  for (const { name, presence, partOf, part, valueIn } of TRAITS) {
    const written = cursor.get(name);
    if (presence === 'always' && written === undefined && isWritten(cursor, name))
      cursor.error(`"${name}" of the dialect "${cursor.name}" must not be null`);
    if (partOf === undefined) continue;
    if (made[part] === undefined) written?.errorAtKey(`"${name}" has no meaning without ${partOf}`);
    else if (presence === 'needed' && isList(written?.value) && written.value.length === 0)
      written.error(`${written.title} must not be empty`);
    else if (presence === 'needed' && written === undefined && isEmpty(valueIn(made)))
      missing.set(partOf, [...(missing.get(partOf) ?? []), name]);
  }
  for (const [trait, parts] of missing)
    cursor.errorAtKey(`the dialect "${cursor.name}" has ${trait}, which needs ${parts.join(', ')}`);
}

function isEmpty(value: ReturnType<Trait['valueIn']>): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}
