export interface ShellWord {
  /** Without quotes and escapes. */
  readonly text: string;
  /** Its start in the line, from 0. */
  readonly offset: number;
}

type Words =
  /** `cut`: where a comment begins inside a word. */
  | { readonly words: readonly ShellWord[]; readonly cut?: number }
  | { readonly problem: string; readonly offset: number };

/**
 * Splits a line like a POSIX shell, as far as INI inventories need it: blanks separate words except in quotes or after
 * backslashes, and `#` begins a comment anywhere outside quotes, even inside a word (Python's `shlex`).
 */
export function splitWords(line: string): Words {
  const words: ShellWord[] = [];
  for (let at = skipBlanks(line, 0); at < line.length && line[at] !== '#'; at = skipBlanks(line, at)) {
    const offset = at;
    let text = '';
    while (at < line.length && !/[\s#]/.test(line.charAt(at))) {
      PART.lastIndex = at;
      const part = PART.exec(line);
      if (part === null) return { problem: unclosed(line.charAt(at)), offset: at };
      const [, double, single, escaped, plain = ''] = part;
      text += double?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain;
      at = PART.lastIndex;
    }
    words.push({ text, offset });
    if (line[at] === '#') return { words, cut: at };
  }
  return { words };
}

/** In double quotes, a backslash escapes only a quote or another backslash; in single quotes, nothing. */
const PART = /"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"|'([^']*)'|\\([^])|([^\s#"'\\]+)/y;

function skipBlanks(line: string, from: number): number {
  return line.length - line.slice(from).trimStart().length;
}

function unclosed(opening: string): string {
  return opening === '\\' ? 'a backslash at its end' : `a quote (${opening}) that is not closed`;
}
