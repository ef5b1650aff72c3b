import { isNumeric, type WholeNumber } from '../../../core/model/values/json.js';
import { isList, isMapping, type Value } from '../../../core/model/values/value.js';
import { exponential, fixed, general, specialName } from '../../python/decimal.js';
import { representation, pythonEscape } from '../../python/representation.js';
import { MOST_ITEMS } from '../../runtime/arguments.js';
import { TemplateError } from '../../runtime/errors.js';
import { asString, describe, evaluateLazy, refuseOmit, step } from '../../runtime/result.js';

const SPECIFIER = /%(?:\(([^)]*)\))?([-+ 0#]*)(\d+|\*)?(?:\.(\d+|\*)?)?([hlL]?)([^]?)/g;
const HAS_PRECISION = /^%(?:\([^)]*\))?[-+ 0#]*(?:\d+|\*)?\./;

interface Specifier {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly kind: string;
}

/** Python's `"%s is %05.1f" % values`; `%(name)s` takes its value from `whole`, and a single specifier a list as a whole. */
export function formatText(format: string, items: readonly Value[], whole: Value): string {
  const values = isList(whole) && count(format) === 1 ? [whole] : items;
  let next = 0;
  const take = (): Value => {
    const value = values[next];
    if (value === undefined)
      throw new TemplateError(`the format "${format}" needs more values: it has ${values.length}`);
    next += 1;
    return value;
  };
  const text = format.replaceAll(SPECIFIER, (all: string, ...groups: readonly (string | undefined)[]) => {
    const [name, flags = '', width, precision, , kind = ''] = groups;
    if (kind === '%') return '%';
    if (kind === '') throw new TemplateError(`the format "${format}" ends in the middle of "${all}"`, DOUBLED);
    const wide = width === '*' ? starred(take()) : Number(width ?? 0);
    const places = precision === '*' ? starred(take()) : HAS_PRECISION.test(all) ? Number(precision ?? 0) : undefined;
    const value = name === undefined ? take() : named(format, name, whole);
    const specifier = { flags: wide < 0 ? `${flags}-` : flags, width: Math.abs(wide), precision: places, kind };
    return formatOne(value, bounded(specifier, all));
  });
  // Python ignores the unused items of a list, because it takes it for a mapping.
  if (next < values.length && !isMapping(whole) && (!isList(whole) || count(format) !== 0))
    throw new TemplateError(`the format "${format}" uses only ${next} of ${values.length} values`);
  return text;
}

const DOUBLED = { hint: 'write %% for a percent sign' };

function starred(value: Value): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new TemplateError(`* in a format needs a whole number, not ${describe(value)}`);
}

function named(format: string, name: string, whole: Value): Value {
  const value = step(whole, name);
  if (value === undefined) throw new TemplateError(`the format "${format}" needs a value "${name}"`);
  return value;
}

function bounded(specifier: Specifier, text: string): Specifier {
  if (Math.max(specifier.width, specifier.precision ?? 0) <= MOST_ITEMS) return specifier;
  throw new TemplateError(`"${text}" makes a text of more than ${MOST_ITEMS} characters`);
}

/** How many values the format takes. */
function count(format: string): number {
  const found = Array.from(format.matchAll(SPECIFIER), ([, , , width, precision, , kind]) =>
    kind === '%' ? 0 : [width, precision].filter((one) => one === '*').length + 1,
  );
  return found.reduce((total, one) => total + one, 0);
}

function formatOne(value: Value, specifier: Specifier): string {
  const { kind, precision } = specifier;
  if (kind === 'c') return pad(toCharacter(value), '', specifier);
  if (!/^[sra]$/.test(kind)) return formatNumber(requireNumber(value, kind), specifier);
  const text = kind === 's' ? asString(value) : inPython(value, kind === 'a');
  return pad(precision === undefined ? text : Array.from(text).slice(0, precision).join(''), '', specifier);
}

function toCharacter(value: Value): string {
  if (typeof value === 'string' && Array.from(value).length === 1) return value;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x10ffff)
    return String.fromCodePoint(value);
  throw new TemplateError(`%c needs one character or its number, not ${describe(value)}`);
}

function requireNumber(value: Value, kind: string): WholeNumber {
  if (!/^[diuoxXeEfFgG]$/.test(kind)) throw new TemplateError(`there is no format %${kind}`, DOUBLED);
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (!isNumeric(number))
    throw new TemplateError(`%${kind} needs a number, not ${describe(value)}`, { hint: 'write value | int' });
  if (/[oxX]/.test(kind) && typeof number === 'number' && !Number.isInteger(number))
    throw new TemplateError(`%${kind} needs a whole number, not ${describe(value)}`, { hint: 'write value | int' });
  if (/[diu]/.test(kind) && !Number.isFinite(Number(number)))
    throw new TemplateError(`%${kind} needs a finite number, not ${describe(value)}`);
  return number;
}

function formatNumber(number: WholeNumber, specifier: Specifier): string {
  const { kind, flags } = specifier;
  const text = /[diuoxX]/.test(kind)
    ? wholeNumber(number, specifier)
    : (specialName(Number(number)) ?? fraction(Number(number), specifier));
  const digits = text.replace(/^-/, '');
  const sign = text.startsWith('-') ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const prefix = flags.includes('#') && /[oxX]/.test(kind) ? `0${kind}` : '';
  const isUpper = /[XEFG]/.test(kind);
  return pad(isUpper ? digits.toUpperCase() : digits, sign + prefix, specifier, true);
}

const BASES: ReadonlyMap<string, number> = new Map(Object.entries({ o: 8, x: 16, X: 16 }));

function wholeNumber(number: WholeNumber, { kind, precision = 0 }: Specifier): string {
  const whole = typeof number === 'bigint' ? number : BigInt(Math.trunc(number));
  const digits = (whole < 0n ? -whole : whole).toString(BASES.get(kind) ?? 10);
  return (whole < 0n ? '-' : '') + digits.padStart(precision, '0');
}

function fraction(number: number, { kind, flags, precision = 6 }: Specifier): string {
  const isWhole = flags.includes('#');
  const text = written(number, kind.toLowerCase(), precision, isWhole);
  if (!isWhole || text.includes('.')) return text;
  return text.includes('e') ? text.replace('e', '.e') : `${text}.`;
}

function written(number: number, kind: string, precision: number, zeros: boolean): string {
  if (kind === 'f') return fixed(number, precision);
  return kind === 'e' ? exponential(number, precision) : general(number, precision, zeros);
}

function pad(text: string, before: string, { width, flags }: Specifier, isNumber = false): string {
  const space = Math.max(0, width - (before.length + Array.from(text).length));
  if (flags.includes('-')) return before + text + ' '.repeat(space);
  return isNumber && flags.includes('0') ? before + '0'.repeat(space) + text : ' '.repeat(space) + before + text;
}

/** As Python's `repr` and `ascii` write a value. */
function inPython(value: Value, isAscii: boolean): string {
  const text = representation(evaluateLazy(value, refuseOmit));
  return isAscii ? text.replaceAll(/[^\0-\x7f]/gu, pythonEscape) : text;
}
