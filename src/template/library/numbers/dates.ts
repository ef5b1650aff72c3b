import { asText } from '../../runtime/text.js';
import { NotKnownYet } from '../../runtime/errors.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { strftime } from '../../../python/strftime.js';
import { strptime } from '../../../python/strptime.js';

/**
 * Dates are text in ISO 8601 or seconds since 1970. There is no date type, so the difference of two `to_datetime`
 * values is a number of seconds.
 */
export const dates = {
  /** The present moment: ISO 8601, or in the given format. */
  now: helper('utc?, fmt?', (args) => {
    const epoch = presentSecond(args);
    if (args.optional(1) !== undefined) return strftime(args.text(1), epoch, args.flag(0));
    return args.flag(0) ? new Date(epoch * 1000).toISOString() : strftime('%Y-%m-%dT%H:%M:%S%z', epoch, false);
  }),
  /** As in Ansible, the filter applies to the format: `"%Y" | strftime(second)`. */
  strftime: helper('format, second?, utc?', (args) => {
    const second = args.optional(1);
    const given = second !== undefined && second !== null;
    return strftime(args.text(0), given ? args.number(1) : presentSecond(args), args.flag(2));
  }),
  /** `format_date(date, "%d.%m.%Y")`: a date in ISO 8601 or seconds since 1970. */
  format_date: helper('date, format, utc?', (args) => strftime(args.text(1), moment(args), args.flag(2))),
  /** Seconds since 1970; a date without a zone is local time. */
  to_datetime: helper('text, format?', (args) => {
    const format = args.text(1, '%Y-%m-%d %H:%M:%S');
    const read = strptime(args.text(0), format);
    if (read === undefined) throw args.error(`"${args.text(0)}" is not in the format "${format}"`);
    return read;
  }),
} satisfies Family;

/** Before a run, the time of the run is unknown. */
function presentSecond({ invoke }: Arguments): number {
  if (invoke.preview !== undefined) throw new NotKnownYet('the time');
  return Date.now() / 1000;
}

function moment(args: Arguments): number {
  const value = args.value(0);
  if (typeof value === 'number') return value;
  const text = asText(value).trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const read = Date.parse(text);
  if (Number.isNaN(read)) throw args.error(`"${text}" is not a date`, 'write it in ISO 8601: 2024-05-01T12:00:00Z');
  return read / 1000;
}
