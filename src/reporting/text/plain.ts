import { areAsciiLines, withoutSequences } from '../../core/model/invisible.js';
import { jsonText } from '../../core/model/values/value.js';

/**
 * Makes text safe for a terminal. Text from controllers is not trusted: escape sequences, control characters and bidirectional overrides are
 * removed; line breaks and tabs stay.
 */
export function plain(text: string): string {
  if (areAsciiLines(text)) return text;
  return withoutSequences(text.replaceAll('\r\n', '\n')).replace(
    /(?![\n\t])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    '',
  );
}

/** As `plain`, on a single line: each line break, with the space around it, becomes one space. */
export function oneLine(text: string): string {
  const shown = plain(text);
  return /[\n\t]/.test(shown) ? shown.replaceAll(/\s*[\n\t]\s*/g, ' ').trim() : shown;
}

/** As GitHub finds its commands: `::name::` behind the white space of .NET, and of its old syntax `##[name]` anywhere in a line. */
const COMMAND = /:(?<=^[\t\v\f \u0085\p{Z}]*:)(?=:[^\r\n]*::)|##(?=\[)/gmu;

/** Lines that GitHub does not read as commands of the workflow, whatever a controller sent. */
export function withoutCommands(lines: string): string {
  return lines.replaceAll(COMMAND, '$&\u200b');
}

/** Characters that JSON does not escape, but terminals and line readers interpret; and the beginning of a command of GitHub. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\[(?<=##\[)/g;

/** A value as JSON on one line. */
export function safeJson(value: unknown): string {
  return safeText(jsonText(value));
}

/** JSON with unsafe characters escaped. */
export function safeText(json: string): string {
  return json.replace(UNSAFE, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
