import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Cost {
  readonly wallMs: number;
  /** User and system time of the whole process, its start included. */
  readonly cpuMs: number;
  /** Resident memory at its highest. */
  readonly peakMiB: number;
  /** The longest time the event loop was blocked after the first connection. */
  readonly blockedMs: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const METER = fileURLToPath(import.meta.resolve('./meter.cjs'));

/** What a Node program costs. */
export async function measureNode(args: readonly string[], cwd: string): Promise<Cost> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-meter-'));
  const file = path.join(directory, 'cost.json');
  const env = { METER_FILE: file };
  const wallMs = await measureWall({ program: process.execPath, args: ['--require', METER, ...args], cwd, env });
  const cost = JSON.parse(await readFile(file, 'utf8')) as Omit<Cost, 'wallMs'>;
  await rm(directory, { recursive: true });
  return { wallMs, ...cost };
}

/** Milliseconds from the start of any program to its end. Throws with what it said if it fails. */
export function measureWall({ program, args, cwd, env = {} }: Command): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, {
      cwd,
      // Other programs on this machine may have locked controllers with the same ports.
      env: { ...process.env, NO_COLOR: '1', EVENKEEL_LOCK_DIR: path.join(cwd, '.claims'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const keepEnd = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-4000);
    };
    child.stdout.on('data', keepEnd);
    child.stderr.on('data', keepEnd);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const wallMs = performance.now() - started;
      if (code === 0) resolve(wallMs);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${String(code ?? signal)}:\n${said}`));
    });
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
