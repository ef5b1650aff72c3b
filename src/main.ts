#!/usr/bin/env node
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { isatty } from 'node:tty';

/** Defined by the build. */
declare const EVENKEEL_VERSION: string | undefined;

const VERSION = typeof EVENKEEL_VERSION === 'string' ? EVENKEEL_VERSION : '0.0.0-source';
/** Commands that contact controllers, are controllers, or show many. */
const TUNED: ReadonlySet<string | undefined> = new Set(
  'run task plan apply resume rollback drift capture compare ping routes simulate ui report'.split(' '),
);

/** As Node ends an ES module in this case. */
const UNFINISHED = 13;

const lostTerminals = replaceLostTerminals(process);
const answer = readyAnswer(process.argv.slice(2));
if (answer === undefined) void start();
else {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = error.code === 'EPIPE' ? 0 : 1;
  });
  process.stdout.write(answer);
}

/** A function, because the build makes this file CommonJS: Node starts an ES module 20 ms later (November 2026). */
async function start(): Promise<void> {
  const isTuned = TUNED.has(process.argv[2]);
  if (isTuned) await tuneEngine();
  if (!import.meta.filename.endsWith('.ts')) {
    const { loadCompiled } = await import('./program/compiled_code.js');
    loadCompiled(path.join(import.meta.dirname, 'chunks'), codeFile(isTuned ? 'tuned' : 'other'));
  }
  const { runInProcess } = await import('./program/process.js');
  const finish = endUnfinished(process);
  await runInProcess(VERSION, lostTerminals, (code) => {
    finish(code);
    process.exit(code);
  });
  finish(process.exitCode);
}

/**
 * Code of a project may end the process itself, or wait for a promise that never settles: Node would end with 0 when nothing else is left to do.
 * Returns what to call with the exit code of the command, which such code cannot change later.
 */
function endUnfinished(target: NodeJS.Process): (code: NodeJS.Process['exitCode']) => void {
  let ended: NodeJS.Process['exitCode'];
  let why = 'code of the project called process.exit()';
  const end = (): void => {
    if (ended === undefined) target.stderr.write(`evenkeel: ended early: ${why}\n`);
    target.exitCode = ended ?? UNFINISHED;
  };
  target.on('exit', end).on('beforeExit', () => {
    why = 'a promise is still pending';
  });
  return (code) => {
    ended = code;
  };
}

/**
 * Answers without loading anything else: shells and installers often ask for the version, and people for help. The build
 * writes the help, which is the same on every terminal.
 */
function readyAnswer([option, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) return undefined;
  if (option === '--version') return `${VERSION}\n`;
  if (option !== '--help' && option !== '-h') return undefined;
  const help = path.join(import.meta.dirname, 'help.txt');
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

/** By default, caches are in the temporary folder, where another user could put code. Commands of a kind run the same code. */
function codeFile(kind: string): string | undefined {
  const { XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  const caches = [XDG_CACHE_HOME ?? '', path.join(HOME ?? '', '.cache')].find((folder) => path.isAbsolute(folder));
  // Coverage of such code is less precise.
  if (caches === undefined || NODE_DISABLE_COMPILE_CACHE !== undefined || NODE_V8_COVERAGE !== undefined)
    return undefined;
  const build = process.getBuiltinModule('node:zlib').crc32(import.meta.dirname);
  return path.join(caches, 'evenkeel', `${kind}-${process.version}-${process.arch}-${build}`);
}

// V8 optimises hot code early, on other threads, and much of that does not pay off before a run ends: a larger budget makes it
// wait, and less inlining makes it cheaper. More of either leaves the main thread with slow code for longer (bench/README.md).
// Node 22 and later reject the budget.
const HAS_BUDGET = process.versions.node.startsWith('20.');
/**
 * What a connection leaves behind is old by the time it is garbage. By default, V8 lets the heap grow to four times what lives in
 * it before it looks: 70 MiB more at 10,000 controllers. In a short run, a limit of twice what lives leads to less than half as many
 * collections as the later one.
 */
const FIRST_FLAGS = [
  '--heap-growing-percent=100',
  ...(HAS_BUDGET ? ['--interrupt-budget=270336', '--max-inlined-bytecode-size-cumulative=300'] : []),
];
/** For runs over thousands of controllers. Here, 60 % would take 30 MiB more than 40 %. */
const LATER_FLAGS = [
  '--heap-growing-percent=40',
  ...(HAS_BUDGET ? ['--interrupt-budget=67584', '--max-inlined-bytecode-size-cumulative=920'] : []),
];

/**
 * Sets V8's flags for a run, once the modules of Node that it needs are loaded: those that are compiled ahead of time match the default
 * flags only, and compiling them again takes 12 ms of every start.
 */
async function tuneEngine(): Promise<void> {
  const [{ setFlagsFromString }] = await Promise.all([import('node:v8'), import('node:tls')]);
  // V8 would compile undici's HTTP parser (WebAssembly) a second time, for speed, after its very first answer: 60 ms and
  // 35 MiB that the end of the process waits for, and that answers as short as a controller's never bring back.
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  // V8 doubles the space for young objects when it is full, and collects them before it is full when it has time: what is
  // loaded at a start would be copied several times. Most tasks end before there is anything to collect.
  setFlagsFromString('--semi-space-growth-factor=16');
  setFlagsFromString('--no-minor-gc-task');
  const set = (flags: readonly string[]): void => {
    for (const flag of flags) setFlagsFromString(flag);
  };
  set(FIRST_FLAGS);
  setTimeout(set, 20_000, LATER_FLAGS).unref();
  // For the code that is kept then.
  process.on('exit', () => set(FIRST_FLAGS));
}
