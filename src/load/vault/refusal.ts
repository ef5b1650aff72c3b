import { DEFAULT_LABEL } from './envelope.js';
import { labelsOf, type VaultPassword } from './passwords.js';

/** Why something cannot be decrypted: `message` goes on from its name. */
export interface Refusal {
  readonly message: string;
  readonly hint?: string;
}

/** What was encrypted under this label, and is opened by none of the passwords. */
export function refusal(label: string, passwords: readonly VaultPassword[]): Refusal {
  const own = label === DEFAULT_LABEL ? '' : ` with the password "${label}"`;
  const give = label === DEFAULT_LABEL ? '--vault-password-file FILE' : `--vault-id ${label}@FILE`;
  if (passwords.length === 0) {
    return {
      message: `is encrypted${own}, and no vault password was given`,
      hint: `pass ${give}, or --ask-vault-pass (-J), or name the file in evenkeel.yml`,
    };
  }
  const labels = labelsOf(passwords);
  const message = `cannot be decrypted: none of the vault passwords fits (tried: ${labels.join(', ')})`;
  if (labels.includes(label)) return { message, hint: 'the password may be wrong, or the text was changed' };
  return { message, hint: own === '' ? `pass ${give}` : `it was encrypted${own}: pass ${give}` };
}

export function damage(message: string): Refusal {
  return { message: `is damaged: ${message}` };
}
