#!/usr/bin/env node
import module from 'node:module';
import { VERSION } from './version.js';

// Node 22 and later keep compiled code between starts; older ones have no such function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

if (process.argv.length === 3 && process.argv[2] === '--version') {
  // Answered before anything else is loaded: shells and installers ask this often.
  process.stdout.write(`${VERSION}\n`);
} else {
  const { main } = await import('./commands/program.js');
  const { EXIT } = await import('./commands/context.js');
  const { interruptible } = await import('./commands/signals.js');
  const signals = interruptible(process, () => process.exit(EXIT.interrupted));
  const code = await main({
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version: VERSION,
    drain: signals.drain,
    abort: signals.abort,
  });
  process.exitCode = signals.exitCode(code);
  signals.dispose();
}
