import { Diagnostics } from '../../model/source/diagnostic.js';
import { EXIT } from '../../model/exit_code.js';
import type { CommandContext } from '../context.js';
import { loadingPorts } from '../terminal/prompt.js';
import { refuse, show } from '../terminal/refusal.js';
import { checkOutput, openInput, readInputs, STANDARD, writeOutputs, type Output } from './files.js';
import { openToDecrypt, type VaultCommandOptions } from '../../app/vault/passwords.js';

export interface DecryptOptions extends VaultCommandOptions {
  /** None: stdin. */
  readonly files: readonly string[];
  /** Absent: each file is replaced. */
  readonly output?: string;
}

/** `evenkeel vault decrypt`: nothing is written unless all of it can be. */
export async function decryptCommand(options: DecryptOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const names = options.files.length > 0 ? options.files : [STANDARD];
  checkOutput(names, options.output, diagnostics);
  const vault = diagnostics.failed() ? undefined : await openToDecrypt(options, loadingPorts(context), diagnostics);
  if (vault === undefined) return refuse(diagnostics.list, context);
  if (names.includes(STANDARD) && context.stdin.isTTY) context.stderr.write('Reading ciphertext input from stdin\n');
  const outputs: Output[] = [];
  for (const input of await readInputs(names, context, diagnostics)) {
    const opened = await openInput(input, vault, diagnostics);
    if (opened !== undefined) outputs.push({ name: options.output ?? input.name, content: opened.content });
  }
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  if (!(await writeOutputs(outputs, context, diagnostics))) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  if (context.stdout.isTTY) context.stderr.write('Decryption successful\n');
  return EXIT.ok;
}
