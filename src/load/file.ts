import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostics } from '../model/diagnostic.js';
import { didYouMean } from '../model/suggestion.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
};

/**
 * The text of a file, without a byte order mark. What cannot be read, or is not UTF-8, goes to `diagnostics`.
 *
 * @param shown how messages call the file
 */
export async function readText(file: string, diagnostics: Diagnostics, shown = file): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const hint = missing ? await nearby(file) : undefined;
    diagnostics.error(`cannot read ${shown}: ${whyUnreadable(error)}`, undefined, hint);
    return undefined;
  }
}

/** A file of nearly that name in the same folder. */
async function nearby(file: string): Promise<string | undefined> {
  const names = await readdir(path.dirname(file)).catch(() => []);
  return didYouMean(path.basename(file), names);
}

/** The reason of a failed file operation, in words. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8 text';
  return REASONS[code] ?? error.message;
}
