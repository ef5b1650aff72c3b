import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandContext } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { refuse, show } from '../cli/refusal.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { mayExecute, programs } from '../core/programs/programs.js';
import { encrypt } from '../project/vault/cipher.js';
import type { Vault } from '../project/vault/vault.js';
import { edit } from './editor.js';
import { openInput, readInputs, writeOutputs } from './files.js';
import { openToDecrypt, passwordToEncrypt, type EncryptOptions, type VaultCommandOptions } from './passwords.js';

export interface EditOptions extends VaultCommandOptions {
  readonly files: readonly string[];
}

/** `evenkeel vault edit`: one file after the other; what was not changed is not written. */
export async function editCommand(options: EditOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const vault = await openToDecrypt(options, loadingPorts(context), diagnostics);
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
  if (opened === undefined) return EXIT.usage;
  const edited = await edit(opened.content, file, context);
  if (edited.status === 'failed') {
    diagnostics.error(`${edited.message}: ${file} was not changed`);
    return edited.exitCode;
  }
  if (edited.content.equals(opened.content)) return EXIT.ok;
  const { label, password } = opened;
  const content = await encrypt(edited.content, { label, bytes: password.bytes });
  return (await writeOutputs([{ name: file, content }], context, diagnostics)) ? EXIT.ok : EXIT.usage;
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
    diagnostics.error(`${file} already exists`, undefined, `evenkeel vault edit ${file} opens it`);
    return refuse(diagnostics.list, context);
  }
  const password = await passwordToEncrypt(options, loadingPorts(context), diagnostics);
  if (password === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const edited = await edit(Buffer.alloc(0), file, context);
  if (edited.status === 'failed') {
    refuse([{ severity: 'error', message: `${edited.message}: ${file} was not written` }], context);
    return edited.exitCode;
  }
  await mkdir(path.dirname(target), { recursive: true });
  const output = { name: file, content: await encrypt(edited.content, password) };
  const failed = new Diagnostics();
  return (await writeOutputs([output], context, failed)) ? EXIT.ok : refuse(failed.list, context);
}

export interface ViewOptions extends VaultCommandOptions {
  readonly files: readonly string[];
}

/** `evenkeel vault view`: shows the content of files, in a pager on a terminal. */
export async function viewCommand(options: ViewOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const vault = await openToDecrypt(options, loadingPorts(context), diagnostics);
  if (vault === undefined) return refuse(diagnostics.list, context);
  const contents: Buffer[] = [];
  for (const input of await readInputs(options.files, context, diagnostics)) {
    const opened = await openInput(input, vault, diagnostics);
    if (opened !== undefined) contents.push(opened.content);
  }
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  for (const content of contents) await page(content, context);
  return EXIT.ok;
}

/** Shows a text in `$PAGER`, or in less if installed. If stdout is not a terminal, just writes it. */
async function page(content: Buffer, { stdout, env, cwd }: CommandContext): Promise<void> {
  const pager = env['PAGER'] === '' ? 'less' : (env['PAGER'] ?? 'less');
  const shown = stdout.isTTY && mayExecute(env) && (await piped(pager, content, { cwd, env: { LESS: 'FRX', ...env } }));
  if (!shown) stdout.reveal(content);
}

/** False if there is no such pager. */
function piped(pager: string, content: Buffer, { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>): Promise<boolean> {
  const missing = 127;
  return new Promise((resolve) => {
    const child = programs(true).spawn('/bin/sh', ['-c', pager], { cwd, env, stdio: ['pipe', 'inherit', 'ignore'] });
    child.on('error', () => {
      resolve(false);
    });
    child.on('close', (code) => {
      resolve(code !== missing);
    });
    // Who leaves the pager early has seen enough.
    child.stdin.on('error', () => undefined).end(content);
  });
}
