import { spawn } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { STARTED, type Ended, ownHome } from './command.js';
import type { Fleet } from './simulated.js';

export interface Cut {
  readonly cwd: string;
  readonly fleet: Fleet;
  /** The controller whose nth write (from 1) is in progress when the signal arrives. The write takes effect. */
  readonly controller: string;
  readonly nth: number;
  readonly signal: 'SIGINT' | 'SIGKILL';
}

/** Runs the built command, and cuts it off while a controller carries out a write. */
export async function cutOff(args: readonly string[], { cwd, fleet, controller, nth, signal }: Cut): Promise<Ended> {
  const child = spawn(process.execPath, [...STARTED, ...args], {
    cwd,
    env: { ...ownHome(cwd), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const interrupted = new Promise<void>((resolve) => {
    const see = (): void => {
      if (Buffer.concat(out).includes('interrupted') || Buffer.concat(err).includes('interrupted')) resolve();
    };
    child.stdout.on('data', see);
    child.stderr.on('data', see);
    child.on('close', () => {
      resolve();
    });
  });
  let writes = 0;
  const target = fleet.controller(controller);
  target.watch = async (moment, { method }) => {
    if (moment !== 'carried out' || method === 'GET') return;
    writes += 1;
    if (writes !== nth) return;
    child.kill(signal);
    await (signal === 'SIGKILL' ? ended : interrupted);
  };
  const code = await ended;
  target.watch = undefined;
  await setImmediate();
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
