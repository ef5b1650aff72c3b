/**
 * The position of a controller in a play: the number of the step, of the step inside it, and so on. Compared from left
 * to right, so the content of a step sorts between the step and the next one.
 */
export type Position = readonly number[];

/** Negative if `a` comes first, 0 if the positions are equal. */
export function comparePositions(a: Position, b: Position): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
