import type { Value } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { asText } from '../../runtime/text.js';

/** Amounts of data, for people and back. */
export const sizes = {
  /** `1536 | human_readable` is `1.50 KB`. */
  human_readable: helper('size, isbits?, unit?', readable),
  /** `"1.5 KB" | human_to_bytes` is 1536. */
  human_to_bytes: helper('text, default_unit?, isbits?', bytes),
  /** Jinja's: thousands (`kB`), or with `binary=true` 1024s (`KiB`). */
  filesizeformat: helper('size, binary?', fileSize),
} satisfies Family;

const LETTERS = 'BKMGTPEZY';

function readable(args: Arguments): Value {
  const size = args.value(0);
  if (typeof size !== 'number') throw args.error('a number is needed', 'write value | int');
  const wanted = args.value(2) === null ? '' : args.text(2).toUpperCase();
  const level = wanted === '' ? levelOf(size, 1024) : Math.max(0, LETTERS.indexOf(wanted));
  const base = args.flag(1) ? 'bits' : 'Bytes';
  const suffix = level === 0 ? base : `${LETTERS.charAt(level)}${base.charAt(0)}`;
  return `${(size / 1024 ** level).toFixed(2)} ${suffix}`;
}

function levelOf(size: number, base: number): number {
  let level = 0;
  while (level < LETTERS.length - 1 && size >= base ** (level + 1)) level += 1;
  return level;
}

function bytes(args: Arguments): Value {
  const text = asText(args.value(0));
  const [, number = '', written] = /^\s*(\d*\.?\d*)\s*([A-Za-z]+)?/.exec(text) ?? [];
  if (number === '' || number === '.') throw args.error(`"${text}" does not begin with a number`);
  const unit = written ?? (args.value(1) === null ? 'B' : args.text(1));
  const level = LETTERS.indexOf(unit.charAt(0).toUpperCase());
  const bits = args.flag(2);
  if (level < 0 || !isUnit(unit, bits))
    throw args.error(`there is no unit "${unit}"`, `it is one of ${bits ? 'Kb, Mb, Gb' : 'KB, MB, GB'}, …`);
  return Math.round(Number(number) * 1024 ** level);
}

function isUnit(unit: string, bits: boolean): boolean {
  return (
    unit.length === 1 || unit.toLowerCase().includes(bits ? 'bit' : 'byte') || unit.charAt(1) === (bits ? 'b' : 'B')
  );
}

function fileSize(args: Arguments): Value {
  const size = args.number(0);
  const binary = args.flag(1);
  const base = binary ? 1024 : 1000;
  if (size === 1) return '1 Byte';
  if (size < base) return `${Math.trunc(size)} Bytes`;
  const level = levelOf(size, base);
  const letter = LETTERS.charAt(level);
  return `${(size / base ** level).toFixed(1)} ${binary ? `${letter}iB` : `${level === 1 ? 'k' : letter}B`}`;
}
