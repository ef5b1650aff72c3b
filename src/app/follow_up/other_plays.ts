import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Fingerprint } from '../request/invocation.js';

type Plays = Pick<Fingerprint, 'plays'>;

/**
 * Why the plays that had started cannot be identified; empty if all are at their places. The journal knows batches and gates by the number
 * of their play.
 *
 * @param begun number of plays that had started
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
        message: `play ${index + 1} had started, but cannot be identified now: plays were added, removed, renamed or moved`,
        hint: 'restore the order of the plays that had started; add new plays after them, with other names',
      },
    ];
  }
  return [];
}

function count(plays: readonly string[], play: string): number {
  return plays.filter((one) => one === play).length;
}
