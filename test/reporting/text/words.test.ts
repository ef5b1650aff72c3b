import { expect } from 'chai';
import fc from 'fast-check';
import { oneLine, plain } from '../../../src/reporting/text/plain.js';
import { displayPlace } from '../../../src/reporting/text/source_files.js';
import { columnWidth, displayWidth, pad, truncate } from '../../../src/reporting/text/width.js';
import { duration } from '../../../src/reporting/text/words.js';
import { anyText } from '../../rig/any_text.js';

describe('words', () => {
  it('show a duration', () => {
    expect([0, 0.04, 9.94, 9.96, 59.4, 60, 125, 3600, 3661, 7325].map(duration)).to.deep.equal([
      '0.0 s',
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '1 min',
      '2 min 5 s',
      '1 h',
      '1 h 1 min',
      '2 h 2 min',
    ]);
  });

  it('name files relative to the working directory', () => {
    const source = { line: 3, column: 5 };
    expect(displayPlace({ ...source, file: '/work/playbooks/a.yml' }, '/work')).to.equal('playbooks/a.yml:3:5');
    expect(displayPlace({ ...source, file: '/other/a.yml' }, '/work')).to.equal('/other/a.yml:3:5');
    expect(displayPlace({ ...source, file: '../a.yml' }, '/work')).to.equal('../a.yml:3:5');
  });
});

describe('width', () => {
  it('counts wide characters twice and cuts between characters', () => {
    expect(displayWidth('雲é👩‍👩‍👧')).to.equal(5);
    expect(truncate('雲雲雲', 5)).to.equal('雲雲…');
    expect(truncate('雲雲雲', 4)).to.equal('雲…');
    expect(truncate('abc', 3)).to.equal('abc');
    expect(truncate('abc', 0)).to.equal('');
    expect(pad('雲', 4)).to.equal('雲  ');
    expect(columnWidth(['a', '雲雲', 'abc'], 10)).to.equal(4);
    expect(columnWidth(['a'.repeat(20)], 10)).to.equal(10);
  });

  it('never makes a text wider than requested', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, columns) => {
        expect(displayWidth(truncate(plain(text), columns))).to.be.at.most(columns);
      }),
    );
  });
});

describe('plain text', () => {
  it('has no escape sequences, control characters or bidirectional overrides', () => {
    expect(
      plain('a\u001b[31mb\u001b[0m\u001b]8;;http://x\u0007c\u001b]8;;\u0007\u0000\u009b1md\u202ee\r\nf\tg'),
    ).to.equal('abcde\nf\tg');
    expect(oneLine(' a \r\n\t b\nc ')).to.equal('a b c');
  });

  it('contains nothing that a terminal interprets, for any input', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(plain(text)).to.not.match(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
