import { closest, distance } from 'fastest-levenshtein';

/** `did you mean "x"?` for the nearest known name, or undefined if none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(name, known as string[]);
  return distance(name, nearest) <= Math.max(1, Math.floor(name.length / 3)) ? nearest : undefined;
}
