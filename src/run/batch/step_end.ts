/**
 * What a step means for its controller's walk.
 *
 * - `completed`: on to the next
 * - `failed`: a `rescue` around may catch it, else an `always` around still runs
 * - `unreachable`: nothing more on this controller
 * - `halted`: others of the batch failed for good (`any_errors_fatal`, `max_fail_percentage`); an `always` around still runs
 * - `stopped`: the run was interrupted; an `always` around still runs
 * - `left`: `end_host`, `end_batch` or `end_play`: nothing more, and nothing is wrong
 */
export type StepEnd = 'completed' | 'failed' | 'unreachable' | 'halted' | 'stopped' | 'left';
