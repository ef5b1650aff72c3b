import type { Emit, Event } from '../model/event.js';

/** The one place where an event gets its time (ISO 8601) and its run. */
export function stamped(run: string, emit: (event: Event) => void): Emit {
  return (body) => {
    emit({ ...body, time: new Date().toISOString(), run });
  };
}

/** Counts seconds from now on. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start) / 1000;
}
