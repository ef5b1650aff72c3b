import type { Source } from '../../model/source/source.js';

/** A line that says something, without the blanks around it. */
export interface IniLine {
  readonly text: string;
  /** The place of a character of `text`, counted from 0. */
  at(offset: number): Source;
}

/** The lines of an INI inventory, but for empty ones and those that begin with `#` or `;`. */
export function* readLines(text: string, file: string): Generator<IniLine> {
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const indent = raw.length - raw.trimStart().length;
    yield { text: line, at: (offset) => ({ file, line: index + 1, column: indent + offset + 1 }) };
  }
}
