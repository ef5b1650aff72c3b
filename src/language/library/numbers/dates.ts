import type { Value } from '../../../core/model/values/value.js';
import { fixed } from '../../python/decimal.js';
import { strftime, strptime } from '../../python/strftime.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { NotKnownYet } from '../../runtime/errors.js';
import { asText } from '../../runtime/result.js';

/**
 * Dates are text in ISO 8601 or seconds since 1970. There is no date type, so the difference of two `to_datetime`
 * values is a number of seconds.
 */
export const dates = {
  /** The present moment: ISO 8601, or in the given format. */
  now: callable('utc?, fmt?', (args) => {
    const epoch = presentSecond(args);
    if (args.value(1) !== null) return strftime(args.text(1), epoch, args.flag(0));
    return args.flag(0) ? new Date(epoch * 1000).toISOString() : strftime('%Y-%m-%dT%H:%M:%S%z', epoch, false);
  }),
  /** As in Ansible, the filter applies to the format: `"%Y" | strftime(second)`. */
  strftime: callable('format, second?, utc?', (args) => {
    const second = args.optional(1);
    const given = second !== undefined && second !== null;
    return strftime(args.text(0), given ? args.number(1) : presentSecond(args), args.flag(2));
  }),
  /** `format_date(date, "%d.%m.%Y")`: a date in ISO 8601, which stays in UTC if it ends with `Z`, or seconds since 1970. */
  format_date: callable('date, format, utc?', (args) => {
    const utc = args.optional(2) === undefined ? /Z\s*$/.test(asText(args.value(0))) : args.flag(2);
    return strftime(args.text(1), moment(args), utc);
  }),
  /** Seconds since 1970; a date without a zone is local time. */
  to_datetime: callable('text, format?', (args) => {
    const format = args.text(1, '%Y-%m-%d %H:%M:%S');
    const read = strptime(args.text(0), format);
    if (read === undefined) throw args.error(`"${args.text(0)}" is not in the format "${format}"`);
    return read;
  }),
} satisfies Family;

/** Before a run, the time of the run is unknown. */
function presentSecond({ invoke }: CallableArguments): number {
  if (invoke.preview !== undefined) throw new NotKnownYet('the time');
  return Date.now() / 1000;
}

function moment(args: CallableArguments): number {
  const value = args.value(0);
  if (typeof value === 'number') return value;
  const text = asText(value).trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const read = Date.parse(text);
  if (Number.isNaN(read)) throw args.error(`"${text}" is not a date`, 'write it in ISO 8601: 2024-05-01T12:00:00Z');
  return read / 1000;
}

/** Times such as `1h 30m` as numbers, as in the collection `community.general`. */
export const durations = {
  to_time_unit: callable('text, unit?, **', (args) => inUnit(args, args.text(1, 'ms'))),
  to_milliseconds: callable('text, **', (args) => inUnit(args, 'ms')),
  to_seconds: callable('text, **', (args) => inUnit(args, 's')),
  to_minutes: callable('text, **', (args) => inUnit(args, 'm')),
  to_hours: callable('text, **', (args) => inUnit(args, 'h')),
  to_days: callable('text, **', (args) => inUnit(args, 'd')),
  to_weeks: callable('text, **', (args) => inUnit(args, 'w')),
  to_months: callable('text, **', (args) => inUnit(args, 'mo')),
  to_years: callable('text, **', (args) => inUnit(args, 'y')),
} satisfies Family;

const DAY = 24 * 60 * 60 * 1000;

const MILLISECONDS = new Map(Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY, w: 7 * DAY }));

const SHORT: ReadonlyMap<string, string> = new Map([
  ['millisecond', 'ms'],
  ['msec', 'ms'],
  ['msecond', 'ms'],
  ['sec', 's'],
  ['second', 's'],
  ['hour', 'h'],
  ['min', 'm'],
  ['minute', 'm'],
  ['day', 'd'],
  ['week', 'w'],
  ['month', 'mo'],
  ['year', 'y'],
]);

