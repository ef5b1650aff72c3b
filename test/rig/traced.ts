import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './command.js';

const run = promisify(execFile);

const CALLS = 'fsync|fdatasync|link|linkat|rename|renameat|renameat2|unlink|unlinkat';
const CALL = new RegExp(String.raw`\b(${CALLS})\((?:\d+<([^>]*)>|.*"([^"]*)")`);

/**
 * Which files below a folder are synced, get a name or are removed, in order: `fsync a.json`, `rename b.json`. Skips the
 * test, with a message, if this machine does not allow tracing.
 *
 * @param code of a module; `process.argv[1]` is the folder
 */
export async function traced(context: Mocha.Context, folder: string, code: string): Promise<readonly string[]> {
  const trace = path.join(folder, 'trace');
  const watched = ['-f', '-y', '-s', '4096', '-e', `trace=${CALLS.replaceAll('|', ',')}`, '-o', trace];
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', code, folder];
  try {
    await run('strace', [...watched, ...node], { cwd: ROOT });
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code !== 'ENOENT' && stderr?.includes('ptrace') !== true) throw error;
    process.stderr.write(`left out, since nothing can be traced here: ${String(error)}\n`);
    context.skip();
  }
  return (await readFile(trace, 'utf8')).split('\n').flatMap((line) => {
    const [, call, opened, named] = CALL.exec(line) ?? [];
    const name = path.relative(folder, opened ?? named ?? '') || '.';
    return call === undefined || name.startsWith('..') ? [] : [`${call} ${name}`];
  });
}
