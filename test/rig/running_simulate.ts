import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'yaml';
import { ownHome, STARTED } from './command.js';

export interface Overlay {
  readonly all: {
    readonly vars: Readonly<Record<string, unknown>>;
    readonly hosts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** `evenkeel simulate` in a process of its own. */
export interface RunningSimulate extends AsyncDisposable {
  readonly overlay: Overlay;
  /** The overlay as text. */
  readonly printed: string;
  /** On stderr. */
  readonly said: string;
  readonly pid: number | undefined;
  /** Interrupts it, and returns its exit code. */
  readonly end: () => Promise<unknown>;
  /** Resolves to the exit code when it has ended by itself. */
  readonly ended: Promise<unknown>;
}

/** Returns when the controllers listen, or when it has ended. */
export async function runningSimulate(cwd: string, args: readonly string[]): Promise<RunningSimulate> {
  const child = spawn(process.execPath, [...STARTED, 'simulate', '-i', 'inventory.yml', ...args], {
    cwd,
    env: { ...ownHome(cwd), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('Ctrl-C')) break;
  }
  return {
    overlay: parse(printed) as Overlay,
    printed,
    said,
    pid: child.pid,
    end: () => {
      child.kill('SIGINT');
      return ended;
    },
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
