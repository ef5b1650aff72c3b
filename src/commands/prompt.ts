import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from './context.js';

/** Asks on the terminal (on stderr: stdout is for data). Undefined when nobody is there to answer. */
export async function ask(question: string, context: CommandContext, echo = true): Promise<string | undefined> {
  if (!context.stdin.isTTY) return undefined;
  context.stderr.write(question);
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: context.stdin, output: echo ? context.stderr : silent, terminal: true });
  try {
    return await lines.question('', { signal: context.drain });
  } catch (error) {
    if (context.drain.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
    if (!echo) context.stderr.write('\n');
  }
}
