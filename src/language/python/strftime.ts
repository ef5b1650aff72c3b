const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The parts of a moment in some time zone, read through the UTC methods of a shifted date. */
interface Moment {
  readonly date: Date;
  /** The zone's distance from UTC in minutes, eastwards. */
  readonly offset: number;
  /** Seconds since 1970. */
  readonly epoch: number;
  readonly zone: string;
}

type TimeField = (moment: Moment) => string;

const FIELDS: Readonly<Record<string, TimeField>> = {
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
  const plain = format.replaceAll(/%[-_]?([A-Za-z])/g, (whole, letter: string) => SHORTHANDS[letter] ?? whole);
  return plain.replaceAll(/%(-?)([A-Za-z%])/g, (whole, bare: string, letter: string) => {
    const field = FIELDS[letter];
    if (field === undefined) return whole;
    return bare ? field(moment).replace(/^[0 ]+(?=.)/, '') : field(moment);
  });
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
