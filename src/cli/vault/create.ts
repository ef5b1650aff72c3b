import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { encrypt } from '../../load/vault/encrypt.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { EXIT } from '../../model/exit_code.js';
import type { CommandContext } from '../context.js';
import { loadingPorts } from '../terminal/prompt.js';
import { refuse, show } from '../terminal/refusal.js';
import { edit } from './editor.js';
import { writeOutputs } from './files.js';
import { passwordToEncrypt, type EncryptOptions } from '../../app/vault/passwords.js';

export interface CreateOptions extends EncryptOptions {
  readonly file: string;
}

/** `evenkeel vault create`: opens an editor and encrypts the result. */
export async function createCommand(options: CreateOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const { file } = options;
  const target = path.resolve(context.cwd, file);
  if (await stat(target).catch(() => undefined)) {
    diagnostics.error(`${file} is there already`, undefined, `evenkeel vault edit ${file} opens it`);
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
