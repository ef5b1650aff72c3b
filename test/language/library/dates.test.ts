import { expect } from 'chai';
import { evaluate } from '../../../src/language/render.js';
import { HERE, variables } from '../scopes.js';

const scope = variables({ made: '2024-02-29T23:05:09Z' });

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function value(expression: string): unknown {
  return evaluate(expression, scope, HERE);
}

describe('dates', () => {
  it('are formatted as strftime does', () => {
    expect(value('format_date(made, "%Y-%m-%d %H:%M:%S", utc=true)')).to.equal('2024-02-29 23:05:09');
    expect(value('made | format_date("%a %A %b %B %d %e %j %y", utc=true)')).to.equal(
      'Thu Thursday Feb February 29 29 060 24',
    );
    expect(value('made | format_date("%I:%M %p %u %w %V %G %s %z %Z %%", utc=true)')).to.equal(
      '11:05 PM 4 4 09 2024 1709247909 +0000 UTC %',
    );
    expect(value('made | format_date("%F %T %D %R %-d %-H", utc=true)')).to.equal(
      '2024-02-29 23:05:09 02/29/24 23:05 29 23',
    );
    expect(value('0 | format_date("%c", utc=true)')).to.equal('Thu Jan  1 00:00:00 1970');
    expect(value('"%Y" | strftime(0, utc=true)')).to.equal('1970');
    // The first of January 2024 was a Monday; day 31 × n is in month n.
    const days = [0, 1, 2, 3, 4, 5, 6].map((day) =>
      value(`"%A %a" | strftime(${1_704_067_200 + day * 86_400}, utc=true)`),
    );
    expect(days.join(' ')).to.equal(
      'Monday Mon Tuesday Tue Wednesday Wed Thursday Thu Friday Fri Saturday Sat Sunday Sun',
    );
    const names = MONTHS.map((_, at) => value(`"%B" | strftime(${1_704_067_200 + at * 31 * 86_400}, utc=true)`));
    expect(names).to.deep.equal(MONTHS);
  });

  it('stay in UTC if they end with Z', () => {
    const usual = process.env['TZ'];
    process.env['TZ'] = 'Asia/Kolkata';
    try {
      expect(value('made.strftime("%H:%M %z")')).to.equal('23:05 +0000');
      expect(value('now(utc=true).strftime("%z")')).to.equal('+0000');
      expect(value('now().strftime("%z")')).to.equal('+0530');
      expect(value('made | format_date("%H:%M", utc=false)')).to.equal('04:35');
    } finally {
      if (usual === undefined) delete process.env['TZ'];
      else process.env['TZ'] = usual;
    }
  });

  it('can be the present time', () => {
    const before = Math.floor(Date.now() / 1000);
    const now = value('now(utc=true) | format_date("%s") | int');
    expect(now).to.be.within(before, before + 60);
    expect(value('now(fmt="%Y")')).to.match(/^\d{4}$/);
    expect(value('now | length > 10')).to.equal(true);
    expect(value('now().strftime("%Y") == now(fmt="%Y")')).to.equal(true);
  });

  it('are converted to seconds, so that they can be compared and subtracted', () => {
    expect(value('("2024-03-01 00:00:00" | to_datetime) - ("2024-02-29 00:00:00" | to_datetime)')).to.equal(86_400);
    expect(
      value('"01.03.2024 12:30 +0200" | to_datetime("%d.%m.%Y %H:%M %z") | format_date("%F %T", utc=true)'),
    ).to.equal('2024-03-01 10:30:00');
    expect(value('"Mar 5 2024 1 PM Z" | to_datetime("%b %d %Y %I %p %z") | format_date("%F %H", utc=true)')).to.equal(
      '2024-03-05 13',
    );
    const hours = ['1 AM', '12 AM', '12 PM', '11 pm'].map((hour) =>
      value(`"2024-03-05 ${hour} Z" | to_datetime("%Y-%m-%d %I %p %z") | format_date("%H", utc=true)`),
    );
    expect(hours).to.deep.equal(['01', '00', '12', '23']);
    const read = MONTHS.map((name) =>
      value(`"1 ${name} 2024 Z" | to_datetime("%d %B %Y %z") | format_date("%m", utc=true) | int`),
    );
    expect(read).to.deep.equal(MONTHS.map((_, at) => at + 1));
  });

  it('are errors if they are invalid', () => {
    expect(() =>
      value('(("2024-03-01 00:00:00" | to_datetime) - ("2024-02-29 00:00:00" | to_datetime)).days'),
    ).to.throw('there is no "days" in the number 86400');
    expect(() => value('"soon" | format_date("%Y")')).to.throw('format_date: "soon" is not a date');
    expect(() => value('"soon" | to_datetime')).to.throw(
      'to_datetime: "soon" is not in the format "%Y-%m-%d %H:%M:%S"',
    );
    expect(() => value('"2024-13-01" | to_datetime("%Y-%m-%d")')).to.throw(
      'to_datetime: "2024-13-01" is not in the format "%Y-%m-%d"',
    );
  });
});
