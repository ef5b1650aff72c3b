import type { RunFinished } from './event.js';

/** Whether a controller that did not succeed was written to, so that what was planned for it is stale. */
export function isPlanSpent(finished: Pick<RunFinished, 'stats' | 'unstarted' | 'cutOff'>): boolean {
  return unsuccessful(finished).some((name) => (finished.stats[name]?.changed ?? 0) > 0);
}

/** The controllers that failed, were not reached, were stopped, or did not start. */
export function unsuccessful({
  stats,
  unstarted,
  cutOff = [],
}: Pick<RunFinished, 'stats' | 'unstarted' | 'cutOff'>): readonly string[] {
  const failed = Object.entries(stats).flatMap(([name, one]) => (one.failed + one.unreachable > 0 ? [name] : []));
  return [...failed, ...unstarted, ...cutOff];
}
