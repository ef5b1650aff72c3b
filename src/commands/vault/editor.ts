import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mayExecute, programs } from '../../programs/programs.js';
import type { CommandContext } from '../context.js';

export type Edited =
  { readonly status: 'ok'; readonly content: Buffer } | { readonly status: 'failed'; readonly message: string };

/**
 * Lets the user edit a text in `$EDITOR` (else `$VISUAL`, else vi), in a folder that nobody else can enter and that is gone
 * afterwards, whatever happened. An editor that ends with an error has given nothing.
 *
 * @param name of the file that it is about: editors choose colours by its ending
 */
export async function edit(content: Buffer, name: string, { cwd, env }: CommandContext): Promise<Edited> {
  if (!mayExecute(env)) return { status: 'failed', message: '--no-exec starts no editor' };
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-vault-'));
  try {
    const file = path.join(folder, `content${path.extname(name)}`);
    await writeFile(file, content, { mode: 0o600 });
    const editor = [env['EDITOR'], env['VISUAL']].find((one = '') => one !== '') ?? 'vi';
    const failure = await run(editor, file, { cwd, env });
    if (failure !== undefined) return { status: 'failed', message: `the editor (${editor}) ${failure}` };
    return { status: 'ok', content: await readFile(file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By the shell, since it may come with options: `code --wait`. Undefined if it ended well. */
function run(
  editor: string,
  file: string,
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = programs(mayExecute(env)).spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], {
      cwd,
      env,
      stdio: 'inherit',
    });
    child.on('error', (error) => {
      resolve(`cannot be started: ${error.message}`);
    });
    child.on('close', (code, signal) => {
      if (signal !== null) resolve(`was ended by signal ${signal}`);
      else resolve(code === 0 ? undefined : `ended with exit code ${code ?? 'unknown'}`);
    });
  });
}
