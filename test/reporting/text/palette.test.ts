import { expect } from 'chai';
import { createPalette, STATUS_COLOURS } from '../../../src/reporting/text/palette.js';

describe('the colours of a report', () => {
  it('say how something ended: well, badly, or not at all', () => {
    const green = ['ok', 'finished'];
    const red = ['failed', 'unreachable', 'stale'];
    const magenta = ['interrupted', 'cut off', 'not started', 'rescued', 'ignored'];
    const named = { good: green, changed: ['changed'], bad: red, warning: magenta, place: ['skipped', 'running'] };
    const expected = Object.entries(named).flatMap(([colour, words]) => words.map((word) => [word, colour]));
    expect(STATUS_COLOURS).to.deep.equal(Object.fromEntries(expected));
  });

  it('are those of the terminal, or none', () => {
    const codes = { good: 32, changed: 33, bad: 31, warning: 35, faint: 2, strong: 1, place: 36 };
    const [coloured, plain] = [createPalette(true), createPalette(false)];
    for (const name of Object.keys(codes) as (keyof typeof codes)[]) {
      expect(coloured[name]('a').split('a')[0], name).to.equal(`\u001b[${codes[name]}m`);
      expect(plain[name]('a'), name).to.equal('a');
    }
  });
});
