import { homedir } from 'node:os';
import path from 'node:path';
import type { Source } from '../../core/model/source/diagnostic.js';
import type { Cursor } from '../document/cursor.js';
import { text, texts } from '../document/texts.js';
import { parseVaultId, passwordFile, type FindFile, type PasswordSource } from '../vault/passwords.js';
import { cursorPlace, relativeTo } from './values.js';

/** `vault_ids`: a list of `label@prompt` and `label@file`. Undefined if there is none. */
export function passwordSources(
  cursor: Cursor | undefined,
  base: string,
  cwd: string,
): readonly PasswordSource[] | undefined {
  return cursor?.items().flatMap((item) =>
    texts(item).flatMap(({ value }) => {
      const source = parseVaultId(value, fileBelow(base, cwd, cursorPlace(item)));
      if (typeof source !== 'string') return [source];
      item.error(source, 'write LABEL@FILE or LABEL@prompt');
      return [];
    }),
  );
}

/** `vault_password_file`: one file, or a program that prints the password. */
export function passwordFileSource(cursor: Cursor | undefined, base: string, cwd: string): PasswordSource | undefined {
  const name = text(cursor);
  return name === undefined ? undefined : passwordFile(name, fileBelow(base, cwd, cursor && cursorPlace(cursor)));
}

/** Finds files relative to a folder; `~/` is the user's home folder. */
export function fileBelow(base: string, cwd: string, place?: Source | string): FindFile {
  return (name) => {
    const file = name.startsWith('~/') ? path.join(homedir(), name.slice(2)) : path.resolve(base, name);
    return { path: file, shown: relativeTo(cwd, file), ...(place !== undefined && { place }) };
  };
}
