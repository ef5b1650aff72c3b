import type { Emit, Event } from '../../model/run/event.js';

/** The one place where an event gets its time (ISO 8601) and its run. */
export function stamped(run: string, emit: (event: Event) => void): Emit {
  const time = isoClock();
  return (body) => {
    emit({ time: time(), run, ...body });
  };
}

/** Many events share a millisecond; wording it once is enough. */
function isoClock(): () => string {
  let [last, text] = [0, ''];
  return () => {
    const now = Date.now();
    if (now !== last) [last, text] = [now, new Date(now).toISOString()];
    return text;
  };
}

/** Counts seconds from now on. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start) / 1000;
}
