import type { Link } from '../broker/link.js';
import { elapsed, now } from '../protocol/registry.js';
import type { Work } from './worker_run.js';

/** A worker that must end gives up after this many leases without a broker. */
const GIVE_UP_LEASES = 2;

/**
 * Resolves when a worker must end although it has work: after a second signal, or if the broker is away for too long.
 * @param ended aborted when the worker has ended
 */
export function mustEnd({ signal, abort }: Work, link: Link, leaseMs: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve();
    };
    abort?.addEventListener('abort', end, { once: true });
    let since = now();
    const timer = setInterval(() => {
      if (!signal.aborted || link.isUp) since = now();
      if (elapsed(since) > GIVE_UP_LEASES * leaseMs) resolve();
    }, leaseMs / 10);
    ended.addEventListener('abort', () => {
      clearInterval(timer);
      abort?.removeEventListener('abort', end);
    });
  });
}
