import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readBytes } from '../../files/read_bytes.js';
import { isFileError, whyUnreadable } from '../../files/file_error.js';
import { decodeUtf8 } from '../../files/utf8.js';
import type { Diagnostics } from '../../model/source/diagnostic.js';
import { didYouMean } from '../../model/source/suggestion.js';
import { placeOf } from '../../files/carried_files.js';

/**
 * The text of a file, without a byte order mark. Reports unreadable files and invalid UTF-8 to `diagnostics`.
 *
 * @param shown the name of the file in messages
 * @param name the name of the file in positions
 */
export async function readText(
  file: string,
  diagnostics: Diagnostics,
  shown = file,
  name = shown,
): Promise<string | undefined> {
  try {
    const decoded = decodeUtf8(await readBytes(file));
    if ('text' in decoded) return decoded.text;
    const { byte, ...place } = decoded.bad;
    diagnostics.error(`cannot read ${shown}: it is not UTF-8 text (byte ${byte})`, { file: name, ...place });
  } catch (error) {
    const missing = isFileError(error, 'ENOENT');
    const hint = missing ? await nearby(file) : undefined;
    diagnostics.error(`cannot read ${shown}: ${whyUnreadable(error)}`, undefined, hint);
  }
  return undefined;
}

/** A file with a similar name in the same folder. */
async function nearby(file: string): Promise<string | undefined> {
  const names = await readdir(placeOf(path.dirname(file))).catch(() => []);
  return didYouMean(path.basename(file), names);
}
