import path from 'node:path';
import { fileTypeAt, resolveName } from '../../core/files/paths.js';
import type { ForkCount } from '../../core/model/run/choices.js';
import type { Source } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { removedText } from '../../core/model/version.js';
import { parseLimit } from '../../module/argument_spec/size.js';
import { TYPED } from '../document/command_line.js';
import { text, texts, type Cursor } from '../document/cursor.js';
import { shownValue } from '../document/templated.js';

/** Reports a key that is not allowed in its mapping. */
export function checkSetting(cursor: Cursor, owner: string, known: readonly string[]): void {
  const { name } = cursor;
  if (known.includes(name)) return;
  const removed = removedText(name);
  if (removed !== undefined) cursor.errorAtKey(removed);
  else cursor.errorAtKey(`"${name}" is not a keyword of ${owner}`, didYouMean(name, known));
}

/** @param word what may stand in place of a number */
export function wholeNumberUpTo(most: number, cursor: Cursor, word?: string): number | undefined {
  const { value } = cursor;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= most) return number;
  const range = typeof number === 'number' && number > most ? `from 1 to ${most}` : 'from 1';
  const or = word === undefined ? '' : `, or ${word}`;
  return cursor.error(`${cursor.title} must be a whole number ${range}${or}, not ${shownValue(cursor)}`);
}

export function forkSetting(cursor: Cursor): ForkCount | undefined {
  return cursor.value === 'auto' ? 'auto' : wholeNumberUpTo(LARGEST_NUMBER, cursor, 'auto');
}

/** Far more than there are controllers, or objects on one. */
const LARGEST_NUMBER = 1_000_000;

/** In bytes. */
export function sizeSetting(cursor: Cursor): number | undefined {
  const { value } = cursor;
  const bytes = typeof value === 'number' || typeof value === 'string' ? parseLimit(String(value)) : undefined;
  if (bytes !== undefined) return bytes;
  return cursor.error(`${cursor.title} must be a size such as 16MB, at most 1TB, not ${shownValue(cursor)}`);
}

export function boolean(cursor: Cursor | undefined): boolean {
  if (cursor === undefined || typeof cursor.value === 'boolean') return cursor?.value === true;
  cursor.error(`${cursor.title} must be true or false, not ${shownValue(cursor)}`);
  return false;
}

export function readChoice<T extends string>(cursor: Cursor, choices: readonly T[]): T | undefined {
  const name = text(cursor);
  const found = choices.find((choice) => choice === name);
  if (found === undefined && name !== undefined) {
    const listed = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
    cursor.error(`${cursor.title} must be ${listed}, not "${name}"`, didYouMean(name, choices));
  }
  return found;
}

/** The origin of a setting: a place in the file, or the name of the variable. */
export function cursorPlace(cursor: Cursor): Source | string {
  return cursor.source.file === TYPED.file ? cursor.name : cursor.source;
}

/** A folder, absolute. */
export function folder(cursor: Cursor, base: string): string | undefined {
  const name = text(cursor);
  return name === undefined ? undefined : resolveName(base, name);
}

/** Folders, absolute. */
export function folderSettings(cursor: Cursor, base: string): readonly string[] {
  return texts(cursor).map(({ value }) => resolveName(base, value));
}

/** Folders, absolute; other texts stay unchanged, because they may be names of packages. */
export function foldersOrPackages(cursor: Cursor, base: string): readonly string[] {
  return texts(cursor).map(({ value }) => {
    const resolved = resolveName(base, value);
    return fileTypeAt(resolved) !== undefined ? resolved : value;
  });
}

/** Names of collections, such as `vendor.controller`. */
export function collections(cursor: Cursor | undefined): readonly string[] {
  return texts(cursor).flatMap(({ value, source }) => {
    if (/^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(value)) return [value];
    cursor?.diagnostics.error(`"${value}" is not the name of a collection`, source, 'write it as "vendor.name"');
    return [];
  });
}

/** Inventory sources, relative to the working directory; `host,host` is not a file. */
export function sources(cursor: Cursor | undefined, base: string, cwd: string): readonly string[] | undefined {
  if (cursor === undefined) return undefined;
  // A run over no inventory would change nothing, and end well.
  if (Array.isArray(cursor.value) && cursor.value.length === 0)
    cursor.error(`${cursor.title} is an empty list`, 'name an inventory, or leave the setting out');
  return texts(cursor).map(({ value }) => (value.includes(',') ? value : relativeTo(cwd, resolveName(base, value))));
}

/** The path as a user would type it in the working directory. */
export function relativeTo(cwd: string, file: string): string {
  const name = path.relative(cwd, file) || '.';
  return name.startsWith('~/') ? `./${name}` : name;
}
