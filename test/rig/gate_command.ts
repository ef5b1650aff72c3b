import { evenkeel as built } from './command.js';
import { evenkeel as inProcess } from './in_process.js';
import { IS_WHOLE } from './random_seed.js';

/**
 * Runs the command in the test's own process, or with `EVENKEEL_SEED`, as in `.ci/nightly`, the built one. For tests that assert what holds
 * for both: the second costs five times as much.
 */
export const evenkeel: typeof built = IS_WHOLE ? built : inProcess;
