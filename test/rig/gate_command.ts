import { evenkeel as built } from './command.js';
import { evenkeel as inProcess } from './in_process.js';

/**
 * Runs the command in the test's own process, or with `EVENKEEL_SEED`, as in `.ci/nightly`, the built one. For tests that assert what holds
 * for both: the second costs five times as much.
 */
export const evenkeel: typeof built = 'EVENKEEL_SEED' in process.env ? built : inProcess;
