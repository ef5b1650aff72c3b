/** The part of a command line before the cursor, and how to complete the current word in the shell. */
export interface TypedLine {
  /** Complete words before the current one, without quotes. */
  readonly words: readonly string[];
  /** The word at the cursor, without quotes; empty after a space. */
  readonly current: string;
  /** The text that replaces what the shell takes for the current word, for a completed word. */
  readonly insert: (word: string) => string;
}

/** A word as it was typed, up to the cursor. */
interface Word {
  text: string;
  /** The quote that is open at its end. */
  quote: Quote;
  /** The length of `text` up to the last character at which bash starts a new word. */
  kept: number;
}

type Quote = '' | "'" | '"';

/**
 * Reads a line as bash does, without expanding anything. Bash completes only what follows the last of its break
 * characters (`:`, `=`, a quote, …), so `insert` returns only that part, quoted as the rest of the word is.
 *
 * @param breaks `COMP_WORDBREAKS`
 */
export function bashLine(line: string, breaks: string): TypedLine {
  const words: Word[] = [];
  let word: Word | undefined;
  const open = (): Word => (word ??= { text: '', quote: '', kept: 0 });
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    const quote = word?.quote ?? '';
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === '\\' && quote !== "'") {
      const escaped = line.charAt(at + 1);
      at += 1;
      open().text += quote === '"' && !/["$`\\]/.test(escaped) ? `\\${escaped}` : escaped;
    } else if ((char === "'" || char === '"') && (quote === '' || quote === char)) {
      const here = open();
      here.quote = quote === '' ? char : '';
      here.kept = here.text.length;
    } else {
      const here = open();
      here.text += char;
      if (quote === '' && breaks.includes(char)) here.kept = here.text.length;
    }
  }
  const { text, quote, kept } = word ?? { text: '', quote: '', kept: 0 };
  return {
    words: words.map((one) => one.text),
    current: text,
    insert: (completed) => quoted(completed.slice(kept), quote, kept === 0),
  };
}

/** @param isStart of a word: `~/` there must stay as it is, `#` must not begin a comment */
function quoted(text: string, quote: Quote, isStart: boolean): string {
  switch (quote) {
    case "'":
      return text.replaceAll("'", String.raw`'\''`);
    case '"':
      return text.replaceAll(/["$`\\]/g, String.raw`\$&`);
    case '': {
      const escaped = text.replaceAll(/[^\p{L}\p{N}\w@%+=:,./-]/gu, String.raw`\$&`);
      return isStart ? escaped.replace(/^\\~\//, '~/') : escaped;
    }
    default:
      return quote satisfies never;
  }
}

/**
 * Resolves quotes and backslashes in a typed word. A space outside of quotes means that the shell removed an open
 * quote.
 */
export function unquoted(word: string): string {
  const { words, current } = bashLine(word, '');
  return words.length === 0 ? current : word;
}
