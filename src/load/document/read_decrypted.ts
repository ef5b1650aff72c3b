import type { Diagnostics } from '../../model/source/diagnostic.js';
import { LoadError } from '../../model/source/load_error.js';
import { isEncrypted } from '../vault/envelope.js';
import { Vault } from '../vault/vault.js';
import type { FileServices } from './file_services.js';
import { readText } from './read_text.js';

interface FileText {
  readonly text: string;
  /** Whether the file is encrypted: messages must not show its content. */
  readonly encrypted: boolean;
  /** For an encrypted file: the label of the password that decrypts it. */
  readonly label?: string | undefined;
}

/** Like `readText`, but decrypts what ansible-vault encrypted. @param onLocked called if no password fits, which is an error without it */
export async function readDecrypted(
  file: string,
  diagnostics: Diagnostics,
  { vault = Vault.locked(), onRead }: FileServices = {},
  shown = file,
  onLocked?: (reason: LoadError, label: string) => void,
): Promise<FileText | undefined> {
  const text = await readText(file, diagnostics, shown);
  if (text !== undefined) onRead?.('file', file, text);
  if (text === undefined || !isEncrypted(text)) return text === undefined ? undefined : { text, encrypted: false };
  const opened = await vault.open(text);
  const place = { file: shown, line: 1, column: 1 };
  if (opened.status === 'refused') {
    const { label } = opened;
    if (onLocked !== undefined && label !== undefined)
      onLocked(new LoadError(`the file ${shown} ${opened.message}`, place, opened.hint), label);
    else diagnostics.error(`this file ${opened.message}`, place, opened.hint);
    return undefined;
  }
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(opened.content);
    return { text: content, encrypted: true, label: opened.password.label };
  } catch {
    diagnostics.error('this file is not UTF-8 text once it is decrypted', place);
    return undefined;
  }
}
