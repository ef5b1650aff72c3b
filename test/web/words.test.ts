import { expect } from 'chai';
import { CELL_STATES, CONTROLLER_NAME, OUTCOMES, SHORT_NAME } from '../../src/reporting/page/format/page.js';
import {
  count,
  elapsed,
  GLYPHS,
  named,
  OUTCOME_GLYPHS,
  outcomeByCode,
  linePlace,
  slug,
  STATE_WORDS,
  stateByCode,
  time,
} from '../../src/web/data/words.js';

describe('the words of the page', () => {
  const seconds: readonly (readonly [number, string])[] = [
    [0, '0 ms'],
    [0.0994, '99 ms'],
    [0.0995, '0.1 s'],
    [9.94, '9.9 s'],
    [9.95, '10 s'],
    [59.4, '59 s'],
    [59.5, '1 min'],
    [125, '2 min 5 s'],
    [3599.4, '59 min 59 s'],
    [3600, '1 h'],
    [3660, '1 h 1 min'],
    [7380, '2 h 3 min'],
  ];
  for (const [number, text] of seconds)
    it(`are ${text} for ${number} seconds`, () => {
      expect(elapsed(number)).to.equal(text);
    });

  it('count with a plural, and group thousands', () => {
    expect([0, 1, 2, 10_000].map((number) => count(number, 'controller'))).to.deep.equal([
      '0 controllers',
      '1 controller',
      '2 controllers',
      '10,000 controllers',
    ]);
  });

  it('put the whole and the short name of a controller into a text, as often as they are in it', () => {
    const text = `${SHORT_NAME} is ${CONTROLLER_NAME}, ${CONTROLLER_NAME} is ${SHORT_NAME}`;
    expect(named(text, 'lb1.example.com')).to.equal('lb1 is lb1.example.com, lb1.example.com is lb1');
    expect(named(text, 'lb2')).to.equal('lb2 is lb2, lb2 is lb2');
    expect(named(text, 'lb$&$$.a')).to.equal('lb$&$$ is lb$&$$.a, lb$&$$.a is lb$&$$');
    expect(named('neither', 'lb2')).to.equal('neither');
  });

  it('name each state and outcome by its code, and an unknown one as none', () => {
    expect([...CELL_STATES.keys()].map(stateByCode)).to.deep.equal(CELL_STATES);
    expect([...OUTCOMES.keys()].map(outcomeByCode)).to.deep.equal(OUTCOMES);
    expect([stateByCode(undefined), stateByCode(99), outcomeByCode(undefined), outcomeByCode(99)]).to.deep.equal([
      'none',
      'none',
      'ok',
      'ok',
    ]);
    expect(slug('not cut off')).to.equal('not-cut-off');
    expect(linePlace({ file: 'p.yml', line: 3, column: 1 })).to.equal('p.yml:3');
  });

  it('have a character for each state and outcome, and words for each state', () => {
    expect(CELL_STATES.map((state) => [state, GLYPHS[state], STATE_WORDS[state]].join(' '))).to.deep.equal([
      'none  not run',
      'ok √ ok',
      'changed Δ changed',
      'skipped – skipped',
      'failed × failed',
      'unreachable ? unreachable',
      'interrupted = interrupted',
      'ignored ! failed, ignored',
      'rescued ↑ failed, rescued',
    ]);
    expect(OUTCOMES.map((outcome) => `${outcome} ${OUTCOME_GLYPHS[outcome]}`)).to.deep.equal([
      'ok √',
      'changed Δ',
      'failed ×',
      'unreachable ?',
      'cut off =',
      'not started ○',
      'running ►',
      'waiting …',
    ]);
  });

  it('show local time beside UTC', () => {
    const before = process.env['TZ'];
    const shown = (zone: string): string => {
      process.env['TZ'] = zone;
      return time('2026-11-20T18:50:22.700Z');
    };
    try {
      expect(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'].map(shown)).to.deep.equal([
        '2026-11-20 18:50:22 UTC',
        '2026-11-20 19:50:22 (18:50:22 UTC)',
        '2026-11-20 13:50:22 (18:50:22 UTC)',
        '2026-11-21 03:50:22 (2026-11-20 18:50:22 UTC)',
      ]);
      expect(time('soon')).to.equal('');
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});
