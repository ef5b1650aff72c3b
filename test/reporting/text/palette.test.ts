import { expect } from 'chai';
import { STATUS_COLOURS } from '../../../src/reporting/text/palette.js';

describe('the colours of a report', () => {
  it('say how something ended: well, badly, or not at all', () => {
    const green = ['ok', 'finished'];
    const red = ['failed', 'unreachable', 'stale'];
    const magenta = ['interrupted', 'cut off', 'not started', 'rescued', 'ignored'];
    const named = { good: green, changed: ['changed'], bad: red, warning: magenta, place: ['skipped', 'running'] };
    const expected = Object.entries(named).flatMap(([colour, words]) => words.map((word) => [word, colour]));
    expect(STATUS_COLOURS).to.deep.equal(Object.fromEntries(expected));
  });
});
