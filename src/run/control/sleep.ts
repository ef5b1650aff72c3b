import { setTimeout } from 'node:timers/promises';

/** The limit of Node's timers, 24 days. A longer wait would return at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits so many seconds, or until the signal is aborted; never rejects. */
export async function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  if (seconds <= 0 || signal.aborted) return;
  await setTimeout(Math.min(seconds * 1000, LONGEST_MS), undefined, { signal }).catch(() => undefined);
}
