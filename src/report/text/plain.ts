import { areAsciiLines, withoutSequences } from '../../model/invisible.js';

const CONTROLS = /(?![\n\t])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text as a terminal may safely show it. What a controller says is not trusted: escape sequences, control characters and
 * characters that turn the direction of writing are removed; line breaks and tabs stay.
 */
export function plain(text: string): string {
  if (areAsciiLines(text)) return text;
  return withoutSequences(text.replaceAll('\r\n', '\n')).replace(CONTROLS, '');
}

/** The same on a single line: breaks and what surrounds them become one space. */
export function oneLine(text: string): string {
  const shown = plain(text);
  return /[\n\t]/.test(shown) ? shown.replaceAll(/\s*[\n\t]\s*/g, ' ').trim() : shown;
}
