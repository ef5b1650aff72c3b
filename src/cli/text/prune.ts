import type { Pruned } from '../../journal/prune.js';
import { count } from '../../report/text/words.js';

/** Says what was removed, or with `check` would be. */
export function pruneText({ removed, inUse }: Pruned, check: boolean): string {
  const verb = check ? 'would remove' : 'removed';
  const lines = [
    ...removed.map((id) => `${verb} ${id}`),
    ...inUse.map((id) => `kept ${id}: a process uses it`),
    removed.length === 0 ? 'nothing to remove' : `${verb} ${count(removed.length, 'run')}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
