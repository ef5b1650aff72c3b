import type { Diagnostics } from '../../model/source/diagnostic.js';
import { isEncrypted } from '../vault/envelope.js';
import { Vault } from '../vault/vault.js';
import type { FileServices } from './file_services.js';
import { readText } from './read_text.js';

interface FileText {
  readonly text: string;
  /** Whether the file is encrypted: then messages must not show its content. */
  readonly encrypted: boolean;
}

/** Like `readText`, but decrypts what ansible-vault encrypted. */
export async function readDecrypted(
  file: string,
  diagnostics: Diagnostics,
  { vault = Vault.locked(), onRead }: FileServices = {},
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
