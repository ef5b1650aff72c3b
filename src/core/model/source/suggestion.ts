import { distance } from 'fastest-levenshtein';

/** `did you mean "x"?` for the nearest known name, or undefined if none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}

export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let edits = tolerance(name.length);
  for (const one of known) {
    const distant = distance(name, one);
    const nearer = nearest === undefined ? distant <= edits : distant < edits;
    if (!nearer && (distant > edits || shared(name, one) <= shared(name, nearest ?? ''))) continue;
    nearest = one;
    edits = distant;
  }
  return nearest;
}

/**
 * The known name that a name probably means: a wrong letter, two in a longer name, swapped letters, or other case and
 * hyphens. Stricter than `didYouMean`, because callers may refuse such names.
 */
export function likelyTypo(name: string, known: readonly string[]): string | undefined {
  const same = findSpelling(name, known);
  if (same !== undefined) return same;
  const nearest = nearestName(name, known);
  // `virtual_ip6` is not a typo of `virtual_ip`: a newer release has it.
  if (nearest === undefined || withoutDigits(name) === withoutDigits(nearest)) return undefined;
  const edits = distance(name, nearest);
  const isSwapped = edits === 2 && letters(name) === letters(nearest);
  return edits <= (name.length < 8 ? 1 : 2) || isSwapped ? nearest : undefined;
}

/**
 * As `likelyTypo`, for names that may well be right: one letter is wrong, missing or too many, or two are swapped. A word
 * that begins with the other is a different word: `router` is not a misspelt `route`, nor `header` a misspelt `headers`.
 */
export function misspelling(name: string, known: readonly string[]): string | undefined {
  for (const one of known) {
    if (Math.abs(one.length - name.length) > 1 || one.startsWith(name) || name.startsWith(one)) continue;
    const edits = distance(name, one);
    if (edits === 1 || (edits === 2 && letters(name) === letters(one))) return one;
  }
  return undefined;
}

function withoutDigits(name: string): string {
  return name.replaceAll(/\d/g, '');
}

/** The known name that differs from a name only in case and hyphens. */
export function findSpelling(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => normal(one) === normal(name));
}

/** Equal for names that differ only in the order of their letters. */
export function letters(name: string): string {
  return Array.from(name).sort().join('');
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/** The number of letters that the names share. Breaks ties: a missing letter is likelier than a wrong one. */
function shared(name: string, other: string): number {
  let rest = other;
  let count = 0;
  for (const letter of name) {
    if (!rest.includes(letter)) continue;
    rest = rest.replace(letter, '');
    count += 1;
  }
  return count;
}

/** Two swapped letters (`debgu`) are two edits; in a very short name at least one letter must match. */
function tolerance(length: number): number {
  return length < 4 ? Math.min(1, length - 1) : Math.max(2, Math.floor(length / 3));
}
