import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Fingerprint } from '../load/fingerprint.js';

type Plays = Pick<Fingerprint, 'plays'>;

/**
 * Why nobody can say which of the plays is one that had begun; nothing if each still stands where it stood. Batches and gates are
 * known by the number of their play.
 *
 * @param begun how many plays had begun
 */
export function otherPlays(
  { plays: then = [] }: Plays,
  { plays: now = [] }: Plays,
  begun: number,
): readonly Diagnostic[] {
  for (const [index, play] of then.slice(0, begun).entries()) {
    if (now[index] === play && count(then, play) === count(now, play)) continue;
    return [
      {
        severity: 'error',
        message: `play ${index + 1} had begun, and it cannot be told which one it is now: plays were added, removed, renamed or moved`,
        hint: 'put the plays that had begun back in their places; others can be added after them, under names of their own',
      },
    ];
  }
  return [];
}

function count(plays: readonly string[], play: string): number {
  return plays.filter((one) => one === play).length;
}
