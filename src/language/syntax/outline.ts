import { TemplateError } from '../runtime/errors.js';
import { BlockStack, type Head } from './block_stack.js';
import type { TextLines } from './lines.js';
import type { WrittenStatement } from './statements.js';
import { readInside, readTag, textEnd, unclosed, type Spacing } from './tags.js';

/**
 * A template in a form that Handlebars can always parse: its expressions are replaced by `e0`, `e1`, …, its statements by `{{s0}}`,
 * `{{s1}}`, ….
 */
export interface Outline {
  readonly text: string;
  readonly expressions: readonly FoundOpening[];
  readonly statements: readonly WrittenStatement[];
}

/** An expression, and where it is in the text. */
interface FoundOpening {
  readonly text: string;
  readonly at: number;
}

/** `{{`, white space control (`~`, or Jinja's `-`), and the sigil of a block or comment. */
const OPEN = /\{\{(~|-(?!\d))?([{&#^/>*!])?/y;
/** `{{{'a': 1}}}`: the start of a mapping, not Handlebars' third brace. */
const MAPPING_OPEN = /\{\{\{\s*(?:\}|(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.]+)\s*:)/y;
const COMMENT_END = /--~?\}\}/g;
const RAW_OPEN = /\{\{\{\{\s*(\w+)\s*\}\}\}\}/y;
const ANY_OPEN = /\{(?:\{|#|%[-+]?\s*[a-z_])/gi;

/**
 * Takes the expressions and statements out of a template. Throws a TemplateError for anything unclosed or unknown.
 *
 * @param jinja absent for a text without statements, like most texts
 */
export function outline(lines: TextLines, jinja: Spacing | undefined): Outline {
  const scan = new Scan(lines, jinja);
  while (scan.next());
  return scan.finish();
}

class Scan {
  readonly #expressions: FoundOpening[] = [];
  readonly #statements: WrittenStatement[] = [];
  private readonly text: string;
  readonly #blocks: BlockStack;
  readonly #lastCommentEnd: number;
  #output = '';
  #position = 0;

  constructor(
    private readonly lines: TextLines,
    private readonly jinja: Spacing | undefined,
  ) {
    this.text = lines.text;
    this.#blocks = new BlockStack(lines);
    this.#lastCommentEnd = jinja ? lines.text.lastIndexOf('#}') : -1;
  }

  finish(): Outline {
    this.#blocks.finish();
    return { text: this.#output, expressions: this.#expressions, statements: this.#statements };
  }

  /** Handles the next pair of braces; false if there is none. */
  next(): boolean {
    const start = this.#nextOpening();
    if (start < 0) {
      this.#copyTo(this.text.length);
      return false;
    }
    if (this.jinja && this.text.charAt(start + 1) !== '{') this.#tag(start, this.jinja);
    else this.#braces(start);
    return true;
  }

  #nextOpening(): number {
    if (!this.jinja) return this.text.indexOf('{{', this.#position);
    ANY_OPEN.lastIndex = this.#position;
    for (let found = ANY_OPEN.exec(this.text); found !== null; found = ANY_OPEN.exec(this.text)) {
      // A comment must be closed.
      if (found[0] !== '{#' || this.#lastCommentEnd >= found.index + 2) return found.index;
      ANY_OPEN.lastIndex = found.index + 2;
    }
    return -1;
  }

  #braces(start: number): void {
    this.#copyText(start, start);
    if (this.text.startsWith('{{{{', start)) this.#copyTo(this.#rawEnd(start));
    else this.#mustache(start);
  }

  /** Puts a placeholder for a statement or comment into the outline, and applies whitespace control. */
  #tag(start: number, spacing: Spacing): void {
    const { text } = this;
    const { kind, word, rest, written, sign, end, endSign } = readTag(this.lines, start, spacing);
    if (kind === 'divides') this.#blocks.divide(word, start);
    else if (kind === 'closes') this.#blocks.closeStatement(word, start);
    else if (kind === 'opens') this.#blocks.openStatement(word, written, start);
    this.#copyText(textEnd(text, this.#position, start, sign, spacing), start);
    const index = this.#statements.push({ word, rest, at: start }) - 1;
    this.#output += `{{${sign === '-' ? '~' : ''}s${index}${endSign === '-' ? '~' : ''}}}`;
    this.#position = spacing.trim && endSign === '' ? afterLineBreak(text, end) : end;
    if (text.startsWith('}', this.#position)) this.#output += '{{!}}';
  }

  /** Copies the text before the opening at `start`. */
  #copyText(end: number, start: number): void {
    this.#copyTo(end);
    // In Ansible, a backslash is text. Handlebars reads one as an escape, and two as one backslash.
    if (this.text[start - 1] === '\\') this.#output += '\\';
  }

  #copyTo(end: number): void {
    this.#output += this.text.slice(this.#position, end);
    this.#position = end;
  }

  #rawEnd(start: number): number {
    RAW_OPEN.lastIndex = start;
    const name = RAW_OPEN.exec(this.text)?.[1];
    if (name !== 'raw')
      throw new TemplateError('four braces begin only {{{{raw}}}}', { hint: 'write {{{{raw}}}}…{{{{/raw}}}}' });
    const close = '{{{{/raw}}}}';
    const end = this.text.indexOf(close, start);
    if (end < 0) throw new TemplateError('{{{{raw}}}} is never closed', { hint: `write ${close} where it ends` });
    return end + close.length;
  }

  #mustache(start: number): void {
    OPEN.lastIndex = start;
    MAPPING_OPEN.lastIndex = start;
    const isMapping = MAPPING_OPEN.test(this.text);
    const [open = '{{', strip = '', sigil = ''] = isMapping ? [] : (OPEN.exec(this.text) ?? []);
    if (sigil === '!') return this.#copyTo(this.#commentEnd(start, start + open.length));
    const found = readInside(this.text, start + open.length, sigil === '{' ? '}}}' : '}}');
    if (found === undefined) throw this.#unclosed(start);
    const [inner, end] = found;
    const trailing = /[~-]$/.test(inner) ? '~' : '';
    const content = trailing ? inner.slice(0, -1) : inner;
    this.#output += `{{${strip && '~'}${this.#replace(sigil, content.trim(), start)}${trailing}}}`;
    // Handlebars would read a third brace, as in `{"mtu": {{ mtu }}}`, as the end of `{{{`.
    if (this.text.startsWith('}', end)) this.#output += '{{!}}';
    this.#position = end;
  }

  #commentEnd(start: number, content: number): number {
    if (this.text.startsWith('--', content)) {
      COMMENT_END.lastIndex = content + 2;
      if (COMMENT_END.exec(this.text)) return COMMENT_END.lastIndex;
    } else {
      const end = this.text.indexOf('}}', content);
      if (end >= 0) return end + 2;
    }
    throw this.#unclosed(start);
  }

  /** Returns the tag in Handlebars' syntax, with a placeholder for each expression. */
  #replace(sigil: string, content: string, at: number): string {
    if (sigil === '/') return this.#blocks.close(content, at);
    if (sigil === '>' || sigil === '*' || content.startsWith('>') || content.startsWith('*'))
      throw noPartials(sigil, content);
    if ((sigil === '^' && content === '') || content === 'else') return this.#blocks.otherwise(at);
    if (sigil === '#' || sigil === '^') return `${sigil}${this.#head(this.#blocks.open(sigil, content, at), at)}`;
    if (/^else\s/.test(content)) return `else ${this.#head(this.#blocks.chain(content, at), at)}`;
    return this.#expression(content, at);
  }

  #unclosed(start: number): TemplateError {
    return unclosed(this.lines, start, 'write }} where it ends, or {{ "{{" }} for braces that are text');
  }

  #head({ name, expression, params }: Head, at: number): string {
    return `${name} ${this.#expression(expression, at)}${params}`;
  }

  #expression(text: string, at: number): string {
    this.#expressions.push({ text, at });
    return `e${this.#expressions.length - 1}`;
  }
}

function noPartials(sigil: string, content: string): TemplateError {
  const hint = 'keep the text in a variable and write {{variable}}, or {{lookup("file", "name")}}';
  return new TemplateError(`"{{${sigil}${content}}}": partials and decorators do not exist here`, { hint });
}

function afterLineBreak(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2;
  return text[at] === '\n' ? at + 1 : at;
}
