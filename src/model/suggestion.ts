import { closest, distance } from 'fastest-levenshtein';

/** `did you mean "x"?` for the nearest known name, or undefined if none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(name, known);
  return distance(name, nearest) <= tolerance(name.length) ? nearest : undefined;
}

/** Two swapped letters (`debgu`) are two edits; of a very short name not every letter may differ. */
function tolerance(length: number): number {
  return length < 4 ? Math.min(1, length - 1) : Math.max(2, Math.floor(length / 3));
}
