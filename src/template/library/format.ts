import type { Value } from '../../model/value.js';
import { TemplateError } from '../errors.js';
import { asText, describe } from '../text.js';

const SPECIFIER = /%(?:%|([-+ 0#]*)(\d*)(?:\.(\d+))?([sdifxXoeEgr]))/g;

/** Python's `"%s is %05.1f" % values`. */
export function formatText(format: string, values: readonly Value[]): string {
  let next = 0;
  return format.replaceAll(
    SPECIFIER,
    (whole: string, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (whole === '%%') return '%';
      const value = values[next];
      if (value === undefined)
        throw new TemplateError(`the format "${format}" needs more than ${values.length} values`);
      next += 1;
      return pad(formatOne(value, kind, precision, flags), Number(width), flags);
    },
  );
}

function formatOne(value: Value, kind: string, precision: string | undefined, flags: string): string {
  if (kind === 's' || kind === 'r')
    return asText(value).slice(0, precision === undefined ? undefined : Number(precision));
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number')
    throw new TemplateError(`%${kind} needs a number, not ${describe(value)}`, { hint: 'write value | int' });
  const text = formatNumber(number, kind, precision === undefined ? undefined : Number(precision));
  return flags.includes('+') && number >= 0 ? `+${text}` : text;
}

function formatNumber(number: number, kind: string, precision: number | undefined): string {
  switch (kind) {
    case 'f':
      return number.toFixed(precision ?? 6);
    case 'e':
    case 'E':
      return number.toExponential(precision ?? 6);
    case 'g':
      return String(Number(number.toPrecision(precision ?? 6)));
    case 'x':
      return Math.trunc(number).toString(16);
    case 'X':
      return Math.trunc(number).toString(16).toUpperCase();
    case 'o':
      return Math.trunc(number).toString(8);
    default:
      return String(Math.trunc(number));
  }
}

function pad(text: string, width: number, flags: string): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0')) return text.padStart(width);
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}
