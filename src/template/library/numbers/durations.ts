import type { Value } from '../../../model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';

/** Times such as `1h 30m` as numbers, as in the collection `community.general`. */
export const durations = {
  to_time_unit: helper('text, unit?, **', (args) => inUnit(args, args.text(1, 'ms'))),
  to_milliseconds: helper('text, **', (args) => inUnit(args, 'ms')),
  to_seconds: helper('text, **', (args) => inUnit(args, 's')),
  to_minutes: helper('text, **', (args) => inUnit(args, 'm')),
  to_hours: helper('text, **', (args) => inUnit(args, 'h')),
  to_days: helper('text, **', (args) => inUnit(args, 'd')),
  to_weeks: helper('text, **', (args) => inUnit(args, 'w')),
  to_months: helper('text, **', (args) => inUnit(args, 'mo')),
  to_years: helper('text, **', (args) => inUnit(args, 'y')),
} satisfies Family;

const DAY = 24 * 60 * 60 * 1000;

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', DAY],
  ['w', 7 * DAY],
]);

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

function inUnit(args: Arguments, unit: string): Value {
  const text = args.text(0);
  if (text === '0' || text.trim() === '') return 0;
  const one = unitOf(args, unit);
  const total = text
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [, amount, name] = /^(-?\d+)(\w+)/.exec(part) ?? [];
      if (amount === undefined || name === undefined)
        throw args.error(`"${text}" is not a time`, 'write numbers with units, such as "1h 30m"');
      return Number(amount) * unitOf(args, name);
    })
    .reduce((sum, part) => sum + part, 0);
  return Number((total / one).toFixed(12));
}

/** In milliseconds. `month=` and `year=` set their lengths in days. */
function unitOf(args: Arguments, name: string): number {
  const unknown = [...args.named.keys()].find((option) => option !== 'month' && option !== 'year');
  if (unknown !== undefined) throw args.error(`there is no argument "${unknown}"`, 'there are month and year');
  const short = SHORT.get(name.replace(/s+$/, '')) ?? name;
  if (short === 'mo') return days(args, 'month', 30);
  if (short === 'y') return days(args, 'year', 365);
  const found = MILLISECONDS.get(short);
  if (found !== undefined) return found;
  throw args.error(`there is no unit "${name}"`, `it is one of ${[...MILLISECONDS.keys(), 'mo', 'y'].join(', ')}`);
}

function days(args: Arguments, option: string, usual: number): number {
  const value = args.named.get(option) ?? usual;
  if (typeof value === 'number' && value > 0) return value * DAY;
  throw args.error(`${option} must be a number of days`);
}
