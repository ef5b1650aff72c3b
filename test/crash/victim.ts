import { spawn, type ChildProcess } from 'node:child_process';
import { STARTED, ownHome } from '../rig/command.js';

export interface Death {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run in a separate process, which can be killed as by a power failure. */
export class Victim {
  readonly ended: Promise<Death>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], cwd: string) {
    const child = spawn(process.execPath, [...STARTED, ...args, '-o', 'json'], {
      cwd,
      env: { ...ownHome(cwd), EVENKEEL_LOCK_DIR: `${cwd}/locks` },
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
        });
      });
    });
  }

  /** Resolves when it is dead and all its output has arrived. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
