import { expect } from 'chai';
import { brokenRows, reflows, ScreenSize } from '../../../src/reporting/reporters/live_area.js';

describe('the size of a screen', () => {
  it('is stable again when it has not changed for longer than tmux delays a change', () => {
    let size = '80 24';
    const screen = new ScreenSize(() => size);
    expect(screen.isSteady(0)).to.equal(true);
    size = '60 24';
    expect(screen.isSteady(250)).to.equal(false);
    expect(screen.isSteady(500)).to.equal(false);
    // What tmux reports 250 ms later.
    size = '200 24';
    expect(screen.isSteady(510)).to.equal(false);
    expect(screen.isSteady(760)).to.equal(false);
    expect(screen.isSteady(910)).to.equal(true);
    expect(screen.isSteady(911)).to.equal(true);
  });
});

describe('the live area of a terminal that became narrower', () => {
  it('knows how many additional rows its lines take', () => {
    const text = ['x'.repeat(98), '\u001b[2mfaint\u001b[22m', 'x'.repeat(40)].join('\n');
    expect(brokenRows(text, 100)).to.equal(0);
    expect(brokenRows(text, 99)).to.equal(1);
    expect(brokenRows(text, 42)).to.equal(2);
    expect(brokenRows(text, 20)).to.equal(4 + 2);
  });

  it('erases them only if the terminal wraps lines', () => {
    expect(reflows({ TERM: 'xterm-256color' })).to.equal(false);
    expect(reflows({ TERM: 'screen', TMUX: '/tmp/tmux-0/default,1,0' })).to.equal(true);
    expect(reflows({ TERM: 'xterm-256color', VTE_VERSION: '7006' })).to.equal(true);
    for (const program of ['iTerm.app', 'Apple_Terminal', 'vscode', 'WezTerm', 'ghostty', 'tmux'])
      expect(reflows({ TERM: 'xterm-256color', TERM_PROGRAM: program }), program).to.equal(true);
    for (const name of ['KITTY_WINDOW_ID', 'ALACRITTY_WINDOW_ID', 'WT_SESSION', 'KONSOLE_VERSION'])
      expect(reflows({ TERM: 'xterm-256color', [name]: '1' }), name).to.equal(true);
    expect(reflows({ TERM: 'xterm-256color', VTE_VERSION: '' })).to.equal(false);
    for (const term of ['tmux-256color', 'foot', 'alacritty', 'xterm-kitty', 'xterm-ghostty'])
      expect(reflows({ TERM: term }), term).to.equal(true);
    expect([reflows({ TERM: 'my-foot' }), reflows({ TERM_PROGRAM: 'other' }), reflows({})]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
});
