import { expect } from 'chai';
import type { PlayStarted } from '../../../src/core/model/run/event.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { displayWidth } from '../../../src/reporting/text/width.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');
const LONG = 'The name of the cloud is free on this controller';

function screen(columns: number, seconds: number) {
  return { columns, rows: 30, now: START + seconds * 1000, palette: createPalette(false) };
}

describe('the live view', () => {
  it('estimates the remaining time of the run, not of its first play', () => {
    const make = new EventMaker();
    const names = controllerNames(20);
    const started = make.playStarted(names, { number: 1, plays: 2, later: 120 }) as PlayStarted;
    const first = new PlayProgress(started);
    const finish = (progress: PlayProgress, some: readonly string[]): void => {
      for (const name of some) progress.handle(make.controllerFinished(name));
    };
    first.handle(make.batchStarted(names));
    finish(first, names.slice(0, 10));
    // 20 of 160 tasks in 10 seconds.
    expect(liveLines(first, screen(100, 10))[1]).to.match(/ 50 % {2}10 of 20 controllers {2}about 1 min 10 s left$/);
    finish(first, names);
    const second = new PlayProgress(
      make.pass(20).playStarted(names, { number: 2, plays: 2, tasks: 6 }) as PlayStarted,
      first,
    );
    second.handle(make.batchStarted(names));
    finish(second, names.slice(0, 10));
    // 100 of 160 tasks in 50 seconds.
    expect(liveLines(second, screen(100, 50))[1]).to.match(/ 50 % {2}10 of 20 controllers {2}about 30 s left$/);
    expect(liveLines(second, screen(55, 50))[1]).to.equal('50 %  10 of 20 controllers  about 30 s left');
  });

  it('counts each planned task that ended, and no others', () => {
    const make = new EventMaker();
    const names = controllerNames(20);
    const progress = new PlayProgress(make.playStarted(names) as PlayStarted);
    progress.handle(make.batchStarted(names));
    const shown = (some: readonly string[]): string | undefined => {
      for (const name of some) progress.handle(make.taskFinished(name, 'ok'));
      return /\d+ %/.exec(liveLines(progress, screen(100, 10))[1] ?? '')?.[0];
    };
    // Two are planned; the third of the first ten is included.
    const [ten, others] = [names.slice(0, 10), names.slice(10)];
    expect([ten, others, ten, ten, others].map(shown)).to.deep.equal(['25 %', '50 %', '75 %', '75 %', '100 %']);
  });

  it('counts down how long a task waits', () => {
    const make = new EventMaker();
    const progress = new PlayProgress(make.playStarted(['lb1']) as PlayStarted);
    for (const event of [make.batchStarted(['lb1']), make.taskStarted('lb1')]) progress.handle(event);
    progress.handle(make.taskProgressed('lb1', 'waiting for a write to cloud "edge" from before to settle', 40));
    const at = (seconds: number) => liveLines(progress, screen(115, seconds))[1];
    const waiting = 'waiting for a write to cloud "edge" from before to settle';
    expect(at(10)).to.equal(`● lb1  1/2 Create the cloud  10 s  ${waiting}, 30 s`);
    expect(at(38)).to.equal(`● lb1  1/2 Create the cloud  38 s  ${waiting}, 2 s`);
    expect(at(40)).to.equal('● lb1  1/2 Create the cloud  40 s');
  });

  for (const columns of [55, 75, 195])
    it(`shows equal failures once, and shortens the task's name before the cause, in ${columns} columns`, () => {
      const make = new EventMaker();
      const names = controllerNames(20).map((name) => `${name}.fra.example.com`);
      const progress = new PlayProgress(make.playStarted(names) as PlayStarted);
      progress.handle(make.batchStarted(names));
      for (const name of names.slice(0, 3)) {
        const message = `POST /api/cloud/: the controller answered 400: ${name} is reserved`;
        progress.handle(make.taskFinished(name, 'failed', { task: LONG, message }));
      }
      progress.handle(make.taskFinished(names[5] ?? '', 'unreachable', { task: LONG, message: 'no connection' }));
      const lines = liveLines(progress, screen(columns, 10));
      for (const line of lines) expect(displayWidth(line), line).to.be.at.most(columns);
      const troubles = lines.filter((line) => line.startsWith('✖'));
      expect(troubles).to.have.length(2);
      expect(troubles[0]).to.match(/^✖ 3 controllers {2}The name of the.*: 400/);
      expect(troubles[1]).to.match(/^✖ lb06\S* {2}The name of the.*: no connection$/);
    });
});
