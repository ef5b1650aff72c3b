import { readEscape } from '../../language/python/string.js';

/** The parsed form of `k=v k2="a b" word`. */
type KeyValues =
  | {
      readonly status: 'ok';
      readonly values: Readonly<Record<string, string>>;
      /** The words that are not `k=v`, as written, joined by spaces; empty if there are none. */
      readonly words: string;
    }
  | { readonly status: 'unbalanced'; readonly message: string };

const ESCAPE = /\\(?:U[\da-fA-F]{8}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\\'"abfnrtv])/g;
/**
 * Reads `key=value` text as Ansible does: spaces and line ends separate words, but not inside quotes or `{{ }}`; one
 * pair of quotes around a value is removed; backslash escapes are resolved; `\=` is not a separator. Values are always
 * text.
 */
export function parseKeyValues(text: string): KeyValues {
  const splitter = new Splitter();
  for (const character of text) splitter.take(character);
  const words = splitter.finish();
  // The rest of the text may hold a secret.
  if (typeof words === 'string')
    return { status: 'unbalanced', message: `a quote or "{{" is not closed in: ${words}…` };
  // Without a prototype, so that `__proto__` is a key like any other.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.create` has no type
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  const rest: string[] = [];
  for (const word of words) {
    const decoded = word.replace(ESCAPE, (sequence) => readEscape(sequence, 1)?.text ?? sequence);
    const at = separator(decoded);
    if (at !== undefined) values[decoded.slice(0, at).trim()] = unquoted(decoded.slice(at + 1).trim());
    else rest.push(decoded.includes('=') ? decoded.replaceAll('\\=', '=') : word);
  }
  return { status: 'ok', values: { ...values }, words: joined(rest) };
}

/** The index of the first unescaped `=` after a name. */
function separator(word: string): number | undefined {
  for (let at = word.indexOf('=', 1); at !== -1; at = word.indexOf('=', at + 1)) if (word[at - 1] !== '\\') return at;
  return undefined;
}

function unquoted(text: string): string {
  const quote = text[0];
  const closed = text.length > 1 && text.endsWith(quote ?? '') && text.at(-2) !== '\\';
  return closed && (quote === '"' || quote === "'") ? text.slice(1, -1) : text;
}

function joined(words: readonly string[]): string {
  return words.reduce((text, word) => (text === '' || text.endsWith('\n') ? text + word : `${text} ${word}`), '');
}

const OPENING: ReadonlySet<string> = new Set(['{{', '{%', '{#']);
const CLOSING: ReadonlySet<string> = new Set(['}}', '%}', '#}']);

/** Cuts text into words, a character at a time. Free text keeps its shape: doubled spaces and line ends stay with the word before them. */
class Splitter {
  readonly #words: string[] = [];
  #word = '';
  #lineIsEmpty = true;
  #continued = false;
  #quote = '';
  #depth = 0;
  /** The length of the word up to and including the outermost open quote or brace. */
  #opened = 0;
  #previous = '';

  take(character: string): void {
    const separates = (character === ' ' || character === '\n') && !this.#isInside();
    if (!separates) this.#add(character);
    else if (character === '\n') this.#endLine();
    else this.#endWord();
  }

  /** The words; if a quote or a template is unclosed, the last word before it. */
  finish(): readonly string[] | string {
    if (this.#isInside()) return this.#word.slice(0, this.#opened);
    this.#endWord();
    return this.#words;
  }

  #isInside(): boolean {
    return this.#quote !== '' || this.#depth > 0;
  }

  #endWord(): void {
    if (this.#word === '\\') this.#continued = true;
    else if (this.#word !== '') this.#words.push(this.#word);
    else if (!this.#lineIsEmpty) this.#append(' ');
    this.#word = '';
    this.#previous = '';
    this.#lineIsEmpty = false;
  }

  /** A single backslash at the end of a line joins it with the next. */
  #endLine(): void {
    this.#endWord();
    if (!this.#continued) this.#append('\n');
    this.#continued = false;
    this.#lineIsEmpty = true;
  }

  #append(space: string): void {
    const last = this.#words.pop();
    if (last !== undefined) this.#words.push(last + space);
  }

  #add(character: string): void {
    const wasInside = this.#isInside();
    this.#word += character;
    const pair = this.#previous + character;
    this.#previous = character;
    if (character === '"' || character === "'") this.#toggleQuote(character, pair);
    else if (OPENING.has(pair)) this.#brace(1);
    else if (CLOSING.has(pair)) this.#brace(-1);
    if (!wasInside) this.#opened = this.#word.length;
  }

  #toggleQuote(character: string, pair: string): void {
    if (pair.startsWith('\\')) return;
    if (this.#quote === '') this.#quote = character;
    else if (this.#quote === character) this.#quote = '';
  }

  /** The second brace of a pair does not start another pair: `{{{` opens once. */
  #brace(step: number): void {
    this.#depth = Math.max(0, this.#depth + step);
    this.#previous = '';
  }
}
