import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readOrMakeKey } from '../journal/key_file.js';
import { Sealer } from '../journal/sealer.js';
import { Simulator } from '../simulator/simulator.js';

/** Where simulated controllers keep what they hold. */
export function simulatorFolder(stateDirectory: string): string {
  return path.join(stateDirectory, 'simulator');
}

/** Simulated controllers that keep their state sealed: objects hold passwords. Throws if there is no key and none can be made. */
export async function startSimulator(stateDirectory: string): Promise<Simulator> {
  const folder = simulatorFolder(stateDirectory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const seal = new Sealer(await readOrMakeKey(stateDirectory), 'simulator');
  return Simulator.start({ stateDirectory: folder, seal, log: false });
}
