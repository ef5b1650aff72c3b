/**
 * Where in a play a controller stands: the number of the step, then of the step inside it, and so on. Read from left to
 * right, so that whatever a step holds lies between the step and its next neighbour.
 */
export type Position = readonly number[];

/** Negative if `a` comes first, 0 if they are the same place. */
export function comparePositions(a: Position, b: Position): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
