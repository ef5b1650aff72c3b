import type { Diagnostic } from '../../core/model/source/diagnostic.js';

/**
 * Sorts by file, in the order of their first mistakes, and within a file from top to bottom: the order in which users
 * fix them. Removes duplicates, which occur if a file is included several times.
 */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ source }) => source?.file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  return once(diagnostics).toSorted(
    (a, b) =>
      (rank.get(a.source?.file) ?? 0) - (rank.get(b.source?.file) ?? 0) ||
      (a.source?.line ?? 0) - (b.source?.line ?? 0) ||
      (a.source?.column ?? 0) - (b.source?.column ?? 0),
  );
}

function once(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Map(diagnostics.map((one) => [JSON.stringify([one.severity, one.message, one.source]), one]));
  return [...known.values()];
}
