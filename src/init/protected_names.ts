/** Words of the names of environments that serve users. */
const LIVE = new Set(['prod', 'prd', 'production', 'live', 'dr']);

/**
 * The environments in which a run should ask before it writes: those whose names contain such a word (`prod-eu`,
 * `EuProd2`). If no name tells, all but the first: one question too many is better than one too few.
 */
export function namesToProtect(names: readonly string[]): readonly string[] {
  const live = names.filter((name) => wordsOf(name).some((word) => LIVE.has(word)));
  return live.length > 0 ? live : names.slice(1);
}

function wordsOf(name: string): readonly string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}
