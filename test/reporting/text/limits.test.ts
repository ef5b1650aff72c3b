import { expect } from 'chai';
import type { Warning } from '../../../src/core/model/run/event.js';
import { shorten, shownStart, withShortTexts } from '../../../src/reporting/text/shorten.js';
import { WarningLog } from '../../../src/reporting/text/warnings.js';
import { tableLines, truncate, wordLines, wrapped } from '../../../src/reporting/text/width.js';
import {
  compareNames,
  duration,
  grouped,
  sortNames,
  nameControllers,
  nameSome,
} from '../../../src/reporting/text/words.js';
import { entryLines, yamlLines } from '../../../src/reporting/text/yaml_text.js';
import { EventMaker } from '../../rig/events.js';

const CUT = '… (cut here: -o json shows all)';

describe('texts at their limits', () => {
  it('are shortened if they are longer, but not within a character', () => {
    expect(shorten('abcd', 4)).to.equal('abcd');
    expect(shorten('abcde', 4)).to.equal(`abcd${CUT}`);
    expect(shorten('abc😀e', 4, 'more')).to.equal('abc… (more)');
    expect(shorten('abc😀e', 5, 'more')).to.equal('abc😀… (more)');
  });

  it('are kept up to 8,000 characters, and shown up to 2,000', () => {
    const shown = (length: number) => shownStart('x'.repeat(length)).replace(CUT, '');
    expect([2000, 2001, 7999, 8000, 9000].map((length) => shown(length).length)).to.deep.equal([
      2000, 2000, 2000, 2000, 2000,
    ]);
    expect(shownStart('x'.repeat(2000))).not.to.include(CUT);
    expect(shownStart('x'.repeat(8000), () => 'y'.repeat(6500))).to.equal(`${'y'.repeat(500)}${CUT}`);
    expect(shownStart('x'.repeat(8000), () => 'y'.repeat(5000))).to.equal(CUT);
    expect(shownStart('x'.repeat(7999), () => 'y'.repeat(1500))).to.equal('y'.repeat(1500));
  });

  it('of events are cut, but those of debug much later', () => {
    const make = new EventMaker();
    const kept = (length: number, given = {}) => {
      const event = withShortTexts(make.taskFinished('lb1', 'ok', { message: 'x'.repeat(length), ...given }));
      return event.type === 'task-finished' ? event.message : undefined;
    };
    expect(kept(8000)).to.have.length(8000);
    expect(kept(8001)).to.equal('x'.repeat(8000));
    expect(kept(65_536, { spoken: true })).to.have.length(65_536);
    expect(kept(65_537, { spoken: true })).to.equal('x'.repeat(65_536) + CUT);
    const body = make.request('lb1', { requestBody: 'x'.repeat(9000) });
    expect(withShortTexts(body)).to.equal(body);
  });

  it('warn of the first three of equal things, and count the others', () => {
    const make = new EventMaker();
    const log = new WarningLog();
    const take = (controller: string, message: string) =>
      log.take(make.warning(message, { controller }) as Warning, '/');
    const texts = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'].map((name) => take(name, `${name} is old`));
    expect(texts).to.deep.equal(['lb1: lb1 is old', 'lb2: lb2 is old', 'lb3: lb3 is old', undefined, undefined]);
    for (const name of ['lb1', 'lb2', 'lb3']) take(name, 'other');
    const placed = (line: number) => ({ ...make.warning('other'), source: { file: '/a/b.yml', line, column: 3 } });
    expect([7, 7, 7, 7, 8].map((line) => log.take(placed(line) as Warning, '/a'))).to.deep.equal([
      'other (b.yml:7:3)',
      'other (b.yml:7:3)',
      'other (b.yml:7:3)',
      undefined,
      'other (b.yml:8:3)',
    ]);
    expect(log.rest()).to.deep.equal(['2 more warnings like: lb1 is old', '1 more warning like: other']);
  });
});

