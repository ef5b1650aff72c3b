import type { Diagnostics } from '../../model/source/diagnostic.js';
import { readText } from '../file.js';
import type { Means } from '../means.js';
import { isEncrypted } from '../vault/envelope.js';
import { Vault } from '../vault/vault.js';

export interface FileText {
  readonly text: string;
  /** Whether it stands in the file encrypted: nothing of it may be shown then. */
  readonly encrypted: boolean;
}

/** The text of a file as `readText` gives it, decrypted if it is encrypted with ansible-vault. */
export async function readDecrypted(
  file: string,
  diagnostics: Diagnostics,
  { vault = Vault.locked(), onRead }: Means = {},
  shown = file,
): Promise<FileText | undefined> {
  const text = await readText(file, diagnostics, shown);
  if (text !== undefined) onRead?.('file', file, text);
  if (text === undefined || !isEncrypted(text)) return text === undefined ? undefined : { text, encrypted: false };
  const opened = await vault.open(text);
  const place = { file: shown, line: 1, column: 1 };
  if (opened.status === 'refused') {
    diagnostics.error(`this file ${opened.message}`, place, opened.hint);
    return undefined;
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(opened.content), encrypted: true };
  } catch {
    diagnostics.error('this file is not UTF-8 text once it is decrypted', place);
    return undefined;
  }
}

/** Reports a text that is encrypted where nothing can be: its hexadecimal digits would else be read as plain text. */
export function reportEncrypted(text: string, file: string, diagnostics: Diagnostics): boolean {
  if (!isEncrypted(text)) return false;
  diagnostics.error('this file is encrypted with ansible-vault, and has to be plain text', {
    file,
    line: 1,
    column: 1,
  });
  return true;
}
