import stringWidth from 'fast-string-width';

/** Columns that the text takes in a terminal: wide characters count two, combining marks and colours none. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** The text cut to so many columns, an ellipsis at its end if something is missing. Takes uncoloured text. */
export function truncate(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (displayWidth(text) <= columns) return text;
  let used = 1;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += displayWidth(segment);
    if (used > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text filled with spaces up to so many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** How wide a column of these texts should be: the widest of them, but no wider than the limit. */
export function columnWidth(texts: Iterable<string>, limit: number): number {
  let widest = 0;
  for (const text of texts) {
    if (text.length > widest || displayWidth(text) > widest) widest = Math.max(widest, displayWidth(text));
    if (widest >= limit) return limit;
  }
  return widest;
}
