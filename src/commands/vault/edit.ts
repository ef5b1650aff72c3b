import { encrypt } from '../../load/vault/encrypt.js';
import type { Vault } from '../../load/vault/vault.js';
import { Diagnostics } from '../../model/diagnostic.js';
import { EXIT, type CommandContext } from '../context.js';
import { refuse, show } from '../refusal.js';
import { edit } from './editor.js';
import { openInput, readInputs, writeOutputs } from './files.js';
import { openToDecrypt, type VaultCommandOptions } from './passwords.js';

export interface EditOptions extends VaultCommandOptions {
  readonly files: readonly string[];
}

/** `evenkeel vault edit`: one file after the other; what was not changed is not written. */
export async function editCommand(options: EditOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const vault = await openToDecrypt(options, context, diagnostics);
  if (vault === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  for (const file of options.files) {
    const failed = new Diagnostics();
    await editOne(file, vault, context, failed);
    if (failed.failed()) return refuse(failed.list, context);
  }
  return EXIT.ok;
}

/** The password that opened it closes it again, under the label that it had. */
async function editOne(file: string, vault: Vault, context: CommandContext, diagnostics: Diagnostics): Promise<void> {
  const [input] = await readInputs([file], context, diagnostics);
  const opened = input && (await openInput(input, vault, diagnostics));
  if (opened === undefined) return;
  const edited = await edit(opened.content, file, context);
  if (edited.status === 'failed') {
    diagnostics.error(`${edited.message}: ${file} is as it was`);
    return;
  }
  if (edited.content.equals(opened.content)) return;
  const { label, password } = opened;
  const content = await encrypt(edited.content, { label, bytes: password.bytes });
  await writeOutputs([{ name: file, content }], context, diagnostics);
}
