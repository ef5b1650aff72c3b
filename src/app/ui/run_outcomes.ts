import { open } from 'node:fs/promises';
import { journalFile, runFolder } from '../../journal/disk/run_folders.js';
import { parseEntry } from '../../journal/read/entry.js';
import type { RunFinished } from '../../model/run/event.js';
import type { Outcome } from '../../report/page/format/page.js';

const FIRST_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;

export type OutcomeCounts = Partial<Record<Outcome, number>>;

/** How the controllers of a run ended. Reads only the end of its journal; undefined if the run has no end there. */
export async function outcomesOf(stateDirectory: string, id: string): Promise<OutcomeCounts | undefined> {
  const handle = await open(journalFile(runFolder(stateDirectory, id)), 'r');
  try {
    const { size } = await handle.stat();
    for (let length = FIRST_BYTES; length <= MOST_BYTES; length *= 4) {
      const from = Math.max(0, size - length);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
      const finished = finishedIn(buffer.subarray(0, bytesRead).toString('utf8'));
      if (finished !== undefined) return countsOf(finished);
      if (from === 0) return undefined;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The first line may be cut. */
function finishedIn(text: string): RunFinished | undefined {
  for (const line of text.split('\n').reverse()) {
    if (!line.includes('"run-finished"')) continue;
    const entry = parseEntry(line);
    if (entry.type === 'event' && entry.event.type === 'run-finished') return entry.event;
  }
  return undefined;
}

function countsOf({ stats, unstarted, cutOff = [] }: RunFinished): OutcomeCounts {
  const counts: OutcomeCounts = {};
  const plus = (outcome: Outcome): number => (counts[outcome] = (counts[outcome] ?? 0) + 1);
  const stopped = new Set(cutOff);
  for (const [name, { failed, unreachable, changed }] of Object.entries(stats)) {
    if (stopped.has(name)) plus('cut off');
    else if (failed > 0) plus('failed');
    else if (unreachable > 0) plus('unreachable');
    else plus(changed > 0 ? 'changed' : 'ok');
  }
  for (const name of unstarted) if (!Object.hasOwn(stats, name)) plus('not started');
  return counts;
}
