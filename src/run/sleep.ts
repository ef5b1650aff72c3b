import { setTimeout } from 'node:timers/promises';

/** Waits so many seconds, or until the signal is aborted; never rejects. */
export async function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  if (seconds <= 0 || signal.aborted) return;
  await setTimeout(seconds * 1000, undefined, { signal }).catch(() => undefined);
}
