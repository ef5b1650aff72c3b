import { expect } from 'chai';
import type { Event, PlayStarted, TaskFinished } from '../../../src/core/model/run/event.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { ResultGroups } from '../../../src/reporting/run/result_groups.js';
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

  it('names a handler without a number', () => {
    const make = new EventMaker();
    const progress = new PlayProgress(make.playStarted(['lb1', 'lb2']) as PlayStarted);
    const handler = { ...make.taskStarted('lb2', 'Restart'), handler: true } as Event;
    for (const event of [make.batchStarted(['lb1', 'lb2']), make.taskStarted('lb1'), handler]) progress.handle(event);
    expect(liveLines(progress, screen(80, 0)).slice(1)).to.deep.equal([
      '● lb1  1/2 Create the cloud',
      '● lb2  Restart',
    ]);
  });

  it('counts down how long a task waits', () => {
    const make = new EventMaker();
    const progress = new PlayProgress(make.playStarted(['lb1']) as PlayStarted);
    for (const event of [make.batchStarted(['lb1']), make.taskStarted('lb1')]) progress.handle(event);
    progress.handle(make.taskProgressed('lb1', 'waiting for a write to cloud "edge" from before to settle', 40));
    const at = (seconds: number) => liveLines(progress, screen(115, seconds))[1];
    const waiting = 'waiting for a write to cloud "edge" from before to settle';
    expect(at(10)).to.equal(`● lb1  1/2 Create the cloud  10 s  ${waiting}, 30 s left`);
    expect(at(38)).to.equal(`● lb1  1/2 Create the cloud  38 s  ${waiting}, 2 s left`);
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

  function fleet(size: number, given = {}, results = new ResultGroups()) {
    const [make, names] = [new EventMaker(), controllerNames(size)];
    const progress = new PlayProgress(make.playStarted(names, given) as PlayStarted, undefined, results);
    progress.handle(make.batchStarted(names));
    const finish = (name: string, status: TaskFinished['status'], about = {}) => {
      progress.handle(make.taskFinished(name, status, about));
      progress.handle(make.controllerFinished(name));
    };
    return { make, names, progress, finish };
  }

  it('has a row for each of up to ten controllers if the screen is high enough', () => {
    const waiting = (names: readonly string[]) => names.map((name) => `· ${name}  waiting`);
    const [ten, eleven] = [fleet(10), fleet(11)];
    expect(liveLines(ten.progress, { ...screen(100, 1), rows: 13 })).to.deep.equal([
      'Roll out · 1.0 s',
      ...waiting(ten.names),
    ]);
    const counters = (number: number) => [
      'Roll out · 1.0 s',
      `${'░'.repeat(30)} 0 %  0 of ${number} controllers`,
      '0 ok · 0 changed · 0 active',
    ];
    expect(liveLines(ten.progress, { ...screen(100, 1), rows: 12 })).to.deep.equal(counters(10));
    expect(liveLines(eleven.progress, screen(100, 1))).to.deep.equal(counters(11));
  });

  it('has the latest five causes, as many lines as fit, and its title at least', () => {
    const { make, names, progress, finish } = fleet(12);
    for (const name of names.slice(0, 3)) progress.handle(make.taskStarted(name));
    for (const name of names.slice(3, 6)) progress.handle(make.pass(5).taskStarted(name));
    finish('lb08', 'changed');
    finish('lb09', 'ok');
    for (const [index, name] of names.slice(0, 7).entries())
      if (index !== 3) progress.handle(make.taskFinished(name, 'failed', { message: `cause ${index}`, task: 'Say' }));
    const lines = [
      'Roll out · 20 s',
      '████████████░░░░░░░░░░░░░░░░░░ 41 %  2 of 12 controllers  about 28 s left',
      '1 ok · 1 changed · 6 active',
      'slowest  15 s  lb04  1/2 Create the cloud',
      '✖ and 1 earlier cause',
      ...[1, 2, 4, 5, 6].map((index) => `✖ ${names[index] ?? ''}  Say: cause ${index}`),
    ];
    expect(liveLines(progress, screen(100, 20))).to.deep.equal(lines);
    for (const [rows, shown] of [
      [12, 10],
      [11, 9],
      [6, 4],
      [4, 2],
      [3, 1],
      [1, 1],
    ] as const)
      expect(liveLines(progress, { ...screen(100, 20), rows }), String(rows)).to.deep.equal(lines.slice(0, shown));
  });

  it('has three of the tasks that have run the longest', () => {
    const { make, names, progress } = fleet(12);
    for (const name of names.slice(0, 4)) progress.handle(make.pass(1).taskStarted(name));
    const slowest = liveLines(progress, screen(100, 20)).filter((line) => line.startsWith('slowest'));
    expect(slowest).to.deep.equal(
      [19, 18, 17].map((seconds, index) => `slowest  ${seconds} s  lb0${index + 1}  1/2 Create the cloud`),
    );
  });

  it('has a bar as wide as there is room, up to 30', () => {
    const { progress, finish } = fleet(20);
    finish('lb01', 'ok');
    finish('lb02', 'ok');
    const bar = (columns: number) => /^[█░]*/.exec(liveLines(progress, screen(columns, 20))[1] ?? '')?.[0];
    for (const [columns, full, empty] of [
      [59, 0, 0],
      [60, 0, 8],
      [70, 1, 17],
      [81, 2, 27],
      [82, 3, 27],
      [83, 3, 27],
      [200, 3, 27],
    ] as const)
      expect(bar(columns), String(columns)).to.equal('█'.repeat(full) + '░'.repeat(empty));
  });

  it('has eight routes, or seven and how many more there are', () => {
    const behind = (number: number) => {
      const routes = Array.from({ length: number }, (_, index) => [`r${index}`, [2 * index]] as const);
      return fleet(20, { routes: Object.fromEntries(routes) });
    };
    const eight = behind(7);
    expect(liveLines(eight.progress, screen(100, 20)).slice(3)).to.deep.equal([
      ...[0, 1, 2, 3, 4, 5, 6].map((route) => `r${route}      0 of 1`),
      'direct  0 of 13',
    ]);
    const { progress, make, finish } = behind(9);
    progress.handle(make.taskStarted('lb03'));
    finish('lb01', 'failed', { message: 'no' });
    finish('lb05', 'ok');
    expect(liveLines(progress, screen(100, 20)).slice(3)).to.deep.equal([
      'r1  0 of 1 · 1 active',
      ...[3, 4, 5, 6, 7, 8].map((route) => `r${route}  0 of 1`),
      'and 3 more routes, 2 through',
      'slowest  20 s  lb03 via r1  1/2 Create the cloud',
      '✖ lb01 via r0  Create the cloud: no',
    ]);
  });

  it('masks what it shows of tasks that began before a secret became known', () => {
    const [make, names] = [new EventMaker(), controllerNames(3)];
    const asked: string[] = [];
    const mask = (text: string): string => {
      asked.push(text);
      return text.replaceAll('hunter22', '********');
    };
    const show = (size: number) => {
      const results = new ResultGroups({ mask });
      const play = make.playStarted(names.slice(0, size), { play: 'Use hunter22' }) as PlayStarted;
      const progress = new PlayProgress(play, undefined, results);
      progress.handle(make.batchStarted(names.slice(0, size)));
      progress.handle(make.taskFinished('lb01', 'failed', { task: 'Rotate hunter22', message: 'no hunter22' }));
      progress.handle(make.controllerFinished('lb01'));
      progress.handle(make.taskStarted('lb02', 'Set hunter22'));
      progress.handle(make.taskProgressed('lb02', 'waiting for hunter22'));
      return liveLines(progress, { ...screen(100, 0), rows: size === 3 ? 5 : 30 });
    };
    expect(show(2)).to.deep.equal([
      'Use ******** · 0.0 s',
      '✖ lb01  Rotate ********: no ********',
      '● lb02  1/2 Set ********  waiting for ********',
    ]);
    expect(show(3).join('\n')).not.to.include('hunter22');
    const { progress, finish } = fleet(40, {}, new ResultGroups({ mask }));
    for (const [at, name] of controllerNames(40).entries()) finish(name, 'failed', { message: `no ${at}` });
    asked.length = 0;
    expect(liveLines(progress, screen(100, 0)).at(-6)).to.equal('✖ and 35 earlier causes');
    expect(asked.filter((text) => text.startsWith('no '))).to.have.length(5);
  });

  it('has rows with routes, results, and what controllers do', () => {
    const { progress, make, finish } = fleet(4, { number: 2, plays: 3, routes: { paris: [1], 'a-long-name': [2] } });
    progress.handle(make.taskStarted('lb01'));
    finish('lb02', 'changed');
    finish('lb03', 'unreachable', { message: 'no connection' });
    const rows = (columns: number, seconds: number) => liveLines(progress, screen(columns, seconds));
    expect(rows(100, 0.9)).to.deep.equal([
      'Roll out · play 2 of 3 · 0.9 s',
      '● lb01               1/2 Create the cloud',
      '✔ lb02  paris        1 task, 1 changed',
      '✖ lb03  a-long-name  Create the cloud: no connection',
      '· lb04               waiting',
    ]);
    expect(rows(100, 1)[1]).to.equal('● lb01               1/2 Create the cloud  1.0 s');
    expect(rows(60, 3).slice(0, 3)).to.deep.equal([
      'Roll out · play 2 of 3 · 3.0 s',
      '● lb01           1/2 Create the cloud  3.0 s',
      '✔ lb02  paris    1 task, 1 changed',
    ]);
    expect([rows(59, 3)[0], rows(59, 6000)[0]]).to.deep.equal(['Roll out · 3.0 s', 'Roll out · 1 h 40 min']);
    progress.handle(make.batchFinished(1, { cutOff: ['lb01'], unstarted: ['lb04'] }));
    expect(rows(100, 3)[1]).to.equal('■ lb01               0 tasks');
    progress.handle(make.batchStarted(['lb04'], 2, 2));
    progress.handle(make.gateStarted(['lb04']));
    expect(rows(100, 3)).to.deep.equal([
      'Roll out · play 2 of 3 · batch 2 of 2 · 3.0 s',
      'gate  round 1 on 1 controller',
      `${'█'.repeat(30)} 100 %  4 of 4 controllers`,
      '0 ok · 1 changed · 1 unreachable · 1 cut off · 0 active',
      'paris        1 of 1',
      'a-long-name  1 of 1 · 1 unreachable',
      'direct       2 of 2',
      '■ lb04  0 tasks',
    ]);
  });

  it('estimates from 5 % on, to a second at least', () => {
    const left = (done: number, of: number, seconds: number) => {
      const { progress, make, names, finish } = fleet(of);
      for (const name of names.slice(0, done)) {
        progress.handle(make.taskFinished(name, 'ok'));
        finish(name, 'ok');
      }
      return / % {2}(.*)$/.exec(liveLines(progress, screen(120, seconds))[1] ?? '')?.[1];
    };
    expect(left(1, 20, 10)).to.equal('1 of 20 controllers  about 3 min 10 s left');
    expect(left(1, 21, 10)).to.equal('1 of 21 controllers');
    expect(left(19, 20, 10)).to.equal('19 of 20 controllers  about 1 s left');
    expect(left(19, 20, 180)).to.equal('19 of 20 controllers  about 9 s left');
    expect(left(20, 20, 10)).to.equal('20 of 20 controllers');
  });
});
