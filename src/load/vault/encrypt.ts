import { seal } from './cipher.js';
import { formatEnvelope } from './envelope.js';
import type { VaultPassword } from './passwords.js';

/** Encrypts as ansible-vault does: text that it can read again, ending in a line break. The label is the password's. */
export async function encrypt(content: Buffer, { label, bytes }: VaultPassword): Promise<string> {
  return formatEnvelope({ ...(await seal(content, bytes)), label });
}
