import { TemplateError, type Place } from './errors.js';

/** The lines of a text, for messages about a place in it. */
export class Lines {
  constructor(readonly text: string) {}

  place(at: number): Place {
    const before = this.text.slice(0, at);
    return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
  }

  /** ` (line 3)`; nothing in a text of one line. */
  suffix(at: number): string {
    return this.text.trimEnd().includes('\n') ? ` (line ${this.place(at).line})` : '';
  }

  error(message: string, at: number, hint?: string): TemplateError {
    return new TemplateError(`${message}${this.suffix(at)}`, { hint, place: this.place(at) });
  }

  /** Runs it; a TemplateError gets the place. */
  within<T>(at: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof TemplateError ? this.error(error.message, at, error.hint) : error;
    }
  }
}

/** A statement on one line, for messages. */
export function shortened(written: string): string {
  const line = written.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 56)}… %}` : line;
}
