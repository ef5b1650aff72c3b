/**
 * What a backslash means in a text within an expression. Ansible differs: between `{{` and `}}` it is an ordinary character
 * (`'\d+'`, `'\1'`); in a bare expression (`when`) it escapes as in Python, and what is no escape stays (`'\d+'`).
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

/** The text that was written between `quote`s. */
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
