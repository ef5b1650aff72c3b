import { RegularExpression } from '../../core/model/regular_expression/regular_expression.js';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The parts of a moment in some time zone, read through the UTC methods of a shifted date. */
interface Moment {
  readonly date: Date;
  /** The zone's distance from UTC in minutes, eastwards. */
  readonly offset: number;
  /** Seconds since 1970. */
  readonly epoch: number;
  readonly zone: string;
}

const FIELDS: Readonly<Record<string, (moment: Moment) => string>> = {
  Y: ({ date }) => String(date.getUTCFullYear()),
  y: ({ date }) => pad(date.getUTCFullYear() % 100),
  m: ({ date }) => pad(date.getUTCMonth() + 1),
  B: ({ date }) => MONTHS[date.getUTCMonth()] ?? '',
  b: ({ date }) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  d: ({ date }) => pad(date.getUTCDate()),
  e: ({ date }) => pad(date.getUTCDate(), 2, ' '),
  A: ({ date }) => DAYS[date.getUTCDay()] ?? '',
  a: ({ date }) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  w: ({ date }) => String(date.getUTCDay()),
  u: ({ date }) => String(date.getUTCDay() || 7),
  H: ({ date }) => pad(date.getUTCHours()),
  I: ({ date }) => pad(date.getUTCHours() % 12 || 12),
  M: ({ date }) => pad(date.getUTCMinutes()),
  S: ({ date }) => pad(date.getUTCSeconds()),
  f: ({ date }) => pad(date.getUTCMilliseconds(), 3) + '000',
  p: ({ date }) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  j: ({ date }) => pad(dayOfYear(date) + 1, 3),
  U: ({ date }) => pad(Math.floor((dayOfYear(date) + 7 - date.getUTCDay()) / 7)),
  W: ({ date }) => pad(Math.floor((dayOfYear(date) + 7 - ((date.getUTCDay() + 6) % 7)) / 7)),
  V: ({ date }) => pad(isoWeek(date).week),
  G: ({ date }) => String(isoWeek(date).year),
  s: ({ epoch }) => String(Math.floor(epoch)),
  z: ({ offset }) => `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60))}${pad(Math.abs(offset) % 60)}`,
  Z: ({ zone }) => zone,
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

const SHORTHANDS: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  c: '%a %b %e %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  h: '%b',
  r: '%I:%M:%S %p',
};

/** C's and Python's `strftime`, with English names. `epoch` in seconds; a letter that has no meaning stays as it is. */
export function strftime(format: string, epoch: number, utc: boolean): string {
  const moment = toMoment(epoch, utc);
  return expanded(format).replaceAll(/%(-?)([A-Za-z%])/g, (whole, bare: string, letter: string) => {
    const field = FIELDS[letter];
    if (field === undefined) return whole;
    return bare ? field(moment).replace(/^[0 ]+(?=.)/, '') : field(moment);
  });
}

function expanded(format: string): string {
  return format.replaceAll(/%[-_]?([A-Za-z%])/g, (whole, letter: string) => SHORTHANDS[letter] ?? whole);
}

function toMoment(epoch: number, utc: boolean): Moment {
  const real = new Date(epoch * 1000);
  const offset = utc ? 0 : -real.getTimezoneOffset();
  const zone =
    utc || offset === 0
      ? 'UTC'
      : (Intl.DateTimeFormat('en', { timeZoneName: 'short' })
          .formatToParts(real)
          .find(({ type }) => type === 'timeZoneName')?.value ?? '');
  return { date: new Date(real.getTime() + offset * 60_000), offset, epoch, zone };
}

function pad(value: number, width = 2, fill = '0'): string {
  return String(value).padStart(width, fill);
}

const DAY = 86_400_000;

/** From 0. */
function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY);
}

/** ISO 8601: weeks begin on Monday, and belong to the year that their Thursday is in. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY);
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}

const DAY_OF_MONTH = '3[01]|[12]\\d|0?[1-9]| [1-9]';

const SHAPES: Readonly<Record<string, string>> = {
  Y: '\\d{4}',
  y: '\\d{2}',
  m: '1[0-2]|0?[1-9]',
  d: DAY_OF_MONTH,
  e: DAY_OF_MONTH,
  H: '2[0-3]|[01]?\\d',
  I: '1[0-2]|0?[1-9]',
  M: '[0-5]?\\d',
  S: '[0-5]?\\d',
  f: '\\d{1,6}',
  j: '36[0-6]|3[0-5]\\d|[12]\\d\\d|0?[1-9]\\d|0{0,2}[1-9]',
  p: '[AaPp][Mm]',
  b: '[A-Za-z]{3}',
  B: '[A-Za-z]+',
  a: '[A-Za-z]{3}',
  A: '[A-Za-z]+',
  z: 'Z|[+-]\\d{2}:?\\d{2}',
  Z: 'UTC|GMT',
  s: '\\d+',
};

/**
 * Reads a date in a `strftime` format: seconds since 1970, in local time unless the format has `%z` or `%Z`; undefined if it does
 * not fit, or there is no such date. As in Python, blanks of the format stand for any number of them.
 */
export function strptime(text: string, format: string): number | undefined {
  const letters: string[] = [];
  const escaped = expanded(format)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s+`);
  const shape = escaped.replaceAll(/%([A-Za-z%])/g, (whole, letter: string) => {
    if (letter === '%' || !Object.hasOwn(SHAPES, letter)) return letter === '%' ? '%' : whole;
    letters.push(letter === 'e' ? 'd' : letter);
    return `(${SHAPES[letter] ?? ''})`;
  });
  const match = new RegularExpression(`^${shape}$`).first(text.trim());
  if (match === undefined) return undefined;
  return toEpoch(new Map(letters.map((letter, index) => [letter, match[index + 1] ?? ''])));
}

function toEpoch(fields: ReadonlyMap<string, string>): number | undefined {
  const seconds = fields.get('s');
  if (seconds !== undefined) return Number(seconds);
  const number = (letter: string, fallback: number): number => Number(fields.get(letter) ?? fallback);
  const day = fields.has('j') ? number('j', 1) : number('d', 1);
  const month = fields.has('j') ? 0 : readMonth(fields);
  const parts = [readYear(fields), month, day, readHour(fields), number('M', 0), number('S', 0)] as const;
  const fraction = Number(`0.${fields.get('f') ?? '0'}`);
  const zone = fields.get('z') ?? (fields.has('Z') ? 'Z' : undefined);
  const local = zone === undefined ? new Date(...parts).getTime() : Date.UTC(...parts) - parseOffset(zone);
  const exists = fields.has('j') || new Date(Date.UTC(...parts)).getUTCMonth() === month;
  return exists ? local / 1000 + fraction : undefined;
}

function readYear(fields: ReadonlyMap<string, string>): number {
  const short = fields.get('y');
  if (short === undefined) return Number(fields.get('Y') ?? 1900);
  return Number(short) + (Number(short) < 69 ? 2000 : 1900);
}

function readMonth(fields: ReadonlyMap<string, string>): number {
  const name = fields.get('b') ?? fields.get('B');
  if (name === undefined) return Number(fields.get('m') ?? 1) - 1;
  const start = name.slice(0, 3).toLowerCase();
  return MONTHS.findIndex((month) => month.toLowerCase().startsWith(start));
}

function readHour(fields: ReadonlyMap<string, string>): number {
  const twelve = fields.get('I');
  if (twelve === undefined) return Number(fields.get('H') ?? 0);
  return (Number(twelve) % 12) + (fields.get('p')?.toLowerCase() === 'pm' ? 12 : 0);
}

/** Milliseconds. */
function parseOffset(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
