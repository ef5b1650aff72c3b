import { mayExecute, programs } from '../../programs/programs.js';
import type { CommandContext } from '../context.js';

/** Shows a text in `$PAGER`, or in less if installed. If stdout is not a terminal, just writes it. */
export async function page(content: Buffer, { stdout, env, cwd }: CommandContext): Promise<void> {
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
