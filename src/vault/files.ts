import { access, constants, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CommandContext } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { whyUnreadable, whyUnwritable, fileTypeAt, isGone, makeFolder } from '../core/files/paths.js';
import { readBytes } from '../core/files/read_bytes.js';
import { draftFile, linkedFile, requireRegular, type FileDraft } from '../core/files/replace_file.js';
import type { Diagnostics } from '../core/model/source/diagnostic.js';
import { isEncrypted, linesBeforeHeader, MISPLACED } from '../project/vault/cipher.js';
import type { OpenedText, Vault } from '../project/vault/vault.js';
import { commandLine, fileWord } from '../reporting/text/words.js';
import { openToDecrypt, type VaultCommandOptions } from './passwords.js';

/** Means stdin where something is read, and stdout where something is written. */
export const STDIO = '-';

const STDIN = 'stdin';

/** The name of an input in messages. */
export function shownInput(name: string): string {
  return name === STDIO ? STDIN : name;
}

export interface Input {
  /** As the user typed it. */
  readonly name: string;
  readonly content: Buffer;
}

/** Reads all files, or reports each that cannot be read. */
export async function readInputs(
  names: readonly string[],
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  for (const name of names) {
    try {
      const content = name === STDIO ? await buffer(context.stdin) : await readBytes(path.resolve(context.cwd, name));
      inputs.push({ name, content });
    } catch (error) {
      diagnostics.error(`cannot read ${shownInput(name)}: ${whyUnreadable(error)}`);
    }
  }
  return inputs;
}

const SINGLE =
  'only single values in it are encrypted; "evenkeel inventory --graph --vars" shows those of an inventory';

function reportPlain(name: string, input: Input, diagnostics: Diagnostics): void {
  const encrypt = commandLine(['evenkeel', 'vault', 'encrypt', ...(name === STDIN ? [] : [fileWord(name)])]);
  const text = envelopeText(input);
  const part = linesBeforeHeader(text) === undefined ? SINGLE : MISPLACED;
  const hint = text.includes('$ANSIBLE_VAULT;') ? part : `it is plain text; to encrypt it: ${encrypt}`;
  diagnostics.error(`${name} is not encrypted`, undefined, hint);
}

/** Whether it was encrypted with ansible-vault. */
export function isEnvelope(input: Input): boolean {
  return isEncrypted(envelopeText(input, 100));
}

/** Without a byte order mark, with which some editors begin a text. */
function envelopeText({ content }: Input, end?: number): string {
  return content.toString('latin1', 0, end).replace(/^\u00ef\u00bb\u00bf/, '');
}

interface DecryptedInput {
  readonly input: Input;
  readonly content: Buffer;
}

/** What encrypted inputs hold, and the passwords that open them. Undefined after an error. */
export async function decryptInputs(
  names: readonly string[],
  options: VaultCommandOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
  /** What a terminal shows before stdin is read. */
  beforeStdin = '',
): Promise<{ readonly contents: readonly DecryptedInput[]; readonly vault: Vault } | undefined> {
  const read = await readEncrypted(names, context, diagnostics);
  const vault = diagnostics.failed() ? undefined : await openToDecrypt(options, loadingPorts(context), diagnostics);
  if (vault === undefined) return undefined;
  if (names.includes(STDIO) && context.stdin.isTTY) context.stderr.write(beforeStdin);
  const contents: DecryptedInput[] = [];
  for (const input of read ?? (await readInputs(names, context, diagnostics))) {
    const opened = await openInput(input, vault, diagnostics);
    if (opened !== undefined) contents.push({ input, content: opened.content });
  }
  return diagnostics.failed() ? undefined : { contents, vault };
}

