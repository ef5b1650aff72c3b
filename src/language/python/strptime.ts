import { RegularExpression } from '../../core/model/regular_expression/regular_expression.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const SHAPES: Readonly<Record<string, string>> = {
  Y: '\\d{4}',
  y: '\\d{2}',
  m: '\\d{1,2}',
  d: '\\d{1,2}',
  H: '\\d{1,2}',
  I: '\\d{1,2}',
  M: '\\d{1,2}',
  S: '\\d{1,2}',
  f: '\\d{1,6}',
  j: '\\d{1,3}',
  p: '[AaPp][Mm]',
  b: '[A-Za-z]{3}',
  B: '[A-Za-z]+',
  a: '[A-Za-z]{3}',
  A: '[A-Za-z]+',
  z: 'Z|[+-]\\d{2}:?\\d{2}',
  s: '\\d+',
};

/** Reads a date in a `strftime` format: seconds since 1970, in local time unless the format has `%z`; undefined if it does not fit. */
export function strptime(text: string, format: string): number | undefined {
  const letters: string[] = [];
  const expanded = format.replaceAll('%F', '%Y-%m-%d').replaceAll('%T', '%H:%M:%S');
  const escaped = expanded.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const shape = escaped.replaceAll(/%([A-Za-z%])/g, (whole, letter: string) => {
    if (letter === '%' || !Object.hasOwn(SHAPES, letter)) return letter === '%' ? '%' : whole;
    letters.push(letter);
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
  const zone = fields.get('z');
  const local = zone === undefined ? new Date(...parts).getTime() : Date.UTC(...parts) - parseOffset(zone);
  return month < 0 || month > 11 ? undefined : local / 1000 + fraction;
}

function readYear(fields: ReadonlyMap<string, string>): number {
  const short = fields.get('y');
  if (short === undefined) return Number(fields.get('Y') ?? 1900);
  return Number(short) + (Number(short) < 69 ? 2000 : 1900);
}

function readMonth(fields: ReadonlyMap<string, string>): number {
  const name = fields.get('b') ?? fields.get('B');
  return name === undefined ? Number(fields.get('m') ?? 1) - 1 : MONTHS.indexOf(name.slice(0, 3).toLowerCase());
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
