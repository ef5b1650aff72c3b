import { openToDecrypt, type VaultCommandOptions } from '../../app/vault/passwords.js';
import { EXIT } from '../../model/exit_code.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { mayExecute, programs } from '../../programs/programs.js';
import type { CommandContext } from '../terminal/context.js';
import { loadingPorts } from '../terminal/prompt.js';
import { refuse, show } from '../terminal/refusal.js';
import { openInput, readInputs } from './files.js';

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
  if (!shown) stdout.write(content);
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
