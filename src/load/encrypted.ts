import type { Diagnostics } from '../model/diagnostic.js';

/** Whether a text was encrypted with ansible-vault; that is reported then. Its hex digits would else be read as plain text. */
export function reportEncrypted(text: string, file: string, diagnostics: Diagnostics): boolean {
  if (!text.startsWith('$ANSIBLE_VAULT;')) return false;
  const message = 'this file is encrypted with ansible-vault, which is not supported in this version';
  diagnostics.error(message, { file, line: 1, column: 1 });
  return true;
}
