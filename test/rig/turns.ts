import { setImmediate } from 'node:timers/promises';

/** What the work returns within some turns of the event loop: what waits for something that never comes fails at once. */
export async function withinTurns<T>(work: T | Promise<T>, turns = 500): Promise<T> {
  const ended = Promise.resolve(work).then((result) => ({ result }));
  for (let turn = 0; turn < turns; turn++) {
    const end = await Promise.race([ended, setImmediate(undefined)]);
    if (end !== undefined) return end.result;
  }
  throw new Error(`it still waits after ${turns} turns of the event loop`);
}
