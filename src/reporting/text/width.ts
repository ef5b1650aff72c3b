import stringWidth from 'fast-string-width';

/** The number of terminal columns of a text: wide characters take two, combining marks and colours none. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** Cuts uncoloured text to this many columns; ends it with an ellipsis if something is missing. */
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

/** Pads the text with spaces to this many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** The width of a column for these texts: the widest, up to the limit. */
export function columnWidth(texts: Iterable<string>, limit: number): number {
  let widest = 0;
  for (const text of texts) {
    if (text.length > widest || displayWidth(text) > widest) widest = Math.max(widest, displayWidth(text));
    if (widest >= limit) return limit;
  }
  return widest;
}

/** The text in lines of at most this many columns, broken between words. A longer word has a line of its own. */
export function wordLines(text: string, columns: number): readonly string[] {
  if (!text.includes('\n') && displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
