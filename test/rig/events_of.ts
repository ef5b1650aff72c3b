import type { Event, RunFinished, TaskFinished } from '../../src/core/model/run/event.js';

/** The events of `--output json`. */
export function eventsOf(stdout: string): readonly Event[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event);
}

export function finishedOf(stdout: string): RunFinished {
  const last = eventsOf(stdout).at(-1);
  if (last?.type !== 'run-finished') throw new Error(`the last event is ${last?.type ?? 'missing'}`);
  return last;
}

/** Finished tasks, without those of single loop items. */
export function tasksOf(stdout: string): readonly TaskFinished[] {
  return eventsOf(stdout).flatMap((event) =>
    event.type === 'task-finished' && event.item === undefined ? [event] : [],
  );
}

export function warningsOf(stdout: string): readonly string[] {
  return eventsOf(stdout).flatMap((event) => (event.type === 'warning' ? [event.message] : []));
}
