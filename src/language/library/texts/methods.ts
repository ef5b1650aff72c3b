import type { Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { capitalize } from './texts.js';

/** Python's methods of these names: `name.zfill(3)` is `zfill(name, 3)`. */
export const textMethods = {
  rsplit: callable('text, separator, maxsplit?', rightSplit),
  partition: callable('text, separator', (args) => partition(args, args.text(0).indexOf(args.text(1)))),
  rpartition: callable('text, separator', (args) => partition(args, args.text(0).lastIndexOf(args.text(1)))),
  ljust: callable('text, width, fill?', (args) => args.text(0).padEnd(args.amount(1), args.text(2, ' '))),
  rjust: callable('text, width, fill?', (args) => args.text(0).padStart(args.amount(1), args.text(2, ' '))),
  zfill: callable('text, width', (args) =>
    args
      .text(0)
      .replace(
        /^([-+]?)(.*)$/s,
        (_, sign: string, rest: string) => sign + rest.padStart(args.amount(1) - sign.length, '0'),
      ),
  ),
  swapcase: callable('text', (args) =>
    args
      .text(0)
      .replaceAll(/\p{L}/gu, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      ),
  ),
  removeprefix: callable('text, prefix', (args) =>
    args.text(0).startsWith(args.text(1)) ? args.text(0).slice(args.text(1).length) : args.text(0),
  ),
  removesuffix: callable('text, suffix', (args) =>
    args.text(1) !== '' && args.text(0).endsWith(args.text(1))
      ? args.text(0).slice(0, -args.text(1).length)
      : args.text(0),
  ),
  rfind: callable('text, part', (args) => args.text(0).lastIndexOf(args.text(1))),
  rindex: callable('text, part', (args) => {
    const found = args.text(0).lastIndexOf(args.text(1));
    if (found < 0) throw args.error(`the text does not contain "${args.text(1)}"`);
    return found;
  }),
  unicode_normalize: callable('text, form?', (args) => {
    const form = args.text(1, 'NFC');
    if (!['NFC', 'NFD', 'NFKC', 'NFKD'].includes(form))
      throw args.error(`"${form}" is not one of NFC, NFD, NFKC, NFKD`);
    return args.plainText(0).normalize(form);
  }),
  casefold: callable('text', (args) => args.text(0).replaceAll('ß', 'ss').toLowerCase()),
  expandtabs: callable('text, tabsize?', (args) => expandTabs(args.text(0), args.amount(1, 8))),
  titlecase: callable('text', (args) => args.text(0).replaceAll(/\p{L}+/gu, capitalize)),
  istitle: callable('text', (args) => isTitle(args.text(0))),
  isascii: callable('text', (args) => /^\p{ASCII}*$/u.test(args.text(0))),
  isidentifier: holds(/^[\p{L}_][\p{L}\p{N}_]*$/u),
  isalnum: holds(/^[\p{L}\p{N}]+$/u),
  isalpha: holds(/^\p{L}+$/u),
  isdigit: holds(/^\p{Nd}+$/u),
  isspace: holds(/^\s+$/u),
  islower: holds(/^(?=.*\p{Ll})[^\p{Lu}]+$/su),
  isupper: holds(/^(?=.*\p{Lu})[^\p{Ll}]+$/su),
} satisfies Family;

function holds(pattern: RegExp): Family[string] {
  return callable('text', (args) => pattern.test(args.text(0)));
}

function rightSplit(args: CallableArguments): Value {
  const parts = args.text(0).split(args.text(1));
  const most = args.number(2, -1);
  if (most < 0 || parts.length <= most) return parts;
  const cut = parts.length - most;
  return [parts.slice(0, cut).join(args.text(1)), ...parts.slice(cut)];
}

/** Each tab as blanks up to the next column that is a multiple of the size. */
function expandTabs(text: string, size: number): string {
  let column = 0;
  return text.replaceAll(/[^\t\r\n]+|[\t\r\n]/g, (piece) => {
    if (piece === '\t') {
      const blanks = size === 0 ? 0 : size - (column % size);
      column += blanks;
      return ' '.repeat(blanks);
    }
    column = piece === '\r' || piece === '\n' ? 0 : column + piece.length;
    return piece;
  });
}

/** Whether the text has words, and only the first letter of each is a capital, as in Python's `istitle`. */
function isTitle(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.length > 0 && words.every((word) => /^\p{Lu}[^\p{Lu}]*$/u.test(word));
}

/** The text before the separator, the separator, and the text after it. */
function partition(args: CallableArguments, at: number): Value {
  const text = args.text(0);
  const separator = args.text(1);
  if (at < 0) return args.called === 'rpartition' ? ['', '', text] : [text, '', ''];
  return [text.slice(0, at), separator, text.slice(at + separator.length)];
}
