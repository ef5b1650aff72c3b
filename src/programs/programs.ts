import { execFileSync, spawn } from 'node:child_process';
import { shellOutput } from './shell.js';
import { webAnswer } from './web.js';

/**
 * The only ways to start programs, to load code that is not Evenkeel's own, and for templates to send requests. `.dependency-cruiser.cjs` holds
 * everything else to it.
 */
export interface Programs {
  readonly spawn: typeof spawn;
  readonly execFileSync: typeof execFileSync;
  readonly shellOutput: typeof shellOutput;
  readonly webAnswer: typeof webAnswer;
  /** What a file of TypeScript or JavaScript exports by default. `alias`: what names of packages mean in its imports. */
  readonly importCode: (file: string, alias: Readonly<Record<string, string>>) => Promise<unknown>;
}

/** The lint rule of everything that `--no-exec` refuses. */
export const NO_EXEC = 'no-exec';

const OFF: ReadonlySet<string> = new Set(['', '0', 'false', 'no', 'off']);

/** Whether anything may be executed: `--no-exec` sets `EVENKEEL_NO_EXEC`. */
export function mayExecute({ EVENKEEL_NO_EXEC = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return OFF.has(EVENKEEL_NO_EXEC.toLowerCase());
}

/** @throws Error if nothing may be executed; callers refuse earlier, with their message and position */
export function programs(allowed: boolean): Programs {
  if (!allowed) throw new Error('--no-exec does not start programs or load code');
  return { spawn, execFileSync, shellOutput, webAnswer, importCode };
}

async function importCode(file: string, alias: Readonly<Record<string, string>>): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { alias: { ...alias }, fsCache: false, moduleCache: true });
  return jiti.import(file, { default: true });
}
