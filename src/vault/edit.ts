import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { relativeName } from '../core/files/paths.js';
import { writeNewFile } from '../core/files/replace_file.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { encrypt } from '../project/vault/cipher.js';
import type { Vault } from '../project/vault/vault.js';
import { commandLine, fileWord } from '../reporting/text/words.js';
import { edit, page } from './editor.js';
import { canWrite, decryptInputs, openInput, outputFor, readInputs, writeOutputs, type OutputFile } from './files.js';
import { openToDecrypt, passwordToEncrypt, type EncryptOptions, type VaultCommandOptions } from './passwords.js';

export interface ViewOrEditOptions extends VaultCommandOptions {
  readonly files: readonly string[];
}

/** `evenkeel vault edit`: one file after the other; what was not changed is not written. */
export async function editCommand(options: ViewOrEditOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  for (const file of options.files) await canWrite(file, context, diagnostics);
  const vault = diagnostics.failed() ? undefined : await openToDecrypt(options, loadingPorts(context), diagnostics);
  if (vault === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  for (const file of options.files) {
    const failed = new Diagnostics();
    const code = await editOne(file, vault, context, failed);
    if (failed.failed()) {
      refuse(failed.list, context);
      return code;
    }
  }
  return EXIT.ok;
}

/** Returns the exit code. The file is encrypted again with the same password and label. */
async function editOne(file: string, vault: Vault, context: CommandContext, diagnostics: Diagnostics): Promise<number> {
  const [input] = await readInputs([file], context, diagnostics);
  const opened = input && (await openInput(input, vault, diagnostics));
  if (input === undefined || opened === undefined) return EXIT.usage;
  const edited = await edit(opened.content, file, context);
  if (edited.status === 'failed') {
    diagnostics.error(`${edited.message}: ${file} was not changed`, undefined, edited.hint);
    return edited.exitCode;
  }
  if (edited.content.equals(opened.content)) return EXIT.ok;
  const { label, password } = opened;
  const content = await encrypt(edited.content, { label, bytes: password.bytes });
  const isDone = await writeEdited({ ...outputFor(input, content), content }, context, diagnostics);
  return isDone ? EXIT.ok : EXIT.usage;
}

/** Writes what was edited. If that fails, it is kept, encrypted, beside the file, in the temporary folder, or at least on stdout. */
async function writeEdited(
  output: OutputFile & { readonly content: string },
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<boolean> {
  if (await writeOutputs([output], context, diagnostics)) return true;
  const file = path.resolve(context.cwd, output.name);
  const end = `${randomBytes(3).toString('hex')}.edited`;
  for (const kept of [`${file}.${end}`, path.join(tmpdir(), `evenkeel-vault-${end}`)]) {
    const why: unknown = await writeNewFile(kept, output.content, 0o600).catch((error: unknown) => error);
    if (why !== undefined) continue;
    const shown = relativeName(kept, context.cwd);
    const hint = `to see it: ${commandLine(['evenkeel', 'vault', 'view', fileWord(shown)])}`;
    diagnostics.warn(`what you edited is in ${shown}, encrypted`, undefined, hint);
    return false;
  }
  const hint = `it is printed on stdout, encrypted: save it, then see it with ${commandLine(['evenkeel', 'vault', 'view', 'FILE'])}`;
  diagnostics.warn('what you edited is in no file, because none can be written', undefined, hint);
  context.stdout.reveal(output.content);
  return false;
}

export interface CreateOptions extends EncryptOptions {
  readonly file: string;
}

/** `evenkeel vault create`: opens an editor and encrypts the result. */
export async function createCommand(options: CreateOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const { file } = options;
  const target = path.resolve(context.cwd, file);
  if (await stat(target).catch(() => undefined)) {
    const command = commandLine(['evenkeel', 'vault', 'edit', fileWord(file)]);
    diagnostics.error(`${file} already exists`, undefined, `${command} opens it`);
    return refuse(diagnostics.list, context);
  }
  const password = (await canWrite(file, context, diagnostics))
    ? await passwordToEncrypt(options, loadingPorts(context), diagnostics)
    : undefined;
  if (password === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const edited = await edit(Buffer.alloc(0), file, context);
  if (edited.status === 'failed') {
    const { message, hint } = edited;
    refuse([{ severity: 'error', message: `${message}: ${file} was not written`, hint }], context);
    return edited.exitCode;
  }
  const content = await encrypt(edited.content, password);
  const failed = new Diagnostics();
  const output = { name: file, content, inNewFolder: true, before: 'nothing' } as const;
  return (await writeEdited(output, context, failed)) ? EXIT.ok : refuse(failed.list, context);
}

/** `evenkeel vault view`: shows the content of files, in a pager on a terminal. */
export async function viewCommand(options: ViewOrEditOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const decrypted = await decryptInputs(options.files, options, context, diagnostics);
  if (decrypted === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  for (const { content } of decrypted.contents) if (await page(content, context)) return EXIT.terminated;
  return EXIT.ok;
}
