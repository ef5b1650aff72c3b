import { isList, type Value } from '../../model/value.js';
import { step } from '../access.js';
import { TemplateError } from '../errors.js';
import { asString, describe } from '../text.js';

const SPECIFIER = /%(?:%|(?:\((\w+)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?([sdifxXoeEgr]))/g;

/** Python's `"%s is %05.1f" % values`; `%(name)s` takes its value from `whole`, and a single specifier a list as a whole. */
export function formatText(format: string, items: readonly Value[], whole: Value): string {
  const values = items.length > 1 && isList(whole) && count(format) === 1 ? [whole] : items;
  let next = 0;
  return format.replaceAll(
    SPECIFIER,
    (
      all: string,
      name: string | undefined,
      flags: string,
      width: string,
      precision: string | undefined,
      kind: string,
    ) => {
      if (all === '%%') return '%';
      const value = name === undefined ? values[next] : step(whole, name);
      if (value === undefined) throw lacking(format, name, values.length);
      if (name === undefined) next += 1;
      return pad(formatOne(value, kind, precision, flags), Number(width), flags);
    },
  );
}

function count(format: string): number {
  return (format.match(SPECIFIER) ?? []).filter((one) => one !== '%%').length;
}

function lacking(format: string, name: string | undefined, given: number): TemplateError {
  const what = name === undefined ? `more than ${given} values` : `a value "${name}"`;
  return new TemplateError(`the format "${format}" needs ${what}`);
}

function formatOne(value: Value, kind: string, precision: string | undefined, flags: string): string {
  if (kind === 's' || kind === 'r')
    return asString(value).slice(0, precision === undefined ? undefined : Number(precision));
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