describe('words at their limits', () => {
  it('name as many as fit, and one at least', () => {
    expect(nameSome(['aa', 'bb', 'cc'], 3, 8)).to.equal('aa, bb and 1 more');
    expect(nameSome(['aa', 'bb', 'cc'], 3, 12)).to.equal('aa, bb, cc');
    expect(nameSome(['aa', 'bb', 'cc'], 3, 11)).to.equal('aa, bb and 1 more');
    expect(nameSome(['a'.repeat(50)], 3, 8)).to.equal('a'.repeat(50));
    expect(nameSome([], 3)).to.equal('');
    expect(nameControllers(['aa'], 1)).to.equal('aa');
    expect(nameControllers(['aa', 'bb'], 1)).to.equal('2 controllers: aa and 1 more');
  });

  it('round durations', () => {
    expect([-1, 9.949, 9.95, 59.49, 59.5, 119.5, 3599.4, 3599.5, 7199].map(duration)).to.deep.equal([
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '1 min',
      '2 min',
      '59 min 59 s',
      '1 h',
      '1 h 59 min',
    ]);
    expect([0, 100, 1000, 100_000, 1_000_000].map(grouped)).to.deep.equal([
      '0',
      '100',
      '1,000',
      '100,000',
      '1,000,000',
    ]);
  });

  it('are sorted as people count', () => {
    expect(sortNames(['lb10', 'lb2', 'lb1'])).to.deep.equal(['lb1', 'lb2', 'lb10']);
    expect(compareNames('lb2', 'lb10')).to.be.below(0);
  });

  it('are in columns, which a longer cell does not widen', () => {
    const rows = [
      ['a', 'bbb', 'c'],
      ['aaaa', 'b', ''],
    ];
    expect(tableLines(rows)).to.deep.equal(['a     bbb  c', 'aaaa  b']);
    expect(tableLines(rows, '  ', 2)).to.deep.equal(['  a   bbb  c', '  aaaa  b']);
    expect(tableLines([])).to.deep.equal([]);
    expect(
      tableLines([
        ['漢字', 'a'],
        ['b', 'c'],
      ]),
    ).to.deep.equal(['漢字  a', 'b     c']);
  });

  it('are cut and wrapped at the last column that fits', () => {
    expect([3, 4, 5].map((columns) => truncate('abcde', columns))).to.deep.equal(['ab…', 'abc…', 'abcde']);
    expect(wrapped('abc def', 7)).to.deep.equal(['abc def']);
    expect(wrapped('abc def', 6)).to.deep.equal(['abc', '  def']);
    expect(wrapped('\u001b[1mabcdefgh\u001b[0m', 4)).to.deep.equal(['\u001b[1mabcdefgh\u001b[0m']);
    expect(wrapped('    abcdef', 6)).to.deep.equal(['    ab', '   cde', '   f']);
    expect(wordLines('abc def', 7)).to.deep.equal(['abc def']);
    expect(wordLines('abc def', 6)).to.deep.equal(['abc', 'def']);
    expect(wordLines('abc\ndef', 80)).to.deep.equal(['abc def']);
  });
});

describe('a value as YAML for people', () => {
  it('has an element a line, and quotes what reads as something else', () => {
    const value = {
      list: [1, [2, 3], { a: null, b: true }],
      none: [],
      empty: {},
      text: 'a b',
      number: '12',
      word: 'yes',
      colon: 'a: b',
      end: 'a:',
      comment: 'a #b',
      blank: '',
      space: 'a ',
      dash: '- a',
      nothing: 'null',
      float: 1.5,
      lines: 'a\nb',
      closed: 'a\nb\n',
      starred: '******: a',
      masked: '********: a',
      gap: 'a\n\n b',
      'key name': 'x',
      'two\nlines': { 'a\n::b': 1 },
    };
    expect([...yamlLines(value)]).to.deep.equal([
      'list:',
      '  - 1',
      '  - - 2',
      '    - 3',
      '  - a: null',
      '    b: true',
      'none: []',
      'empty: {}',
      'text: a b',
      'number: "12"',
      'word: "yes"',
      'colon: "a: b"',
      'end: "a:"',
      'comment: "a #b"',
      'blank: ""',
      'space: "a "',
      'dash: "- a"',
      'nothing: "null"',
      'float: 1.5',
      'lines: |-',
      '  a',
      '  b',
      'closed: |',
      '  a',
      '  b',
      'starred: "******: a"',
      'masked: ********: a',
      'gap: |-',
      '  a',
      '',
      '   b',
      'key name: x',
      String.raw`"two\nlines":`,
      String.raw`  "a\n::b": 1`,
    ]);
    expect([...yamlLines([])]).to.deep.equal(['[]']);
    expect([...yamlLines('a')]).to.deep.equal(['a']);
    expect([...entryLines('a', [[]])]).to.deep.equal(['a:', '  - []']);
    const [line = ''] = yamlLines('x'.repeat(10_001));
    expect([[...yamlLines('x'.repeat(10_000))], line]).to.deep.equal([
      ['x'.repeat(10_000)],
      `${'x'.repeat(10_000)}${CUT}`.replace(/^.*$/, (text) => (text.includes(': ') ? JSON.stringify(text) : text)),
    ]);
  });
});
