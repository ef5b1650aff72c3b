import { buffer } from 'node:stream/consumers';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { ask, askSecret, loadingPorts, required } from '../cli/prompt.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { encrypt } from '../project/vault/cipher.js';
import type { VaultPassword } from '../project/vault/passwords.js';
import { STDIO, writeOutputs } from './files.js';
import { passwordToEncrypt, type EncryptOptions } from './passwords.js';

export interface EncryptStringOptions extends EncryptOptions {
  /** None, or `-` among them: stdin. */
  readonly texts: readonly string[];
  /** Names of the variables, in the order of the texts. */
  readonly name?: readonly string[];
  readonly stdinName?: string;
  readonly prompt?: boolean;
  /** Whether what is typed at the prompt may be seen. */
  readonly showInput?: boolean;
  readonly out?: string;
}

/** A key that YAML reads as this text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z_][\w.-]*$/i;

interface Plain {
  readonly content: Buffer;
  readonly name: string | undefined;
  /** The origin of the text, for messages. */
  readonly from: string;
}

/** The indentation of ansible-vault's output, which is deep enough for any place. */
const INDENT = ' '.repeat(10);

/** `evenkeel vault encrypt-string`: prints texts as `!vault` values, to be pasted into YAML. */
export async function encryptStringCommand(options: EncryptStringOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  if (options.prompt === true && readsStdin(options)) diagnostics.error('--prompt cannot be used while stdin is read');
  if ((options.name?.length ?? 0) > argumentsIn(options).length) {
    const hint = readsStdin(options) ? '--stdin-name names the text from stdin' : undefined;
    const ofPrompt = options.prompt === true ? '--prompt asks for the name' : hint;
    diagnostics.error('there are more names (--name) than texts', undefined, ofPrompt);
  }
  const password = diagnostics.failed()
    ? undefined
    : await passwordToEncrypt(options, loadingPorts(context), diagnostics);
  if (password === undefined) return refuse(diagnostics.list, context);
  const plain = await everyText(options, context, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  const output = { name: options.out ?? STDIO, content: await written(plain, password, context) };
  if (!(await writeOutputs([output], context, diagnostics))) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  if (context.stdout.isTTY) context.stderr.write('Encryption successful\n');
  return EXIT.ok;
}

function argumentsIn({ texts }: EncryptStringOptions): readonly string[] {
  return texts.filter((text) => text !== STDIO);
}

function readsStdin({ texts, stdinName, prompt }: EncryptStringOptions): boolean {
  return texts.includes(STDIO) || stdinName !== undefined || (texts.length === 0 && prompt !== true);
}

async function everyText(
  options: EncryptStringOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<readonly Plain[]> {
  const plain: Plain[] = [];
  if (options.prompt === true) plain.push(...(await prompted(options, context, diagnostics)));
  if (readsStdin(options)) plain.push(await fromStdin(options, context));
  const texts = argumentsIn(options);
  for (const [index, text] of texts.entries())
    plain.push({ content: Buffer.from(text), name: options.name?.[index], from: 'the command line' });
  const named = options.name?.length ?? 0;
  if (named > 0 && named < texts.length)
    diagnostics.warn(`there are ${texts.length} texts and fewer names (--name): the last ones have none`);
  for (const { content, from } of plain) {
    if (content.length === 0) diagnostics.error(`the text from ${from} is empty: nothing was encrypted`);
    if (/^[^\r\n]+\r?\n$/.test(content.toString('latin1'))) {
      const message = `the text from ${from} ends with a line break, which is part of the encrypted value`;
      diagnostics.warn(message, undefined, 'a password has none: pass it without, as printf does, or use --prompt');
    }
  }
  return plain;
}

async function prompted(
  { showInput }: EncryptStringOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<readonly Plain[]> {
  const name = required(await ask('Variable name (enter for no name): ', context), context);
  const answer =
    showInput === true
      ? await ask('String to encrypt: ', context)
      : await askSecret('String to encrypt (hidden): ', context);
  const text = required(answer, context);
  if (name === undefined || text === undefined) {
    diagnostics.error('--prompt asks on a terminal, but got no answer');
    return [];
  }
  return [{ content: Buffer.from(text), name: name.trim() || undefined, from: 'the prompt' }];
}

async function fromStdin({ stdinName }: EncryptStringOptions, { stdin, stderr }: CommandContext): Promise<Plain> {
  if (stdin.isTTY) stderr.write('Reading plaintext input from stdin (Ctrl-D ends it)\n');
  const content = await buffer(stdin);
  // Otherwise the value would begin behind what was typed.
  if (stdin.isTTY && !content.toString('latin1').endsWith('\n')) stderr.write('\n');
  return { content, name: stdinName, from: 'stdin' };
}

/** For several texts, stderr names each in the order of the output. */
async function written(plain: readonly Plain[], password: VaultPassword, { stderr }: CommandContext): Promise<string> {
  let text = '';
  for (const [index, { content, name, from }] of plain.entries()) {
    if (plain.length > 1) {
      const which = name === undefined ? `the string #${index + 1}` : `variable ("${name}", the string #${index + 1}`;
      stderr.write(`# The encrypted version of ${which} from ${from}${name === undefined ? '' : ')'}.\n`);
    }
    const lines = (await encrypt(content, password)).trimEnd().split('\n');
    const key = name === undefined ? '' : `${PLAIN.test(name) ? name : JSON.stringify(name)}: `;
    text += `${[`${key}!vault |`, ...lines.map((line) => INDENT + line)].join('\n')}\n`;
  }
  return text;
}
