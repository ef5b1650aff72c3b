import type { TextPosition } from '../../core/model/source/diagnostic.js';
import { TemplateError } from '../runtime/errors.js';

/** The lines of a text, for messages about a place in it. */
export class TextLines {
  /** @param origin where the text begins in its file, and whether its columns are those of the file */
  constructor(
    readonly text: string,
    private readonly origin = { line: 1, columns: true },
  ) {}

  place(at: number): TextPosition {
    const { line, columns } = this.origin;
    const before = this.text.slice(0, at);
    return { line: line + before.split('\n').length - 1, column: columns ? at - before.lastIndexOf('\n') : 1 };
  }

  error(message: string, at: number, hint?: string): TemplateError {
    const place = this.place(at);
    const placeText = this.text.trimEnd().includes('\n') ? ` (line ${place.line})` : '';
    return new TemplateError(message, { hint, place, placeText });
  }

  /** `, opened 3 lines above`; nothing for the same line. */
  linesAboveText(other: number, at: number): string {
    const lines = this.place(at).line - this.place(other).line;
    return lines === 0 ? '' : `, opened ${lines} ${lines === 1 ? 'line' : 'lines'} above`;
  }

  /** Calls the function, and adds the place to a TemplateError. */
  locating<T>(at: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof TemplateError ? this.error(error.message, at, error.hint) : error;
    }
  }
}

/** A statement on one line, for messages. */
export function shortStatement(written: string): string {
  const line = written.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 56)}… %}` : line;
}
