import { fstatSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { interruptible } from '../cli/signals.js';
import { isFileError, whyFailed } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import { orElse } from '../core/model/source/diagnostic.js';
import { maskText } from '../core/secrets/mask_text.js';
import { isNoSecret, isSecretName } from '../core/secrets/names.js';
import { Secrets } from '../core/secrets/secrets.js';
import { passwordsInUrls } from '../core/secrets/values.js';
import { plain } from '../reporting/text/plain.js';
import { main } from './program.js';

const TERMINATIONS = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs the command of this process's arguments, with its streams and signals, and sets its exit code.
 *
 * @param lostTerminals finds those that are gone
 * @param exit ends it at once
 */
export async function runInProcess(
  version: string,
  lostTerminals: () => readonly number[],
  exit: (code: number) => never,
): Promise<void> {
  // Undefined if it was deleted.
  const cwd = orElse(undefined, () => process.cwd());
  if (cwd === undefined) {
    process.stderr.write('evenkeel: the working directory was deleted or cannot be read: change to another one\n');
    exit(EXIT.usage);
  }
  const { stdin, stdout, stderr } = process;
  const interrupts = interruptible(process, exit, stdin.isTTY || stdout.isTTY || stderr.isTTY);
  const secrets = new Secrets();
  learnEnvironment(process.env, secrets);
  let isEnding = false;
  process.on('uncaughtException', (error) => {
    const stack = sourcePositions(inspect(error));
    const wasEnding = isEnding;
    const what = describeOrigin(stack);
    isEnding ||= what !== INTERNAL;
    process.stderr.write(plain(maskText(`evenkeel: ${what}:\n${stack}\n`, secrets)));
    // As Ctrl-C does, once: the writes of other controllers finish.
    if (!wasEnding && !(isEnding && process.emit('SIGINT', 'SIGINT'))) exit(EXIT.usage);
  });
  const output = watchOutput(process);
  const code = await main({
    argv: process.argv.slice(2),
    cwd,
    env: process.env,
    stdin,
    stdout,
    stderr,
    version,
    secrets,
    signals: {
      takeOver: (mayBlock = false) => {
        interrupts.takeOver();
        if (mayBlock) void watchLoop();
      },
      duringQuestion: interrupts.duringQuestion,
      atExit: (act) => {
        interrupts.takeOver();
        // Before compiled code is kept, which may take time.
        process.prependListener('exit', act);
        return () => process.off('exit', act);
      },
      onTermination: (act) => {
        const takeBack = interrupts.lendTerminal();
        for (const signal of TERMINATIONS) process.on(signal, act);
        return () => {
          takeBack();
          for (const signal of TERMINATIONS) process.off(signal, act);
        };
      },
      exit,
      workDone: output.workDone,
      drain: interrupts.drain,
      abort: interrupts.abort,
    },
  });
  const isTerminalLost = lostTerminals().length > 0;
  process.exitCode = await output.exitCode(interrupts.exitCode(code, isTerminalLost), isTerminalLost);
  if (isTerminalLost) await interrupts.hungUp();
  else interrupts.dispose();
}

async function watchLoop(): Promise<void> {
  const { endWhileBlocked } = await import('./blocked_loop.js');
  endWhileBlocked(process);
}

interface WatchedOutput {
  readonly workDone: () => void;
  /**
   * 1 if the output could not be written, as with a report: a part must not pass for the whole. 143 if the terminal of a command
   * that only prints, or serves until it is stopped, is gone.
   */
  readonly exitCode: (code: number, isTerminalLost: boolean) => Promise<number>;
}

/**
 * A full disk must not end a command in the middle of its work: stderr reports it once. A closed pipe (`| head`) is
 * not an error. A broken stderr cannot be reported.
 */
function watchOutput({ stdout, stderr }: NodeJS.Process): WatchedOutput {
  let lost = false;
  let done = false;
  stdout.on('error', (error: unknown) => {
    if (lost || isFileError(error, 'EPIPE') || isFileError(error, 'ERR_STREAM_DESTROYED')) return;
    // A terminal that was gone before this process looked for it.
    if (isFileError(error, 'EIO') && fstatSync(stdout.fd).isCharacterDevice()) return;
    lost = true;
    stderr.write(`evenkeel: cannot write to stdout: ${whyFailed(error)}\n`);
  });
  stderr.on('error', () => undefined);
  return {
    workDone: () => {
      done = true;
    },
    exitCode: async (code, isTerminalLost) => {
      await new Promise((resolve) => stdout.write('', resolve));
      if (isTerminalLost) return done || code !== EXIT.ok ? code : EXIT.terminated;
      return lost && (code === EXIT.ok || code === EXIT.changes) ? EXIT.usage : code;
    },
  };
}

/** Of an unexpected error, which is shown with its causes and the positions of the sources. */
const INTERNAL = 'internal error; please report it';
const OF_PROJECT = 'code of the project failed outside of its task, which ends the command';
/** No file is named, for example if a socket without an error listener fails. */
const OF_UNKNOWN = 'something failed outside of a task, which ends the command';

/** By the file that threw it. Most files of this program have no absolute paths here. */
function describeOrigin(stack: string): string {
  const [first] = /^ +at (?!.*\bnode:).*$/m.exec(stack) ?? [];
  if (first === undefined) return OF_UNKNOWN;
  const isAbsolute = /[( ](?:file:\/\/)?\/[^()]+\)?$/.test(first);
  return isAbsolute && !first.includes(path.join(import.meta.dirname, '/')) ? OF_PROJECT : INTERNAL;
}

/**
 * The environment's secrets: values under names such as `DB_PASSWORD`, and passwords in URLs, such as those of proxies.
 */
export function learnEnvironment(env: Readonly<Record<string, string | undefined>>, secrets: Secrets): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (isSecretName(name) && !isNoSecret(value)) secrets.add(value);
    // The address of a proxy may lack its scheme.
    const url = /_proxy$/i.test(name) && !value.includes('://') ? `http://${value}` : value;
    for (const password of passwordsInUrls(url)) secrets.add(password);
  }
}

/** `file:///…/dist/chunks/run-AB12.js:1:2345`, in a stack of the built command; of the library without `file://`. */
const BUILT = /((?:file:\/)?\/[^\s()]+\.js):(\d+):(\d+)/g;

/**
 * A stack with the positions of the sources instead of those of the bundle: `src/engine/walk/walk.ts:31:7`. The maps are
 * read only now: with `enableSourceMaps`, each start would read them all. A position without a map stays.
 */
export function sourcePositions(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replaceAll(BUILT, (place, url: string, line: string, column: string) => {
    if (!maps.has(url)) maps.set(url, sourceMap(url));
    const entry = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return place;
    const { originalSource, originalLine, originalColumn } = entry;
    return `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${String(originalLine + 1)}:${String(originalColumn + 1)}`;
  });
}

function sourceMap(url: string): SourceMap | undefined {
  try {
    const file = `${url.startsWith('/') ? url : fileURLToPath(url)}.map`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the build
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
