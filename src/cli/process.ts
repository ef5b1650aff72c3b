import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { isFileError, whyFailed } from '../files/file_error.js';
import { Secrets } from '../secrets/secrets.js';
import { maskText } from '../secrets/mask_text.js';
import { EXIT } from '../model/exit_code.js';
import { learnEnvironment } from './environment_secrets.js';
import { main } from './program.js';
import { interruptible } from './signals.js';

const TERMINATIONS = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Runs the command of this process's arguments, with its streams and signals, and sets its exit code. `exit` ends it at once. */
export async function runInProcess(version: string, exit: (code: number) => never): Promise<void> {
  postponeParserTiering();
  collectEarlier();
  const interrupts = interruptible(process, () => exit(EXIT.interrupted));
  const secrets = new Secrets();
  learnEnvironment(process.env, secrets);
  process.on('uncaughtException', (error) => {
    process.stderr.write(unexpected(error, secrets));
    exit(EXIT.usage);
  });
  const output = watchOutput(process);
  const code = await main({
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version,
    secrets,
    signals: {
      atExit: (act) => {
        process.on('exit', act);
        return () => process.off('exit', act);
      },
      onTermination: (act) => {
        for (const signal of TERMINATIONS) process.on(signal, act);
        return () => {
          for (const signal of TERMINATIONS) process.off(signal, act);
        };
      },
      workDone: output.workDone,
      drain: interrupts.drain,
      abort: interrupts.abort,
    },
  });
  process.exitCode = await output.exitCode(interrupts.exitCode(code));
  interrupts.dispose();
}

interface WatchedOutput {
  readonly workDone: () => void;
  /** Of a command that had nothing to do but to write, 1 if that failed. */
  readonly exitCode: (code: number) => Promise<number>;
}

/**
 * A full disk must not end a command in the middle of its work: stderr says so once. The reader of a closed pipe (`| head`)
 * has read enough. There is no place to report a broken stderr.
 */
function watchOutput({ stdout, stderr }: NodeJS.Process): WatchedOutput {
  let lost = false;
  let done = false;
  stdout.on('error', (error: unknown) => {
    if (lost || isFileError(error, 'EPIPE') || isFileError(error, 'ERR_STREAM_DESTROYED')) return;
    lost = true;
    stderr.write(`evenkeel: cannot write to stdout: ${whyFailed(error)}\n`);
  });
  stderr.on('error', () => undefined);
  return {
    workDone: () => {
      done = true;
    },
    exitCode: async (code) => {
      await new Promise((resolve) => stdout.write('', resolve));
      return lost && !done && code === EXIT.ok ? EXIT.usage : code;
    },
  };
}

/** An unexpected error with its causes, for a bug report. Masked, because a user's module may have put anything into it. */
function unexpected(error: unknown, secrets: Secrets): string {
  return `evenkeel: this should not have happened; please report it:\n${maskText(inspect(error), secrets)}\n`;
}

/**
 * V8 would compile undici's HTTP parser (WebAssembly) a second time, for speed, after its very first answer: 60 ms and 35 MiB
 * that the end of the process waits for, and that answers as short as a controller's never bring back.
 */
function postponeParserTiering(): void {
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}

/**
 * What a connection leaves behind is old by the time it is garbage, and V8 would let the heap grow to four times what lives in it
 * before it looks: 60 MiB more at 10,000 controllers, for no less work.
 */
function collectEarlier(): void {
  setFlagsFromString('--heap-growing-percent=150');
}
