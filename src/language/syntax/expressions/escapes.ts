/**
 * The meaning of a backslash in a text of an expression, as in Ansible. Between `{{` and `}}`, it is an ordinary character
 * (`'\d+'`, `'\1'`). In a bare expression (`when`), it begins an escape as in Python; unknown escapes stay (`'\d+'`).
 */
export type Escapes = 'kept' | 'python';

const PYTHON = /\\(?:([0-7]{1,3})|x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([^]))/gi;

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\n', ''],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
]);

/** The text between two `quote`s, without escapes. */
export function unescape(written: string, quote: string, escapes: Escapes): string {
  if (!written.includes('\\')) return written;
  if (escapes === 'kept') return written.replaceAll(/\\([^])/g, (all, next) => (next === quote ? quote : all));
  return written.replaceAll(
    PYTHON,
    (all: string, octal?: string, two?: string, four?: string, eight?: string, letter?: string) => {
      if (letter !== undefined) return LETTERS.get(letter) ?? all;
      const code = octal === undefined ? Number.parseInt(two ?? four ?? eight ?? '', 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
