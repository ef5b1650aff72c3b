import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { displayWidth } from '../../../src/reporting/text/width.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';
import { scriptArgs } from '../../rig/script.js';
import { Terminal, type TerminalSize } from '../../rig/terminal.js';

const RUN = fileURLToPath(new URL('../../rig/live_run.ts', import.meta.url));

/** Without what changes from paint to paint: the spinner and the seconds. */
function steady(text: string): string {
  return text
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '*')
    .replaceAll(/(?<!slowest) {2}[\d.]+ s$/gm, '')
    .replaceAll(/[\d.]+ s\b/g, 'N s');
}

describe('the live output', () => {
  const terminals: Terminal[] = [];
  afterEach(async () => {
    await Promise.all(terminals.splice(0).map((terminal) => terminal.close()));
  });

  function show(scenario: 'few' | 'fleet', size: TerminalSize, verbosity = 0): Terminal {
    const terminal = new Terminal(process.execPath, [...scriptArgs(RUN), scenario, String(verbosity)], size);
    terminals.push(terminal);
    return terminal;
  }

  it('has a row for each of a few controllers, and keeps finished batches', async () => {
    const terminal = show('few', { columns: 80, rows: 24 });
    const wide = '雲'.repeat(12);
    expect(steady(await terminal.shows('· 雲'))).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml · simulated
* Roll out · N s
  ● lb1                        1/2 Create the cloud
  · lb2                        waiting
  · ${wide}…  waiting`);

    terminal.press('x');
    expect(steady(await terminal.shows(/✖ lb2.*\n.*雲.*waiting/))).to
      .equal(`evenkeel 0.1.0 · playbooks/rollout.yml · simulated
ok           lb1                               Say:
    hello
    world
warning: the clock of lb1 is wrong
* Roll out · N s
  ✔ lb1                        2 tasks, 1 changed
  ✖ lb2                        Create the cloud: answered 400 with many many…
  · ${wide}…  waiting`);

    terminal.press('x');
    expect(await terminal.exited).to.equal(0);
    expect(terminal.screen.cursorShown).to.equal(true);
    const lines = steady(terminal.screen.text).split('\n');
    expect(lines.slice(5, 9)).to.deep.equal([
      '✖ Roll out · 3 controllers, 1 changed, 1 failed · N s',
      `    failed       Create the cloud: answered 400 with ${'many '.repeat(5)}m…`,
      '    changed      Create the cloud: created cloud "edge" (lb1)',
      '',
    ]);
    expect(lines.at(-1)).to.equal('3 controllers · 1 ok · 1 changed · 1 failed · N s');
    expect(terminal.screen.text).to.not.match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏●]/);
  });

  it('has counters, a bar and an estimate for many controllers', async () => {
    const terminal = show('fleet', { columns: 100, rows: 30 });
    const begun = steady(await terminal.shows('lb0003'));
    expect(begun).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml
* Roll out · batch 1 of 2 · N s
  ${'░'.repeat(30)} 0 %  0 of 1,000 controllers
  0 ok · 0 changed · 20 active
  slowest  N s  lb0001  1/2 Create the cloud
  slowest  N s  lb0002  1/2 Create the cloud
  slowest  N s  lb0003  1/2 Create the cloud`);

    terminal.press('x');
    const half = steady(await terminal.shows('10 controllers'));
    expect(half.split('\n').slice(1)).to.deep.equal([
      '* Roll out · batch 1 of 2 · N s',
      `  ${'█'.repeat(7)}${'░'.repeat(23)} 25 %  250 of 1,000 controllers  about N s left`,
      '  0 ok · 240 changed · 10 failed · 0 active',
      '  ✖ 10 controllers  Configure: answered 400',
    ]);

    terminal.press('x');
    await terminal.shows('batch 2 of 2');
    terminal.press('x');
    expect(await terminal.exited).to.equal(0);
    expect(steady(terminal.screen.text)).to.include(`evenkeel 0.1.0 · playbooks/rollout.yml
✖ Roll out · batch 1 of 2 · 500 controllers, 240 changed, 10 failed · N s
    failed       10× Configure: answered 400
    changed      250× Create the cloud: created cloud "edge"
✔ Roll out · batch 2 of 2 · 500 controllers, nothing changed · N s

failed: answered 400`);
  });

  it('paints nothing while the terminal is being resized', async () => {
    const terminal = show('few', { columns: 80, rows: 24 });
    await terminal.shows('· 雲');
    const start = Date.now();
    terminal.resize({ columns: 60, rows: 24 });
    terminal.press('x');
    await terminal.shows(/✖ lb2/);
    // Whatever comes before is not shown before the size is steady.
    expect(Date.now() - start).to.be.at.least(400);
  });

  it('stays within a narrow and low terminal, also when it is resized', async () => {
    const terminal = show('fleet', { columns: 30, rows: 8 });
    await terminal.shows('0 changed · 20 ac…');
    terminal.resize({ columns: 24, rows: 6 });
    await terminal.shows(/0 changed.{1,3}…/);
    terminal.press('x');
    const text = await terminal.shows('25 %');
    const painted = text.split('\n').slice(1);
    expect(steady(painted[0] ?? '')).to.equal('* Roll out · N s');
    expect(painted.length).to.be.lessThan(6);
    for (const line of painted) expect(displayWidth(line), line).to.be.lessThan(24);
    terminal.press('x');
    await terminal.shows('50 %');
    terminal.press('x');
    expect(await terminal.exited).to.equal(0);
  });

  it('shows tasks above the rows with -v', async () => {
    const terminal = show('few', { columns: 100, rows: 24 }, 1);
    await terminal.shows('lb1  ');
    terminal.press('x');
    expect(await terminal.shows('✖ lb2')).to.include(
      '\nchanged      lb1                               Create the cloud: created cloud "edge"\n',
    );
    terminal.press('x');
    expect(await terminal.exited).to.equal(0);
  });

  it('updates the screen in one piece, also while it writes lines above the view', async () => {
    const terminal = show('few', { columns: 100, rows: 24 });
    await terminal.shows('· 雲');
    terminal.press('x');
    await terminal.shows('✖ lb2');
    terminal.press('x');
    expect(await terminal.exited).to.equal(0);
    const [outside = '', ...updates] = terminal.written.split('\u001b[?2026h');
    const parts = updates.map((update) => update.split('\u001b[?2026l'));
    expect(parts.every(({ length }) => length === 2)).to.equal(true);
    expect([outside, ...parts.map(([, after]) => after)].join('')).to.not.include('lb2');
  });

  it('leaves the handling of interrupts to the program', async () => {
    const terminal = show('few', { columns: 100, rows: 24 });
    await terminal.shows('· 雲');
    // The program reads keys, and this is one of them.
    terminal.interrupt();
    await terminal.shows('✖ lb2');
    terminal.press('x');
    expect(await terminal.exited).to.equal(0);
  });

  it('keeps the same lines without a terminal', async () => {
    const make = new EventMaker();
    const names = controllerNames(1);
    const events = [make.playStarted(names), make.batchStarted(names), make.batchFinished()];
    const { stdout } = await reported(events, { output: 'live' });
    expect(stdout).to.equal('✔ Roll out · 1 controller, nothing changed · 0.0 s\n');
  });
});
