#!/usr/bin/env node
import module from 'node:module';
import { VERSION } from './version.js';

// Node 22 and later keep compiled code between starts; older ones have no such function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Answered before anything else is loaded: shells and installers ask this often.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = error.code === 'EPIPE' ? 0 : 1;
  });
  process.stdout.write(`${VERSION}\n`);
} else {
  await spareOptimiser();
  const { runInProcess } = await import('./cli/process.js');
  await runInProcess(VERSION, (code) => process.exit(code));
}

/**
 * V8 optimises code on other threads early, and most runs end before that pays off: waiting longer saves them a tenth of their CPU time. A
 * run over 10,000 controllers would need a tenth more, so what takes long goes on as usual (bench/README.md). Node 22 and later refuse the
 * flag.
 */
async function spareOptimiser(): Promise<void> {
  if (!process.versions.node.startsWith('20.')) return;
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--interrupt-budget=1056000');
  setTimeout(setFlagsFromString, 5_000, '--interrupt-budget=67584').unref();
}
