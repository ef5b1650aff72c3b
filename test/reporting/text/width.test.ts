import { expect } from 'chai';
import {
  columnWidth,
  displayWidth,
  distinctNames,
  pad,
  resultText,
  truncate,
  wordLines,
  wrapped,
} from '../../../src/reporting/text/width.js';

describe('lines of at most so many columns', () => {
  const lines = [
    'short',
    '  a line that is broken between its words, and indented like its first',
    'x'.repeat(50),
    `before ${'y'.repeat(30)} after`,
    `${'漢字'.repeat(12)} wide`,
    `x${'😀'.repeat(12)}`,
  ];
  for (const line of lines)
    it(`have every character of ${line} once, and fill the columns`, () => {
      for (const columns of [8, 11, 20]) {
        const parts = wrapped(line, columns);
        for (const one of parts) expect(displayWidth(one), one).to.be.at.most(columns);
        expect(parts.join('').replaceAll(' ', '')).to.equal(line.replaceAll(' ', ''));
      }
    });

  it('are as long as they can be', () => {
    expect(wrapped('x'.repeat(20), 8)).to.deep.equal(['xxxxxxxx', '  xxxxxx', '  xxxxxx']);
    expect(wrapped('漢字漢字漢字', 8)).to.deep.equal(['漢字漢字', '  漢字']);
    expect(wrapped('  one two three', 8)).to.deep.equal(['  one', '    two', '    thre', '    e']);
  });

  it('are wider if only the indentation fits', () => {
    const tabs = '\t'.repeat(3);
    expect(wrapped(`${tabs}one two`, 16)).to.deep.equal([`${tabs}one`, '\ttwo']);
    for (const columns of [0, 1, 2]) expect(wrapped('a 漢字', columns).join('').replaceAll(' ', '')).to.equal('a漢字');
  });

  it('can be of words alone, however long', () => {
    expect(wordLines('one two  three\nfour', 8)).to.deep.equal(['one two', 'three', 'four']);
    expect(wordLines(`one ${'x'.repeat(12)} two`, 8)).to.deep.equal(['one', 'x'.repeat(12), 'two']);
  });
});

describe('text in a column', () => {
  for (const [text, columns, cut, padded] of [
    ['abc', -1, '', 'abc'],
    ['abc', 0, '', 'abc'],
    ['', 0, '', ''],
    ['abc', 1, '…', 'abc'],
    ['abc', 2, 'a…', 'abc'],
    ['abc', 3, 'abc', 'abc'],
    ['abc', 5, 'abc', 'abc  '],
    ['漢字漢', 5, '漢字…', '漢字漢'],
    ['漢字漢', 4, '漢…', '漢字漢'],
    ['漢', 4, '漢', '漢  '],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…', 'e\u0301e\u0301e\u0301'],
  ] as const)
    it(`is cut or padded: "${text}" in ${columns}`, () => {
      expect([truncate(text, columns), pad(text, columns)]).to.deep.equal([cut, padded]);
    });

  it('is cut so that names differ', () => {
    const names = ['lb-edge-in-madrid-1.example', 'lb-edge-in-madrid-2.example', 'lb3', '漢'.repeat(12)];
    expect(distinctNames(names.slice(0, 3), 16)).to.deep.equal(['…-madrid-1.exam…', '…-madrid-2.exam…', 'lb3']);
    expect(distinctNames(names, 40)).to.deep.equal(names);
    expect(distinctNames(names, 16).slice(2)).to.deep.equal(['lb3', '漢漢漢漢漢漢漢…']);
    expect(distinctNames(names.slice(0, 1), 16)).to.deep.equal(['lb-edge-in-madr…']);
    expect(distinctNames([], 16)).to.deep.equal([]);
    expect(distinctNames(['abcdefghij1', 'abcdefghij2'], 11)).to.deep.equal(['abcdefghij1', 'abcdefghij2']);
    const sites = ['one-of-alpha-site-1', 'two-of-bravo-site-1', 'one-of-alpha-site-2', 'two-of-bravo-site-2'];
    const cut = ['…ha-site-1', '…vo-site-1', '…ha-site-2', '…vo-site-2'];
    expect(distinctNames(sites, 12)).to.deep.equal(cut);
  });

  it('of a task and its result is cut in the task first, of which 20 columns or half stay', () => {
    const shown = (columns: number) => resultText('Create the cloud of the site', 'name is reserved already', columns);
    expect([3, 20, 30, 44, 54].map(shown)).to.deep.equal([
      '…: …',
      'Create th…: name is…',
      'Create the clo…: name is rese…',
      'Create the cloud of…: name is reserved alre…',
      'Create the cloud of the site: name is reserved already',
    ]);
  });

  it('is cut at what differs from the most similar name', () => {
    const sites = ['edge-fra', 'edge-ams'].flatMap((site) => [`${site}-controller-01`, `${site}-controller-02`]);
    expect(distinctNames(sites, 20)).to.deep.equal([
      'edge-fra-…troller-01',
      'edge-fra-…troller-02',
      'edge-ams-…troller-01',
      'edge-ams-…troller-02',
    ]);
    const roles = ['edge-controller-of-madrid', 'edge-controller-of-madrid-2', 'core-controller-of-madrid'];
    expect(distinctNames(roles, 20)).to.deep.equal(['…f-madrid', '…f-madrid-2', 'core-controller-of-…']);
  });

  it('is as wide as the widest, up to a limit', () => {
    expect(columnWidth([], 5)).to.equal(0);
    expect(columnWidth(['a', 'abc', 'ab'], 5)).to.equal(3);
    expect(columnWidth(['a', '漢字', 'abc'], 5)).to.equal(4);
    expect(columnWidth(['abc', '漢字', '漢字'], 5)).to.equal(4);
    expect([columnWidth(['abcde'], 5), columnWidth(['abcdef'], 5), columnWidth(['漢字漢', 'a'], 5)]).to.deep.equal([
      5, 5, 5,
    ]);
  });
});
