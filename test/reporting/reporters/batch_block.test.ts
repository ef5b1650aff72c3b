import { expect } from 'chai';
import type { Event, PlayStarted } from '../../../src/core/model/run/event.js';
import { batchBlock } from '../../../src/reporting/reporters/batch_block.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');
const plain = createPalette(false);

describe('the lines of a finished batch', () => {
  const make = new EventMaker();
  const at = (line: number) => ({ task: `Task ${line}`, source: { file: 'p.yml', line, column: 3 } });
  const change = (mtu: number) =>
    ({ kind: 'update', object: 'cloud "a"', before: {}, after: { [`f${mtu}`]: 1 } }) as const;

  function block(
    names: readonly string[],
    events: readonly Event[],
    { batch = 1, batches = 1, columns = 100, plan = false, palette = plain, routes = {}, title = 'Site' } = {},
  ): readonly string[] {
    const progress = new PlayProgress(make.playStarted(names, { routes, play: title }) as PlayStarted);
    for (const event of [make.batchStarted(names, batch, batches), ...events]) progress.handle(event);
    return batchBlock(progress, { now: START + 5000, columns, palette, plan });
  }

  it('begin with a title that counts its controllers by outcome', () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6'];
    const finished = (name: string) => make.controllerFinished(name);
    expect(block(['lb1', 'lb2'], [])).to.deep.equal(['✔ Site · 2 controllers, nothing changed · 5.0 s']);
    const events = [
      make.taskFinished('lb1', 'changed', at(1)),
      make.taskFinished('lb2', 'failed', { ...at(1), message: 'no' }),
      make.taskFinished('lb3', 'unreachable', { ...at(1), message: 'away' }),
      ...['lb1', 'lb2', 'lb3', 'lb4'].map(finished),
      make.batchFinished(1, { unstarted: ['lb5'], cutOff: ['lb6'] }),
    ];
    expect(block(names, events, { batch: 2, batches: 3 })[0]).to.equal(
      '✖ Site · batch 2 of 3 · 6 controllers, 1 changed, 1 failed, 1 unreachable, 1 cut off, 1 not started · 5.0 s',
    );
    const stopped = (given: object) => block(['lb1'], [make.batchFinished(1, given)])[0]?.[0];
    expect([stopped({ unstarted: ['lb1'] }), stopped({ cutOff: ['lb1'] }), stopped({})]).to.deep.equal(['■', '■', '✔']);
    expect(block(['lb1'], [make.taskFinished('lb1', 'unreachable', at(1))])[0]?.[0]).to.equal('✖');
    expect(block(['lb1'], [], { title: 'x'.repeat(90), columns: 60 })[0]).to.equal(
      `✔ ${'x'.repeat(19)}… · 1 controller, nothing changed · 5.0 s`,
    );
    // One column less than there are: some terminals wrap a full line.
    expect(block(['lb1'], [], { title: 'x'.repeat(90), columns: 90 })[0]).to.have.length(89);
  });

  it('have failures first, with routes in place of names, and the names of what changed on a few', () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const events = [
      make.taskFinished('lb1', 'changed', at(1)),
      make.taskFinished('lb2', 'changed', at(1)),
      make.taskFinished('lb3', 'failed', { ...at(2), message: 'no' }),
      make.taskFinished('lb4', 'failed', { ...at(3), message: 'other', ignored: true }),
      make.taskFinished('lb4', 'unreachable', { ...at(4), message: 'away' }),
    ];
    expect(block(names, events, { routes: { paris: [2, 3] } }).slice(1)).to.deep.equal([
      '    failed       Task 2: no (via paris)',
      '    unreachable  Task 4: away (via paris)',
      '    ignored      Task 3: other (lb4 via paris)',
      '    changed      2× Task 1 (lb1, lb2)',
    ]);
    expect(block(names, events).slice(1)).to.deep.equal([
      '    failed       Task 2: no',
      '    unreachable  Task 4: away',
      '    ignored      Task 3: other (lb4)',
      '    changed      2× Task 1 (lb1, lb2)',
    ]);
    expect(block(names, events, { plan: true }).slice(1)).to.deep.equal(['    changed      2× Task 1 (lb1, lb2)']);
    expect(block(names, events.slice(2), { plan: true })).to.deep.equal([]);
    const many = controllerNames(6);
    expect(
      block(
        many,
        many.map((name) => make.taskFinished(name, 'changed', at(1))),
      )[1],
    ).to.equal('    changed      6× Task 1');
    expect(
      block(
        many,
        many.slice(1).map((name) => make.taskFinished(name, 'changed', at(1))),
      )[1],
    ).to.equal('    changed      5× Task 1 (lb02, lb03, lb04, lb05, lb06)');
  });

  it('have a second line for names that do not fit, and cut what is too long', () => {
    const event = make.taskFinished('lb1.example.com', 'changed', { ...at(1), message: 'm'.repeat(20) });
    const text = `Task 1: ${'m'.repeat(20)}`;
    const lines = (columns: number) => block(['lb1.example.com'], [event], { columns }).slice(1);
    expect(lines(17 + 46)).to.deep.equal([`    changed      ${text} (lb1.example.com)`]);
    expect(lines(17 + 45)).to.deep.equal([`    changed      ${text}`, `${' '.repeat(17)}lb1.example.com`]);
    expect(lines(17 + 22)).to.deep.equal([
      `    changed      ${text.slice(0, 21)}…`,
      `${' '.repeat(17)}lb1.example.com`,
    ]);
    // Not narrower than twenty columns.
    expect(lines(20)[0]).to.equal(`    changed      ${text.slice(0, 19)}…`);
  });

  it('have each of twelve changes, or one for each task with the most frequent, for twenty tasks', () => {
    const changed = (number: number, line: (n: number) => number) =>
      Array.from({ length: number }, (_, n) =>
        make.taskFinished(`lb${n}`, 'changed', { ...at(line(n)), change: change(n) }),
      );
    const names = controllerNames(3);
    expect(
      block(
        names,
        changed(12, () => 1),
      ),
    ).to.have.length(13);
    const twice = make.taskFinished('lbx', 'changed', { ...at(1), change: change(12) });
    expect(block(names, [...changed(13, () => 1), twice]).slice(1)).to.deep.equal([
      '    changed      14× Task 1: updated cloud "a": f12, and 12 other changes',
    ]);
    expect(
      block(
        names,
        changed(20, (n) => n + 1),
      ),
    ).to.have.length(21);
    expect(
      block(
        names,
        changed(22, (n) => n + 1),
      ).slice(20),
    ).to.deep.equal(['    changed      Task 20: updated cloud "a": f19 (lb19)', '    and changes of 2 other tasks']);
  });

  it('have colours by what happened', () => {
    const palette = createPalette(true);
    const lines = block(['lb1'], [make.taskFinished('lb1', 'failed', { ...at(1), message: 'no' })], { palette });
    expect(lines[0]).to.include(palette.bad('✖')).and.include(palette.strong('Site'));
    expect(lines[1]).to.include(palette.bad('failed     '));
    const stopped = block(['lb1'], [make.batchFinished(1, { cutOff: ['lb1'] })], { palette });
    expect(stopped[0]).to.include(palette.warning('■'));
  });
});
