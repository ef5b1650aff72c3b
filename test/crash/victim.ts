import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Random } from './random.js';
import { STARTED } from '../rig/command.js';

export interface Death {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** A worker was killed, and not the process itself. */
  readonly lostWorker: boolean;
}

/** A run in a separate process, which can be killed as by a power failure. */
export class Victim {
  readonly ended: Promise<Death>;
  readonly #child: ChildProcess;
  #lostWorker = false;

  constructor(args: readonly string[], cwd: string) {
    const child = spawn(process.execPath, [...STARTED, ...args, '-o', 'json'], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, EVENKEEL_LOCK_DIR: `${cwd}/locks` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        resolve({
          code,
          stdout: Buffer.concat(out).toString(),
          stderr: Buffer.concat(err).toString(),
          lostWorker: this.#lostWorker,
        });
      });
    });
  }

  /** Kills one of the processes that it started. */
  async killWorker(random: Random): Promise<void> {
    const { pid = 0 } = this.#child;
    const workers = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean);
    if (workers.length === 0) return;
    const worker = Number(workers[random.between(0, workers.length - 1)]);
    this.#lostWorker = true;
    process.kill(worker, 'SIGKILL');
    // A process sends nothing more once it is gone or a zombie.
    while (await isAlive(worker)) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Resolves when it is dead and all its output has arrived. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}
