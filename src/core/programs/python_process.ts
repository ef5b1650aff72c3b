import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from './programs.js';
import { callBreakably } from './side_thread.js';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** No process answers: there is none, it ended, or it took too long. `message` is a part of a sentence. */
export class NoAnswer extends Error {}

interface Running {
  readonly pid: number;
  readonly requests: number;
  readonly answers: number;
  /** Open as long as this process lives. */
  readonly life: number;
}

const BRIDGE = fileURLToPath(new URL('./python/bridge.py', import.meta.url));
const PIPES = ['requests', 'answers', 'life'] as const;
/** Reads before the first nap: most answers take microseconds. */
const TRIES = 8;
/** Milliseconds after which the wait can be interrupted by Ctrl-C: setting that up costs half a millisecond. */
const SOON = 20;
/** Milliseconds. */
const LONGEST_NAP = 2;

/**
 * One `python3` for all calls, started with the first. Its pipes are FIFOs, because templates are rendered synchronously:
 * those of `spawn` are read by the event loop only.
 */
export class PythonProcess {
  #running: Running | undefined;
  #received = Buffer.alloc(0);
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));

  /** @param timeout milliseconds that it may take for an answer */
  constructor(
    private readonly env: ProcessEnvironment,
    private readonly timeout: number,
  ) {}

  /**
   * The next line that Python writes after this one.
   *
   * @throws NoAnswer, WaitInterrupted; after both, the next call starts another process
   */
  exchange(line: string): string {
    this.#running ??= this.#start();
    const running = this.#running;
    const deadline = performance.now() + this.timeout;
    try {
      const rest = this.#write(running, Buffer.from(`${line}\n`), performance.now() + SOON);
      if (rest.length > 0) callBreakably(() => this.#write(running, rest, deadline));
      return (
        this.#read(running, performance.now() + SOON) ??
        callBreakably(() => this.#read(running, deadline)) ??
        this.#late()
      );
    } catch (error) {
      this.#end(running);
      throw error;
    }
  }

  #late(): never {
    throw new NoAnswer(`it took longer than ${this.timeout / 1000} s`);
  }

  #start(): Running {
    const python = interpreter(this.env);
    if (python === undefined) throw new NoAnswer('there is no python3 in PATH to run it');
    const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-python-'));
    const opened: number[] = [];
    const open = (name: (typeof PIPES)[number], flags: number): number => {
      const descriptor = openSync(path.join(folder, name), flags);
      opened.push(descriptor);
      return descriptor;
    };
    try {
      execFileSync('mkfifo', ['-m', '600', ...PIPES.map((name) => path.join(folder, name))]);
      const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
      const theirs = [open('requests', O_RDONLY | O_NONBLOCK)];
      const requests = open('requests', O_WRONLY | O_NONBLOCK);
      const answers = open('answers', O_RDONLY | O_NONBLOCK);
      theirs.push(open('answers', O_WRONLY), open('life', O_RDONLY | O_NONBLOCK));
      const life = open('life', O_WRONLY);
      const child = spawn(python, ['-B', BRIDGE], {
        // A group of its own: Ctrl-C ends the call here, and then the group.
        detached: true,
        stdio: ['ignore', 'ignore', 'ignore', ...theirs],
        env: { ...this.env, PYTHONDONTWRITEBYTECODE: '1' },
      });
      child.on('error', () => undefined);
      child.unref();
      for (const descriptor of theirs) closeSync(descriptor);
      opened.length = 0;
      this.#received = Buffer.alloc(0);
      return { pid: child.pid ?? 0, requests, answers, life };
    } catch (error) {
      for (const descriptor of opened) closeSync(descriptor);
      throw new NoAnswer(`python3 does not start: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The bytes that are left at `until`. */
  #write({ requests }: Running, bytes: Buffer, until: number): Buffer {
    let rest = bytes;
    for (let tries = 0; rest.length > 0; tries += 1) {
      const written = unlessBusy(() => writeSync(requests, rest));
      if (written !== undefined) rest = rest.subarray(written);
      else if (!this.#nap(tries, until)) return rest;
    }
    return rest;
  }

  /** A line; undefined if none came until then. */
  #read({ answers }: Running, until: number): string | undefined {
    const chunk = Buffer.allocUnsafe(65_536);
    const parts = [this.#received];
    for (let tries = 0; ; tries += 1) {
      const end = parts.at(-1)?.indexOf(10) ?? -1;
      if (end >= 0) {
        const all = Buffer.concat(parts);
        const length = all.length - (parts.at(-1)?.length ?? 0) + end;
        this.#received = all.subarray(length + 1);
        return all.toString('utf8', 0, length);
      }
      const count = unlessBusy(() => readSync(answers, chunk));
      if (count === 0) throw new NoAnswer('python3 ended while it ran');
      if (count !== undefined) parts.push(Buffer.from(chunk.subarray(0, count)));
      else if (!this.#nap(tries, until)) {
        this.#received = Buffer.concat(parts);
        return undefined;
      }
    }
  }

  #nap(tries: number, until: number): boolean {
    if (tries >= TRIES) Atomics.wait(this.#sleeper, 0, 0, Math.min(LONGEST_NAP, 0.02 * 1.5 ** (tries - TRIES)));
    return performance.now() < until;
  }

  #end({ pid, requests, answers, life }: Running): void {
    this.#running = undefined;
    for (const descriptor of [requests, answers, life]) closeSync(descriptor);
    try {
      if (pid > 0) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

/** Undefined if the pipe is full or empty. */
function unlessBusy(work: () => number): number | undefined {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN') return undefined;
    if (code === 'EPIPE') throw new NoAnswer('python3 ended while it ran');
    throw error;
  }
}

/** The Python of Ansible, which has what its plugins import; else the first in PATH. */
function interpreter(env: ProcessEnvironment): string | undefined {
  const { EVENKEEL_PYTHON: chosen = '' } = env;
  if (chosen !== '') return chosen.replace(/^~(?=\/)/, homedir());
  const ansible = findProgram('ansible', env);
  const first = ansible === undefined ? '' : readFileSync(ansible, 'latin1').slice(0, 200);
  const [, own] = /^#!\s*(\/\S*python[\d.]*)\s*\n/.exec(first) ?? [];
  return own !== undefined && existsSync(own) ? own : findProgram('python3', env);
}