function inUnit(args: CallableArguments, unit: string): Value {
  const text = args.plainText(0);
  if (text === '0' || text.trim() === '') return 0;
  const one = parseUnit(args, unit);
  const total = text
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [, amount, name] = /^(-?\d+)(\w+)/.exec(part) ?? [];
      if (amount === undefined || name === undefined)
        throw args.error(`"${text}" is not a time`, 'write numbers with units, such as "1h 30m"');
      return Number(amount) * parseUnit(args, name);
    })
    .reduce((sum, part) => sum + part, 0);
  return Number((total / one).toFixed(12));
}

/** In milliseconds. `month=` and `year=` set their lengths in days. */
function parseUnit(args: CallableArguments, name: string): number {
  const unknown = [...args.named.keys()].find((option) => option !== 'month' && option !== 'year');
  if (unknown !== undefined) throw args.error(`there is no argument "${unknown}"`, 'there are month and year');
  const short = SHORT.get(name.replace(/s+$/, '')) ?? name;
  if (short === 'mo') return days(args, 'month', 30);
  if (short === 'y') return days(args, 'year', 365);
  const found = MILLISECONDS.get(short);
  if (found !== undefined) return found;
  throw args.error(`there is no unit "${name}"`, `use one of ${[...MILLISECONDS.keys(), 'mo', 'y'].join(', ')}`);
}

function days(args: CallableArguments, option: string, usual: number): number {
  const value = args.named.get(option) ?? usual;
  if (typeof value === 'number' && value > 0) return value * DAY;
  throw args.error(`${option} must be a number of days`);
}

/** Amounts of data, for people and back. */
export const sizes = {
  /** `1536 | human_readable` is `1.50 KB`. */
  human_readable: callable('size, isbits?, unit?', readable),
  /** `"1.5 KB" | human_to_bytes` is 1536. */
  human_to_bytes: callable('text, default_unit?, isbits?', bytes),
  /** Jinja's: thousands (`kB`), or with `binary=true` 1024s (`KiB`). */
  filesizeformat: callable('size, binary?', fileSize),
} satisfies Family;

const LETTERS = 'BKMGTPEZY';

function readable(args: CallableArguments): Value {
  const size = args.value(0);
  if (typeof size !== 'number') throw args.error('a number is needed', 'write value | int');
  const wanted = args.value(2) === null ? '' : args.text(2).toUpperCase();
  const level = wanted === '' ? unitLevel(size, 1024) : Math.max(0, LETTERS.indexOf(wanted));
  const base = args.flag(1) ? 'bits' : 'Bytes';
  const suffix = level === 0 ? base : `${LETTERS.charAt(level)}${base.charAt(0)}`;
  return `${fixed(size / 1024 ** level, 2)} ${suffix}`;
}

function unitLevel(size: number, base: number): number {
  let level = 0;
  while (level < LETTERS.length - 1 && size >= base ** (level + 1)) level += 1;
  return level;
}

function bytes(args: CallableArguments): Value {
  const text = asText(args.value(0));
  const [, number = '', written] = /^\s*(\d*\.?\d*)\s*([A-Za-z]+)?/.exec(text) ?? [];
  if (number === '' || number === '.') throw args.error(`"${text}" does not begin with a number`);
  const unit = written ?? (args.value(1) === null ? 'B' : args.text(1));
  const level = LETTERS.indexOf(unit.charAt(0).toUpperCase());
  const bits = args.flag(2);
  if (level < 0 || !isUnit(unit, bits))
    throw args.error(`there is no unit "${unit}"`, `use one of ${bits ? 'Kb, Mb, Gb' : 'KB, MB, GB'}, …`);
  return Math.round(Number(number) * 1024 ** level);
}

function isUnit(unit: string, bits: boolean): boolean {
  return (
    unit.length === 1 || unit.toLowerCase().includes(bits ? 'bit' : 'byte') || unit.charAt(1) === (bits ? 'b' : 'B')
  );
}

function fileSize(args: CallableArguments): Value {
  const size = args.number(0);
  const binary = args.flag(1);
  const base = binary ? 1024 : 1000;
  if (size === 1) return '1 Byte';
  if (size < base) return `${Math.trunc(size)} Bytes`;
  const level = unitLevel(size, base);
  const letter = LETTERS.charAt(level);
  return `${fixed((base * size) / base ** (level + 1), 1)} ${binary ? `${letter}iB` : `${level === 1 ? 'k' : letter}B`}`;
}
