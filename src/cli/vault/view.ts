import { Diagnostics } from '../../model/source/diagnostic.js';
import { EXIT } from '../../model/exit_code.js';
import type { CommandContext } from '../context.js';
import { loadingPorts } from '../terminal/prompt.js';
import { refuse, show } from '../terminal/refusal.js';
import { openInput, readInputs } from './files.js';
import { page } from './pager.js';
import { openToDecrypt, type VaultCommandOptions } from '../../app/vault/passwords.js';

export interface ViewOptions extends VaultCommandOptions {
  readonly files: readonly string[];
}

/** `evenkeel vault view`: what the files hold, in a pager on a terminal. */
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
