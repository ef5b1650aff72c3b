#!/usr/bin/env node
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { devNull } from 'node:os';
import path from 'node:path';
import { isatty } from 'node:tty';
import { VERSION } from './core/model/version.js';

// Node 22 and later cache compiled code between starts; by default in the temporary folder, where another user could put code.
const { XDG_CACHE_HOME, HOME } = process.env;
const caches = XDG_CACHE_HOME ?? (HOME === undefined ? undefined : path.join(HOME, '.cache'));
if (caches !== undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types are those of Node 20, which cannot
  (module as { enableCompileCache?: (folder: string) => void }).enableCompileCache?.(path.join(caches, 'evenkeel'));

const lostTerminals = replaceLostTerminals(process);
const answer = readyAnswer(process.argv.slice(2));
if (answer !== undefined) {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = error.code === 'EPIPE' ? 0 : 1;
  });
  process.stdout.write(answer);
} else {
  const { runInProcess } = await import('./program/process.js');
  await runInProcess(VERSION, lostTerminals, (code) => process.exit(code));
}

/**
 * Answers without loading anything else: shells and installers often ask for the version, and people for help. The build
 * writes the help, which is the same on every terminal.
 */
function readyAnswer([option, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) return undefined;
  if (option === '--version') return `${VERSION}\n`;
  if (option !== '--help' && option !== '-h') return undefined;
  const help = new URL('help.txt', import.meta.url);
  return existsSync(help) ? readFileSync(help, 'utf8') : undefined;
}

/**
 * As it ends, Node resets the terminals that it was started with, and aborts if one is gone because its window was
 * closed. Such a terminal is replaced before. Returns a function that finds those that are gone.
 */
function replaceLostTerminals(target: NodeJS.Process): () => readonly number[] {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  // A read may fail before the terminal is seen to be gone.
  const failed = new Set<number>();
  target.stdin.on('error', () => failed.add(0));
  target.on('exit', () => {
    for (const descriptor of [0, 1, 2]) {
      // It may have gone before this code was loaded, and then looks like any other device.
      if (isatty(descriptor) || !isDevice(descriptor)) continue;
      closeSync(descriptor);
      try {
        openSync(devNull, 'r+');
      } catch {
        // A sandbox may not let it be opened. Then the descriptor stays closed, which Node accepts.
      }
    }
  });
  return () => terminals.filter((descriptor) => failed.has(descriptor) || !isatty(descriptor));
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
