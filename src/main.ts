#!/usr/bin/env node
import module from 'node:module';
import { VERSION } from './core/model/version.js';
import { replaceLostTerminals } from './program/lost_terminals.js';

// Node 22 and later cache compiled code between starts.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types are those of Node 20, which cannot
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

const lostTerminals = replaceLostTerminals(process);
if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Answered before anything else is loaded: shells and installers ask this often.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = error.code === 'EPIPE' ? 0 : 1;
  });
  process.stdout.write(`${VERSION}\n`);
} else {
  await delayOptimiser();
  const { runInProcess } = await import('./program/process.js');
  await runInProcess(VERSION, lostTerminals, (code) => process.exit(code));
}

/**
 * V8 optimises hot code early, on other threads, and much of that does not pay off before a run ends. Twice the default
 * budget saves a tenth of the CPU time. A larger one saves more, but then the main thread runs slow code for longer,
 * and a run takes longer (bench/README.md). The default returns after five seconds, for runs over thousands of
 * controllers. Node 22 and later reject the flag.
 */
async function delayOptimiser(): Promise<void> {
  if (!process.versions.node.startsWith('20.')) return;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--interrupt-budget=135168');
  setTimeout(setFlagsFromString, 5_000, '--interrupt-budget=67584').unref();
}
