const ESCAPES: Readonly<Record<string, string>> = {
  // A line break after a backslash is left out.
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const NUMERIC = /(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const OCTAL = /[0-7]{1,3}/y;

export interface ReadString {
  readonly text: string;
  /** After the closing quote. */
  readonly end: number;
}

/** Reads a Python string from its opening quote; undefined if it is none. Only triple quotes may hold line breaks. */
export function readString(source: string, start: number, raw: boolean): ReadString | undefined {
  const char = source.charAt(start);
  const quote = source.startsWith(char.repeat(3), start) ? char.repeat(3) : char;
  let text = '';
  let at = start + quote.length;
  while (at < source.length) {
    if (source.startsWith(quote, at)) return { text, end: at + quote.length };
    if (quote.length === 1 && /[\r\n]/.test(source.charAt(at))) return undefined;
    const part =
      source[at] === '\\' ? (raw ? rawPair : readEscape)(source, at + 1) : { text: source.charAt(at), end: at + 1 };
    if (part === undefined) return undefined;
    text += part.text;
    at = part.end;
  }
  return undefined;
}

/** In a raw string, a backslash stays and keeps the next character from ending the string. */
function rawPair(source: string, at: number): ReadString {
  return { text: `\\${source.charAt(at)}`, end: at + 1 };
}

/**
 * Reads an escape after its backslash. Escapes that Python does not know keep the backslash; undefined if it is not a
 * character.
 */
export function readEscape(source: string, at: number): ReadString | undefined {
  const char = source.charAt(at);
  const known = ESCAPES[char];
  if (known !== undefined) return { text: known, end: at + 1 };
  if (/[0-7]/.test(char)) return octal(source, at);
  return /[xuUN]/.test(char) ? numeric(source, at) : { text: `\\${char}`, end: at + 1 };
}

function octal(source: string, at: number): ReadString {
  OCTAL.lastIndex = at;
  const digits = OCTAL.exec(source)?.[0] ?? '0';
  return { text: String.fromCodePoint(Number.parseInt(digits, 8)), end: at + digits.length };
}

function numeric(source: string, at: number): ReadString | undefined {
  NUMERIC.lastIndex = at;
  const match = NUMERIC.exec(source);
  if (match === null) return undefined;
  const code = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? '', 16);
  return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), end: at + match[0].length };
}

// oxlint-disable-next-line no-control-regex -- in Python, they end lines
const LINE_ENDS = { bytes: /\r\n|[\r\n]/, text: /\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]/ };

/** As Python's `splitlines`, which ends more lines in a text than in bytes. */
export function splitLines(text: string, read: keyof typeof LINE_ENDS): readonly string[] {
  const lines = text.split(LINE_ENDS[read]);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
