import { TemplateError } from './errors.js';
import { BlockStack } from './block_stack.js';

/** A template whose expressions are replaced by `e0`, `e1`, …: what Handlebars can parse whatever the expressions look like. */
export interface Outline {
  readonly text: string;
  readonly expressions: readonly string[];
}

/** `{{`, white space control (`~`; Jinja's `-` means the same), and what kind of thing it is. */
const OPEN = /\{\{(~|-(?!\d))?([{&#^/>*!])?/y;
/** `{{{'a': 1}}}`: what begins a mapping is no third brace of Handlebars. */
const MAPPING_OPEN = /\{\{\{\s*(?:\}|(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.]+)\s*:)/y;
const COMMENT_END = /--~?\}\}/g;
const RAW_OPEN = /\{\{\{\{\s*(\w+)\s*\}\}\}\}/y;

/** Takes the expressions out of a template. Throws a TemplateError for what is not closed or not known. */
export function outline(text: string): Outline {
  const scan = new Scan(text);
  while (scan.next());
  return scan.finish();
}

class Scan {
  readonly #expressions: string[] = [];
  readonly #blocks = new BlockStack();
  #output = '';
  #position = 0;

  constructor(readonly text: string) {}

  finish(): Outline {
    this.#blocks.finish();
    return { text: this.#output, expressions: this.#expressions };
  }

  /** Handles one pair of braces; false when there is none left. */
  next(): boolean {
    const start = this.text.indexOf('{{', this.#position);
    if (start < 0) {
      this.#copyTo(this.text.length);
      return false;
    }
    this.#copyTo(start);
    if (this.#escaped(start)) this.#copyTo(this.#escapedEnd(start));
    else if (this.text.startsWith('{{{{', start)) this.#copyTo(this.#rawEnd(start));
    else this.#mustache(start);
    return true;
  }

  #copyTo(end: number): void {
    this.#output += this.text.slice(this.#position, end);
    this.#position = end;
  }

  /** `\{{` is text; `\\{{` is a backslash and a template. */
  #escaped(start: number): boolean {
    return this.text[start - 1] === '\\' && this.text[start - 2] !== '\\';
  }

  #escapedEnd(start: number): number {
    const next = /\\{0,2}\{\{/g;
    next.lastIndex = start + 2;
    return next.exec(this.text)?.index ?? this.text.length;
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
    if (sigil === '!') {
      this.#copyTo(this.#commentEnd(start, start + open.length));
      return;
    }
    const [inner, end] = this.#inside(start, start + open.length, sigil === '{' ? '}}}' : '}}');
    const trailing = /[~-]$/.test(inner) ? '~' : '';
    const content = trailing ? inner.slice(0, -1) : inner;
    this.#output += `{{${strip && '~'}${this.#replace(sigil, content.trim())}${trailing}}}`;
    // Handlebars would take a third brace, as in `{"mtu": {{ mtu }}}`, for the end of `{{{`.
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
    throw unclosed(this.text, start);
  }

  /** What stands between the braces, and where it ends; braces inside texts and mappings do not count. */
  #inside(start: number, from: number, close: string): readonly [string, number] {
    let depth = 0;
    let quotes = true;
    for (let at = from; at < this.text.length; at += 1) {
      const character = this.text.charAt(at);
      if (depth === 0 && this.text.startsWith(close, at)) return [this.text.slice(from, at), at + close.length];
      if (quotes && (character === '"' || character === "'")) {
        const end = stringEnd(this.text, at);
        // A quote that nothing closes is no text; reading on from each such quote would take forever.
        if (end === at) quotes = false;
        at = end;
      }
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
    }
    throw unclosed(this.text, start);
  }

  /** The same in Handlebars' words, with a number in place of each expression. */
  #replace(sigil: string, content: string): string {
    if (sigil === '/') return this.#blocks.close(content);
    if (sigil === '>' || sigil === '*' || content.startsWith('>') || content.startsWith('*'))
      throw noPartials(sigil, content);
    if ((sigil === '^' && content === '') || content === 'else') return this.#blocks.otherwise();
    if (sigil === '#' || sigil === '^') return `${sigil}${this.#head(this.#blocks.open(sigil, content))}`;
    if (/^else\s/.test(content)) return `else ${this.#head(this.#blocks.chain(content))}`;
    return this.#expression(content);
  }

  #head({ name, expression, params }: { name: string; expression: string; params: string }): string {
    return `${name} ${this.#expression(expression)}${params}`;
  }

  #expression(text: string): string {
    this.#expressions.push(text);
    return `e${this.#expressions.length - 1}`;
  }
}

/** Where the text that begins with the quote at `start` ends; a quote that is never closed ends nothing. */
function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return start;
}

function unclosed(text: string, start: number): TemplateError {
  const excerpt = text.slice(start, start + 40).split('\n')[0] ?? '';
  return new TemplateError(`"${excerpt}" is never closed`, {
    hint: 'write }} where it ends, or \\{{ for braces that are text',
  });
}

function noPartials(sigil: string, content: string): TemplateError {
  const hint = 'keep the text in a variable and write {{variable}}, or {{lookup("file", "name")}}';
  return new TemplateError(`"{{${sigil}${content}}}": partials and decorators do not exist here`, { hint });
}
