import { expect } from 'chai';
import { brokenRows, reflows } from '../../../src/report/reporters/live_area.js';

describe('the live area of a terminal that became narrower', () => {
  it('knows how many rows more its lines take', () => {
    const text = ['x'.repeat(98), '\u001b[2mfaint\u001b[22m', 'x'.repeat(40)].join('\n');
    expect(brokenRows(text, 100)).to.equal(0);
    expect(brokenRows(text, 99)).to.equal(1);
    expect(brokenRows(text, 42)).to.equal(2);
    expect(brokenRows(text, 20)).to.equal(4 + 2);
  });

  it('erases them only where the terminal breaks lines', () => {
    expect(reflows({ TERM: 'xterm-256color' })).to.equal(false);
    expect(reflows({ TERM: 'screen', TMUX: '/tmp/tmux-0/default,1,0' })).to.equal(true);
    expect(reflows({ TERM: 'xterm-256color', VTE_VERSION: '7006' })).to.equal(true);
    expect(reflows({ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' })).to.equal(true);
    expect(reflows({ TERM: 'foot' })).to.equal(true);
  });
});