/** Reads files before a password is asked for, and reports them if none is encrypted. Undefined for stdin, which is read after it. */
export async function readEncrypted(
  names: readonly string[],
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<readonly Input[] | undefined> {
  if (names.includes(STDIO)) return undefined;
  const inputs = await readInputs(names, context, diagnostics);
  if (!inputs.some(isEnvelope)) for (const input of inputs) reportPlain(input.name, input, diagnostics);
  return inputs;
}

/** Decrypts what was read; undefined after a complaint. */
export async function openInput(
  input: Input,
  vault: Vault,
  diagnostics: Diagnostics,
): Promise<Extract<OpenedText, { status: 'ok' }> | undefined> {
  const name = shownInput(input.name);
  if (!isEnvelope(input)) {
    reportPlain(name, input, diagnostics);
    return undefined;
  }
  const opened = await vault.open(envelopeText(input));
  if (opened.status === 'ok') return opened;
  diagnostics.error(`${name} ${opened.message}`, undefined, opened.hint);
  return undefined;
}

export interface OutputFile {
  readonly name: string;
  readonly content: Buffer | string;
  /** Whether the file held ciphertext, so its mode was not chosen for plain text. */
  readonly decrypted?: boolean;
  /** Whether its folder is created. */
  readonly inNewFolder?: boolean;
  /** What it replaces, and nothing else: somebody may have changed the file since it was read. */
  readonly before?: Buffer | 'nothing';
}

/** The output for an input: in its place, or in the file of `--out`. */
export function outputFor({ name, content: before }: Input, content: OutputFile['content'], out = name): OutputFile {
  const isInput = out === name || (![out, name].includes(STDIO) && path.relative(out, name) === '');
  return isInput ? { name, content, before } : { name: out, content };
}

/**
 * Writes to files, each atomically, or to stdout. Returns false after an error: nothing is replaced unless all of the new content is on
 * disk. A message names what was replaced before something else failed.
 */
export async function writeOutputs(
  outputs: readonly OutputFile[],
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<boolean> {
  context.signals.takeOver?.();
  const files = outputs.filter(({ name }) => name !== STDIO);
  const writable = await Promise.all(files.map(({ name }) => canWrite(name, context, diagnostics)));
  if (writable.includes(false)) return false;
  const drafts: (FileDraft & Pick<OutputFile, 'name'>)[] = [];
  const done: string[] = [];
  const succeeds = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      await Promise.all(drafts.map(({ discard }) => discard()));
      const before = done.length === 0 ? undefined : `written before it: ${done.join(', ')}`;
      diagnostics.error(`cannot write ${name}: ${whyUnwritable(error)}`, undefined, before);
      return false;
    }
  };
  for (const output of outputs) {
    const { name } = output;
    const draft = async (): Promise<unknown> => drafts.push({ name, ...(await draftOutput(output, context)) });
    if (!(await succeeds(name, draft))) return false;
  }
  for (const { name, accept } of drafts) {
    if (!(await succeeds(name, accept))) return false;
    done.push(name);
  }
  return true;
}

/** Whether a file can be written. Ask before an editor opens, so that no edits are lost. */
export async function canWrite(name: string, { cwd }: CommandContext, diagnostics: Diagnostics): Promise<boolean> {
  try {
    if (name === STDIO) throw new Error('an editor opens files only');
    const file = await linkedFile(path.resolve(cwd, name));
    await requireRegular(file);
    let folder = path.dirname(file);
    while (fileTypeAt(folder) === undefined && folder !== path.dirname(folder)) folder = path.dirname(folder);
    await access(`${folder}/.`, constants.W_OK);
    return true;
  } catch (error) {
    diagnostics.error(`cannot write ${name}: ${whyUnwritable(error)}`);
    return false;
  }
}

/** `--out` is one file. */
export function checkOutput(files: readonly string[], output: string | undefined, diagnostics: Diagnostics): void {
  if (output !== undefined && files.length > 1) diagnostics.error('--out takes a single file');
}

/** Keeps mode, owner and a symbolic link. Only the owner can read a new file, encrypted or not, and what was decrypted. */
async function draftOutput(output: OutputFile, { cwd, stdout }: CommandContext): Promise<FileDraft> {
  const { name, content, decrypted, inNewFolder, before: read } = output;
  if (name === STDIO) {
    const accept = (): Promise<void> => {
      stdout.reveal(content);
      return Promise.resolve();
    };
    return { accept, discard: () => Promise.resolve() };
  }
  const file = path.resolve(cwd, name);
  const before = await stat(file).catch(() => undefined);
  if (read === 'nothing' && !isGone(file)) throw new Error('it was created meanwhile');
  if (read instanceof Buffer && !(await readBytes(file).catch(() => undefined))?.equals(read))
    throw new Error('it was changed meanwhile');
  if (inNewFolder === true) await makeFolder(path.dirname(await linkedFile(file)), 0o777);
  const prepare = async (draft: FileHandle): Promise<void> => {
    if (before !== undefined) {
      // Only the superuser can change the owner: for other users, the new file is their own, if possible of the same group.
      const isKept = await draft
        .chown(before.uid, before.gid)
        .catch(() => draft.chown(-1, before.gid))
        .then(
          () => true,
          () => false,
        );
      const ofOwner = (before.mode & 0o700) | 0o600;
      await draft.chmod(decrypted === true ? ofOwner : before.mode & (isKept ? 0o7777 : 0o707));
    }
    await draft.sync();
  };
  return draftFile(file, content, prepare, decrypted);
}
