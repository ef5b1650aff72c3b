import type { Diagnostic } from '../model/diagnostic.js';

/** File by file in the order of their first mistake, and each from top to bottom: the order in which they are mended. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ source }) => source?.file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  return diagnostics.toSorted(
    (a, b) =>
      (rank.get(a.source?.file) ?? 0) - (rank.get(b.source?.file) ?? 0) ||
      (a.source?.line ?? 0) - (b.source?.line ?? 0) ||
      (a.source?.column ?? 0) - (b.source?.column ?? 0),
  );
}
