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
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    if (line[at] === '#') break;
    const word = readWord(line, at);
    if ('problem' in word) return word;
    words.push({ text: word.text, offset: at });
    at = word.end;
    if (line[at] === '#') return { words, cut: at };
  }
  return { words };
}

type WordPart = { readonly text: string; readonly end: number } | { readonly problem: string; readonly offset: number };

function readWord(line: string, start: number): WordPart {
  let text = '';
  let at = start;
  while (at < line.length && !/[\s#]/.test(line.charAt(at))) {
    const part = readPart(line, at);
    if ('problem' in part) return part;
    text += part.text;
    at = part.end;
  }
  return { text, end: at };
}

function readPart(line: string, at: number): WordPart {
  const char = line.charAt(at);
  if (char === '"' || char === "'") return readQuoted(line, at);
  if (char !== '\\') return { text: char, end: at + 1 };
  if (at + 1 === line.length) return { problem: 'a backslash at its end', offset: at };
  return { text: line.charAt(at + 1), end: at + 2 };
}

/** A backslash escapes only in double quotes, and only a quote or another backslash. */
function readQuoted(line: string, start: number): WordPart {
  const quote = line.charAt(start);
  let text = '';
  for (let at = start + 1; at < line.length; at += 1) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (char === quote) return { text, end: at + 1 };
    if (quote === '"' && char === '\\' && (next === '"' || next === '\\')) at += 1;
    text += line.charAt(at);
  }
  return { problem: `a quote (${quote}) that is not closed`, offset: start };
}
