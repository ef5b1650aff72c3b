import type { WorkerEntry } from '../../workers/nats/protocol/registry.js';

const HEADINGS = ['site', 'worker', 'version', 'at work', 'since', 'public key'] as const;

/** A line for each worker, under its headings. */
export function workerLines(workers: readonly WorkerEntry[]): string {
  if (workers.length === 0) return 'no workers\n';
  const rows = workers.map(({ site, name, version, load, concurrency, since, publicKey }) => [
    site,
    name,
    version,
    `${load} of ${concurrency}`,
    since.replace(/\.\d+Z$/, 'Z'),
    publicKey,
  ]);
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
