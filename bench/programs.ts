import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fleet } from './fleet.js';
import { measureNode, type Cost } from './measure.js';

/** The built command: what users run is what is measured. */
export const EVENKEEL = path.resolve(import.meta.dirname, '../dist/main.js');
const FLOOR = fileURLToPath(import.meta.resolve('./floor.mjs'));

/** Controllers at once, for every program. */
export const AT_ONCE = '50';

export function runFloor(fleet: Fleet, mode: 'write' | 'read'): Promise<Cost> {
  return measureNode([FLOOR, path.join(fleet.directory, 'fleet.json'), mode, AT_ONCE], fleet.directory);
}

/**
 * @param program the command, if not the one that was built for users
 * @param more arguments
 */
export function runEvenkeel(fleet: Fleet, program = EVENKEEL, more: readonly string[] = []): Promise<Cost> {
  return measureRun(fleet, program, ['--forks', AT_ONCE, ...more]);
}

/** The same, with these arguments only. */
export function measureRun(fleet: Fleet, program: string, more: readonly string[]): Promise<Cost> {
  const args = ['run', 'playbook.yml', '--inventory', 'inventory.yml', '--output', 'lines'];
  return measureNode([program, ...args, ...more], fleet.directory);
}
