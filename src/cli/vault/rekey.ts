import { fileBelow } from '../../load/project/vault_settings.js';
import { encrypt } from '../../load/vault/cipher.js';
import { passwordFile, type PasswordSource } from '../../load/vault/passwords.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { EXIT } from '../../model/exit_code.js';
import type { CommandContext } from '../terminal/context.js';
import { loadingPorts } from '../terminal/prompt.js';
import { refuse, show } from '../terminal/refusal.js';
import { vaultIdOf } from '../../app/load/vault_passwords.js';
import { openInput, readInputs, writeOutputs } from './files.js';
import { newPassword, openToDecrypt, type EncryptOptions } from '../../app/vault/passwords.js';

export interface RekeyOptions extends EncryptOptions {
  readonly files: readonly string[];
  readonly newVaultId?: string;
  readonly newVaultPasswordFile?: string;
}

/** `evenkeel vault rekey`: the same content under another password; writes nothing if one of the files cannot be encrypted. */
export async function rekeyCommand(options: RekeyOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const sources = newSources(options, context, diagnostics);
  const vault = diagnostics.failed() ? undefined : await openToDecrypt(options, loadingPorts(context), diagnostics);
  if (vault === undefined) return refuse(diagnostics.list, context);
  const contents: { name: string; content: Buffer }[] = [];
  for (const input of await readInputs(options.files, context, diagnostics)) {
    const opened = await openInput(input, vault, diagnostics);
    if (opened !== undefined) contents.push({ name: input.name, content: opened.content });
  }
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const password = await newPassword(sources, vault.passwords, options, loadingPorts(context), diagnostics);
  if (password === undefined) return refuse(diagnostics.list, context);
  const outputs = await Promise.all(
    contents.map(async ({ name, content }) => ({ name, content: await encrypt(content, password) })),
  );
  if (!(await writeOutputs(outputs, context, diagnostics))) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  context.stderr.write('Rekey successful\n');
  return EXIT.ok;
}

function newSources(
  { newVaultId, newVaultPasswordFile }: RekeyOptions,
  { cwd }: CommandContext,
  diagnostics: Diagnostics,
): readonly PasswordSource[] {
  if (newVaultId !== undefined && newVaultPasswordFile !== undefined) {
    diagnostics.error('there can be one new password: --new-vault-id or --new-vault-password-file');
    return [];
  }
  if (newVaultPasswordFile !== undefined) return [passwordFile(newVaultPasswordFile, fileBelow(cwd, cwd))];
  const source = newVaultId === undefined ? undefined : vaultIdOf(newVaultId, cwd, '--new-vault-id', diagnostics);
  return source === undefined ? [] : [source];
}
