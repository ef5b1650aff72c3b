import type { Value } from '../../model/value.js';
import type { Arguments } from './arguments.js';
import { helper, type Family } from './helper.js';

/** What Python's methods of these names do: `name.zfill(3)` is `zfill(name, 3)`. */
export const textMethods = {
  rsplit: helper('text, separator, maxsplit?', rightSplit),
  partition: helper('text, separator', (args) => partition(args, args.text(0).indexOf(args.text(1)))),
  rpartition: helper('text, separator', (args) => partition(args, args.text(0).lastIndexOf(args.text(1)))),
  ljust: helper('text, width, fill?', (args) => args.text(0).padEnd(args.amount(1), args.text(2, ' '))),
  rjust: helper('text, width, fill?', (args) => args.text(0).padStart(args.amount(1), args.text(2, ' '))),
  zfill: helper('text, width', (args) =>
    args
      .text(0)
      .replace(
        /^([-+]?)(.*)$/s,
        (_, sign: string, rest: string) => sign + rest.padStart(args.amount(1) - sign.length, '0'),
      ),
  ),
  swapcase: helper('text', (args) =>
    args
      .text(0)
      .replaceAll(/\p{L}/gu, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      ),
  ),
  isalnum: holds(/^[\p{L}\p{N}]+$/u),
  isalpha: holds(/^\p{L}+$/u),
  isdigit: holds(/^\p{Nd}+$/u),
  isspace: holds(/^\s+$/u),
  islower: holds(/^(?=.*\p{Ll})[^\p{Lu}]+$/su),
  isupper: holds(/^(?=.*\p{Lu})[^\p{Ll}]+$/su),
} satisfies Family;

function holds(pattern: RegExp): Family[string] {
  return helper('text', (args) => pattern.test(args.text(0)));
}

function rightSplit(args: Arguments): Value {
  const parts = args.text(0).split(args.text(1));
  const most = args.number(2, -1);
  if (most < 0 || parts.length <= most) return parts;
  const cut = parts.length - most;
  return [parts.slice(0, cut).join(args.text(1)), ...parts.slice(cut)];
}

/** What stands before the separator, the separator, and what stands behind. */
function partition(args: Arguments, at: number): Value {
  const text = args.text(0);
  const separator = args.text(1);
  if (at < 0) return args.helper === 'rpartition' ? ['', '', text] : [text, '', ''];
  return [text.slice(0, at), separator, text.slice(at + separator.length)];
}
