import { type CommandContext, refuse, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { readVaultId } from '../launch/load/vault_passwords.js';
import { fileBelow } from '../project/project/settings.js';
import { encrypt } from '../project/vault/cipher.js';
import { passwordFile, type PasswordSource } from '../project/vault/passwords.js';
import { commandLine, fileWord } from '../reporting/text/words.js';
import {
  checkOutput,
  decryptInputs,
  isEnvelope,
  outputFor,
  readInputs,
  shownInput,
  STDIO,
  writeOutputs,
  type Input,
} from './files.js';
import { newPassword, passwordToEncrypt, type EncryptOptions, type VaultCommandOptions } from './passwords.js';

export type EncryptFilesOptions = EncryptOptions & DecryptOptions;

/** `evenkeel vault encrypt`: writes nothing if one of the files cannot be encrypted. */
export async function encryptCommand(options: EncryptFilesOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const names = options.files.length > 0 ? options.files : [STDIO];
  checkOutput(names, options.out, diagnostics);
  // Stdin is read after the password.
  const isEarly = !names.includes(STDIO) && !diagnostics.failed();
  const read = isEarly ? await readPlain(names, context, diagnostics) : undefined;
  const password = diagnostics.failed()
    ? undefined
    : await passwordToEncrypt(options, loadingPorts(context), diagnostics);
  if (password === undefined) return refuse(diagnostics.list, context);
  if (names.includes(STDIO) && context.stdin.isTTY) context.stderr.write('Reading plaintext input from stdin\n');
  const inputs = read ?? (await readPlain(names, context, diagnostics));
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const outputs = await Promise.all(
    inputs.map(async (input) => outputFor(input, await encrypt(input.content, password), options.out)),
  );
  if (!(await writeOutputs(outputs, context, diagnostics))) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  if (context.stdout.isTTY) context.stderr.write('Encryption successful\n');
  return EXIT.ok;
}

async function readPlain(
  names: readonly string[],
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<readonly Input[]> {
  const inputs = await readInputs(names, context, diagnostics);
  for (const { name } of inputs.filter(isEnvelope)) {
    const rekey = commandLine(['evenkeel', 'vault', 'rekey', fileWord(name)]);
    diagnostics.error(`${shownInput(name)} is encrypted already`, undefined, `to change its password: ${rekey}`);
  }
  return inputs;
}

export interface DecryptOptions extends VaultCommandOptions {
  /** None: stdin. */
  readonly files: readonly string[];
  /** Absent: each file is replaced. */
  readonly out?: string;
}

/** `evenkeel vault decrypt`: writes nothing if one of the files cannot be decrypted. */
export async function decryptCommand(options: DecryptOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const names = options.files.length > 0 ? options.files : [STDIO];
  checkOutput(names, options.out, diagnostics);
  const note = 'Reading ciphertext input from stdin\n';
  const decrypted = await decryptInputs(names, options, context, diagnostics, note);
  if (decrypted === undefined) return refuse(diagnostics.list, context);
  const outputs = decrypted.contents.map(({ input, content }) => ({
    ...outputFor(input, content, options.out),
    decrypted: true,
  }));
  if (!(await writeOutputs(outputs, context, diagnostics))) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  if (context.stdout.isTTY) context.stderr.write('Decryption successful\n');
  return EXIT.ok;
}

export interface RekeyOptions extends EncryptOptions {
  readonly files: readonly string[];
  readonly newVaultId?: string;
  readonly newVaultPasswordFile?: string;
}

/** `evenkeel vault rekey`: the same content under another password; writes nothing if one of the files cannot be encrypted. */
export async function rekeyCommand(options: RekeyOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const sources = newSources(options, context, diagnostics);
  const decrypted = await decryptInputs(options.files, options, context, diagnostics);
  if (decrypted === undefined) return refuse(diagnostics.list, context);
  const { contents, vault } = decrypted;
  const password = await newPassword(sources, vault.passwords, options, loadingPorts(context), diagnostics);
  if (password === undefined) return refuse(diagnostics.list, context);
  const outputs = await Promise.all(
    contents.map(async ({ input, content }) => outputFor(input, await encrypt(content, password))),
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
  const source = newVaultId === undefined ? undefined : readVaultId(newVaultId, cwd, '--new-vault-id', diagnostics);
  return source === undefined ? [] : [source];
}
