import { expect } from 'chai';
import { strftime, strptime } from '../../../src/language/python/strftime.js';

describe('a date as text, as Python writes it', () => {
  const FORMAT = '%Y %y %m %d %e %j|%a %A %b %B|%H %I %p %M %S|%w %u %U %W %V %G|%D %F %T %R %r %h|%-d %-m %-H %-I %-j';
  for (const [epoch, text] of [
    [
      0,
      '1970 70 01 01  1 001|Thu Thursday Jan January|00 12 AM 00 00|4 4 00 00 01 1970|01/01/70 1970-01-01 00:00:00 00:00 12:00:00 AM Jan|1 1 0 12 1',
    ],
    [
      951868799,
      '2000 00 02 29 29 060|Tue Tuesday Feb February|23 11 PM 59 59|2 2 09 09 09 2000|02/29/00 2000-02-29 23:59:59 23:59 11:59:59 PM Feb|29 2 23 11 60',
    ],
    [
      1704067200,
      '2024 24 01 01  1 001|Mon Monday Jan January|00 12 AM 00 00|1 1 00 01 01 2024|01/01/24 2024-01-01 00:00:00 00:00 12:00:00 AM Jan|1 1 0 12 1',
    ],
    [
      1735646400,
      '2024 24 12 31 31 366|Tue Tuesday Dec December|12 12 PM 00 00|2 2 52 53 01 2025|12/31/24 2024-12-31 12:00:00 12:00 12:00:00 PM Dec|31 12 12 12 366',
    ],
    [
      1609459200,
      '2021 21 01 01  1 001|Fri Friday Jan January|00 12 AM 00 00|5 5 00 00 53 2020|01/01/21 2021-01-01 00:00:00 00:00 12:00:00 AM Jan|1 1 0 12 1',
    ],
    [
      1230767999,
      '2008 08 12 31 31 366|Wed Wednesday Dec December|23 11 PM 59 59|3 3 52 52 01 2009|12/31/08 2008-12-31 23:59:59 23:59 11:59:59 PM Dec|31 12 23 11 366',
    ],
    [
      1483228799,
      '2016 16 12 31 31 366|Sat Saturday Dec December|23 11 PM 59 59|6 6 52 52 52 2016|12/31/16 2016-12-31 23:59:59 23:59 11:59:59 PM Dec|31 12 23 11 366',
    ],
    [
      1325379661,
      '2012 12 01 01  1 001|Sun Sunday Jan January|01 01 AM 01 01|0 7 01 00 52 2011|01/01/12 2012-01-01 01:01:01 01:01 01:01:01 AM Jan|1 1 1 1 1',
    ],
    [
      253402300799,
      '9999 99 12 31 31 365|Fri Friday Dec December|23 11 PM 59 59|5 5 52 52 52 9999|12/31/99 9999-12-31 23:59:59 23:59 11:59:59 PM Dec|31 12 23 11 365',
    ],
    [
      1388581200,
      '2014 14 01 01  1 001|Wed Wednesday Jan January|13 01 PM 00 00|3 3 00 00 01 2014|01/01/14 2014-01-01 13:00:00 13:00 01:00:00 PM Jan|1 1 13 1 1',
    ],
  ] as const)
    it(`is that of ${epoch}`, () => {
      expect(strftime(FORMAT, epoch, true)).to.equal(text);
    });

  it('has fractions, zones and blanks, and what has no meaning stays', () => {
    expect(strftime('%s %f|%z %Z|%n%t%%|%c|%x %X|%Q %-Q %_d', 1.25, true)).to.equal(
      '1 250000|+0000 UTC|\n\t%|Thu Jan  1 00:00:01 1970|01/01/70 00:00:01|%Q %-Q %_d',
    );
    expect(strftime('%s', -0.5, true)).to.equal('-1');
    expect(strftime('%-S %-M %-f', 0, true)).to.equal('0 0 0');
  });

  it('is in the zone of this machine unless it is in UTC', () => {
    const date = new Date(2024, 5, 15, 13, 14, 15);
    const epoch = date.getTime() / 1000;
    expect(strftime('%F %T', epoch, false)).to.equal('2024-06-15 13:14:15');
    const minutes = -date.getTimezoneOffset();
    const size = Math.abs(minutes);
    const shown = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`;
    expect(strftime('%z', epoch, false)).to.equal(shown);
    expect(strftime('%s', epoch, false)).to.equal(String(epoch));
  });
});

describe('the zone of this machine', () => {
  const usual = process.env['TZ'];
  const restore = (): void => {
    if (usual === undefined) delete process.env['TZ'];
    else process.env['TZ'] = usual;
  };
  for (const [zone, shown] of [
    ['Asia/Kolkata', '+0530 GMT+5:30 1970-01-01 05:30'],
    ['America/St_Johns', '-0330 GMT-3:30 1969-12-31 20:30'],
    ['UTC', '+0000 UTC 1970-01-01 00:00'],
  ] as const)
    it(`is shown: ${zone}`, () => {
      process.env['TZ'] = zone;
      try {
        expect(strftime('%z %Z %F %R', 0, false)).to.equal(shown);
        expect(strptime('1970-01-01 00:00', '%F %H:%M')).to.equal(new Date(1970, 0, 1).getTime() / 1000);
      } finally {
        restore();
      }
    });
});

describe('a text as a date, as Python reads it', () => {
  const utc = (...parts: readonly number[]): number => Date.UTC(parts[0] ?? 0, ...parts.slice(1)) / 1000;
  for (const [text, format, epoch] of [
    ['2024-02-29T12:34:56Z', '%Y-%m-%dT%H:%M:%S%z', utc(2024, 1, 29, 12, 34, 56)],
    ['2024-02-29 12:34:56 +0130', '%F %T %z', utc(2024, 1, 29, 11, 4, 56)],
    ['2024-02-29 12:34:56 -01:30', '%F %T %z', utc(2024, 1, 29, 14, 4, 56)],
    ['1 Mar 69 12:00 AM +0000', '%d %b %y %I:%M %p %z', utc(1969, 2, 1, 0, 0)],
    ['1 mar 68 12:00 pm +0000', '%d %b %y %I:%M %p %z', utc(2068, 2, 1, 12, 0)],
    ['December 31 2023 11:00 PM Z', '%B %d %Y %I:%M %p %z', utc(2023, 11, 31, 23, 0)],
    ['060 2024 Z', '%j %Y %z', utc(2024, 1, 29)],
    ['5 Z', '%H %z', utc(1900, 0, 1, 5)],
    ['1.5 Z', '%S.%f %z', utc(1900, 0, 1, 0, 0, 1) + 0.5],
    ['1.000001 Z', '%S.%f %z', utc(1900, 0, 1, 0, 0, 1) + 0.000001],
    ['1700000000', '%s', 1_700_000_000],
    [' 2024 (x) Z ', '%Y (x) %z', utc(2024)],
    ['100% Z', '%M0%% %z', utc(1900, 0, 1, 0, 10)],
    ['10% Z', '%M%% %z', utc(1900, 0, 1, 0, 10)],
    ['Nov  5 20:00:00 2026 GMT', '%b %d %H:%M:%S %Y %Z', utc(2026, 10, 5, 20)],
    ['Thu Nov  5 20:00:00 2026 UTC', '%c %Z', utc(2026, 10, 5, 20)],
    ['2026-02-30 Z', '%F %z', undefined],
    ['13 PM Z', '%I %p %z', undefined],
    ['2024%F Z', '%Y%%F %z', utc(2024)],
    ['2024', '%Y-%m', undefined],
    ['24 Foo Z', '%y %b %z', undefined],
    ['2024-13 Z', '%Y-%m %z', undefined],
    ['2024-00 Z', '%Y-%m %z', undefined],
    ['x%Q', 'x%Q', new Date(1900, 0, 1).getTime() / 1000],
  ] as const)
    it(`is ${epoch ?? 'nothing'} for ${text} with ${format}`, () => {
      expect(strptime(text, format)).to.equal(epoch);
    });

  it('is in the zone of this machine without one', () => {
    expect(strptime('2024-06-15 13:14:15', '%Y-%m-%d %H:%M:%S')).to.equal(
      new Date(2024, 5, 15, 13, 14, 15).getTime() / 1000,
    );
    expect(strptime('Sat Saturday 15', '%a %A %d')).to.equal(new Date(1900, 0, 15).getTime() / 1000);
  });
});
