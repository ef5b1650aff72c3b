import { pythonEscape } from '../representation.js';
const DEFAULT_STEP = 2;
const DEFAULT_WIDTH = 80;
/** Before the root: nothing is indented below it. */
const NOWHERE = -1;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\u0007', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\u001b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\u0085', 'N'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);
const BREAKS = '\n\u0085\u2028\u2029';
/** Double quotes need no escape for these. */
const UNESCAPED = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/u;

/** Puts YAML on lines as libyaml does: long texts are folded at the first blank beyond the width. */
export class YamlWriter {
  readonly #parts: string[] = [];
  #column = 0;
  /** Whether a blank or the beginning of a line is right before. */
  #afterBlank = true;
  /** Whether the line only has indentation and `-` so far. */
  indented = true;
  readonly #step: number;
  readonly #width: number;
  indent = NOWHERE;

  /**
   * @param step blanks a level; 2 to 9, as for libyaml, which takes 2 in place of others
   * @param width below zero: no limit; one that leaves no room for text is 80
   */
  constructor(step: number, width: number) {
    this.#step = step < 2 || step > 9 ? DEFAULT_STEP : step;
    this.#width = width < 0 ? Infinity : width <= this.#step * 2 ? DEFAULT_WIDTH : width;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** A piece of syntax, with a blank before it if it needs one and there is none. */
  indicator(text: string, blank: boolean, keepsIndented = false): void {
    this.#put(this.#afterBlank || !blank ? text : ` ${text}`);
    this.#afterBlank = false;
    this.indented = this.indented && keepsIndented;
  }

  /** The bracket before the first item of a list or mapping on one line. */
  open(bracket: string): void {
    this.indicator(bracket, true);
    this.#afterBlank = true;
  }

  /**
   * Indents one level more. The caller resets `indent`.
   *
   * @param inline for text that continues in this line, and is indented only where it is folded; at the root, that
   * indents, too
   */
  deepen(inline: boolean): void {
    this.indent = this.indent === NOWHERE ? (inline ? this.#step : 0) : this.indent + this.#step;
  }

  /** Goes to the current indentation, on a new line unless this one is still before it. */
  newLine(): void {
    const indent = Math.max(0, this.indent);
    const pastIndent = this.#column === indent && !this.#afterBlank;
    if (!this.indented || this.#column > indent || pastIndent) this.#break('\n');
    if (this.#column < indent) {
      this.#put(' '.repeat(indent - this.#column));
      this.#afterBlank = true;
    }
  }

  newLineIfFull(): void {
    if (this.#isFull()) this.newLine();
  }

  plain(text: string, split: boolean): void {
    if (!this.#afterBlank) this.#put(' ');
    this.#textBehind();
    for (const [piece, blanks] of splitPieces(text, / +/)) {
      if (!blanks) this.#put(piece);
      else if (this.#mayBreakAt(piece, split)) this.#continueOnNewLine();
      else this.#put(piece);
    }
  }

  /** A text with a tag, line by line below it. */
  literal(tag: string, text: string): void {
    const lines = text.split('\n');
    const ends = lines.at(-1) === '';
    this.indicator(tag, true);
    this.indicator(ends ? '|' : '|-', true);
    for (const line of ends ? lines.slice(0, -1) : lines) {
      this.#break('\n');
      this.#put(' '.repeat(this.indent) + line);
    }
    this.#textBehind();
  }

  single(text: string, split: boolean): void {
    this.indicator("'", true);
    let at = 0;
    for (const [piece, blanks] of splitPieces(text, / +|[\n\u0085\u2028\u2029]+/)) {
      const inside = at !== 0 && at + piece.length !== text.length;
      at += piece.length;
      if (!blanks) this.#put(piece.replaceAll("'", "''"));
      else if (BREAKS.includes(piece.charAt(0))) this.#breaks(piece);
      else if (inside && this.#mayBreakAt(piece, split)) this.newLine();
      else this.#put(piece);
    }
    this.indicator("'", false);
  }

  double(text: string, split: boolean): void {
    this.indicator('"', true);
    const chars = Array.from(text);
    for (const [at, char] of chars.entries()) {
      const inside = at > 0 && at < chars.length - 1;
      if (!UNESCAPED.test(char)) this.#put(escape(char));
      else if (char !== ' ' || !inside || !split || chars[at - 1] === ' ' || !this.#isFull()) this.#put(char);
      else {
        this.newLine();
        // A blank at the start of a quoted line would be dropped.
        if (chars[at + 1] === ' ') this.#put('\\');
      }
    }
    this.indicator('"', false);
  }

  #mayBreakAt(blanks: string, split: boolean): boolean {
    return split && blanks.length === 1 && this.#isFull();
  }

  #isFull(): boolean {
    return this.#column > this.#width;
  }

  #continueOnNewLine(): void {
    this.newLine();
    this.#textBehind();
  }

  /** In quotes, a line break is written as two, because a single one means a space. */
  #breaks(breaks: string): void {
    if (breaks.startsWith('\n')) this.#break('\n');
    for (const one of breaks) this.#break(one);
    this.newLine();
  }

  #break(by: string): void {
    this.#parts.push(by);
    this.#column = 0;
    this.#afterBlank = true;
    this.indented = true;
  }

  #textBehind(): void {
    this.#afterBlank = false;
    this.indented = false;
  }

  #put(text: string): void {
    this.#parts.push(text);
    // Characters of two code units are escaped.
    this.#column += text.length;
  }
}

/** The text cut into pieces that match and pieces that do not, in order. */
function* splitPieces(text: string, pattern: RegExp): Generator<readonly [piece: string, matches: boolean]> {
  let at = 0;
  for (const match of text.matchAll(new RegExp(pattern, 'g'))) {
    if (match.index > at) yield [text.slice(at, match.index), false];
    yield [match[0], true];
    at = match.index + match[0].length;
  }
  if (at < text.length) yield [text.slice(at), false];
}

function escape(char: string): string {
  const known = ESCAPES.get(char);
  if (known !== undefined) return `\\${known}`;
  return pythonEscape(char).replace(/(?<=^..).*/, (hex) => hex.toUpperCase());
}
