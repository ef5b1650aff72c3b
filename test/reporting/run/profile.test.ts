import { expect } from 'chai';
import type { RunFinished } from '../../../src/core/model/run/event.js';
import { RunProfile } from '../../../src/reporting/run/profile.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

describe('the profile of a run', () => {
  it('adds up tasks, requests and waiting of each task and controller, the longest first', () => {
    const [make, profile] = [new EventMaker(), new RunProfile()];
    const place = (line: number) => ({ task: `Task ${line}`, source: { file: 'site.yml', line, column: 3 } });
    for (const event of [
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'ok', { ...place(4), seconds: 1 }),
      make.taskFinished('lb2', 'ok', { ...place(4), seconds: 3 }),
      make.taskFinished('lb1', 'ok', { ...place(9), seconds: 6 }),
      make.taskFinished('lb2', 'ok', { ...place(9), seconds: 2 }),
      make.taskFinished('lb1', 'ok', { ...place(9), seconds: 5, item: 'a' }),
    ])
      profile.handle(event);
    for (const [controller, seconds] of [
      ['lb1', 1],
      ['lb1', 0.5],
      ['lb2', 1],
    ] as const)
      profile.request({ controller, seconds, method: 'GET', url: `https://${controller}/api/cloud` });
    const finished = make.pass(7).runFinished();
    if (finished.type !== 'run-finished') throw new Error(finished.type);
    const lines = profile.lines(finished, createPalette(false), String);
    expect(lines.slice(3)).to.deep.equal([
      '  tasks       12 s on 2 controllers together: 21 % waiting for 3 answers, 79 % everything else',
      '    8.0 s  Task 9  2 times, 4.0 s each, at most 6.0 s on lb1',
      '    4.0 s  Task 4  2 times, 2.0 s each, at most 3.0 s on lb2',
      '  controllers that took longest',
      '    7.0 s  lb1  2 requests, 1.5 s waiting',
      '    5.0 s  lb2  1 request, 1.0 s waiting',
    ]);
  });

  const finish = (make: EventMaker, seconds: number): RunFinished => {
    const finished = make.pass(seconds).runFinished();
    if (finished.type !== 'run-finished') throw new Error(finished.type);
    return finished;
  };

  it('masks names of tasks with what became known since', () => {
    const [make, profile] = [new EventMaker(), new RunProfile()];
    profile.handle(make.taskFinished('lb1', 'ok', { task: 'Rotate hunter22', seconds: 1 }));
    const mask = (text: string): string => text.replaceAll('hunter22', '********');
    expect(profile.lines(finish(make, 1), createPalette(false), mask).at(-1)).to.include('Rotate ********  1 time');
  });

  it('shows the five longest of tasks and controllers, and pauses before retries', () => {
    const [make, profile] = [new EventMaker(), new RunProfile()];
    for (const name of controllerNames(6)) {
      const at = Number(name.slice(2));
      const source = { file: 'site.yml', line: at, column: 3 };
      profile.handle(make.taskFinished(name, 'ok', { task: 'Same title', source, seconds: at / 100 }));
      profile.request({ controller: name, seconds: 10, method: 'GET', url: `https://${name}/api/cloud` });
    }
    profile.handle(make.requestRetried('lb01', 0.042, 'ECONNREFUSED'));
    profile.handle(make.requestRetried('lb02', 0.042, 'ECONNREFUSED'));
    const lines = profile.lines(finish(make, 3), createPalette(false), String);
    expect(lines[0]).to.equal('profile');
    expect(lines[2]).to.match(/^ {2}run {9}3\.0 s, of which Evenkeel computed for .*: 0 ms for templates$/);
    expect(lines.slice(3)).to.deep.equal([
      '  tasks       0.2 s on 6 controllers together: 100 % waiting for 6 answers, 40 % pauses before retries, 0 % everything else',
      ...[6, 5, 4, 3, 2].map((n) => `    ${n}0 ms  Same title  1 time, ${n}0 ms each, at most ${n}0 ms on lb0${n}`),
      '  controllers that took longest',
      ...[6, 5, 4, 3, 2].map((n) => `    ${n}0 ms  lb0${n}  1 request, 10 s waiting`),
    ]);
  });

  it('says how long the process read before the run, and what it computed since', () => {
    const [make, profile] = [new EventMaker(), new RunProfile()];
    profile.handle(make.runStarted());
    const [title, before, run] = profile.lines(finish(make, 3), createPalette(false), String);
    expect(title).to.equal('profile');
    expect(before).to.match(/^ {2}before {6}[\d.]+ (?:s|min \d+ s|min) to read and check everything$/);
    // The process itself has computed for seconds.
    expect(run).to.match(/^ {2}run {9}3\.0 s, of which Evenkeel computed for \d+ ms: 0 ms for templates$/);
  });

  it('has columns, in which long names are cut and times stand at the right', () => {
    const [make, profile] = [new EventMaker(), new RunProfile()];
    for (const [task, line, seconds] of [
      ['x'.repeat(50), 3, 12],
      ['short', 5, 0.0995],
      ['shorter', 7, 0.0994],
    ] as const)
      profile.handle(make.taskFinished('lb1', 'ok', { task, seconds, source: { file: 'p.yml', line, column: 1 } }));
    expect(profile.lines(finish(make, 12), createPalette(false), String).slice(4)).to.deep.equal([
      `     12 s  ${'x'.repeat(39)}…  1 time, 12 s each, at most 12 s on lb1`,
      `    0.1 s  ${'short'.padEnd(40)}  1 time, 0.1 s each, at most 0.1 s on lb1`,
      `    99 ms  ${'shorter'.padEnd(40)}  1 time, 99 ms each, at most 99 ms on lb1`,
    ]);
  });

  it('has no tasks where none ran, and no controllers where there is one', () => {
    const [make, profile] = [new EventMaker(), new RunProfile()];
    expect(profile.lines(finish(make, 0), createPalette(false), String)).to.have.length(3);
    profile.handle(make.taskFinished('lb1', 'ok', { seconds: 0 }));
    expect(profile.lines(finish(make, 0), createPalette(false), String).slice(3)).to.deep.equal([
      '  tasks       0 ms on 1 controller together: 0 % waiting for 0 answers, 0 % everything else',
      '    0 ms  Create the cloud  1 time, 0 ms each, at most 0 ms on lb1',
    ]);
  });

  it('counts the time of a template once, even if it fails or uses another', () => {
    const busy = (milliseconds: number): number => {
      for (const start = performance.now(); performance.now() - start < milliseconds;);
      return 1;
    };
    const profile = new RunProfile();
    const before = performance.now();
    expect(profile.template(() => profile.template(() => busy(10)) + 1)).to.equal(2);
    expect(() =>
      profile.template(() => {
        busy(10);
        throw new Error('no such variable');
      }),
    ).to.throw('no such variable');
    profile.template(() => busy(10));
    const most = performance.now() - before;
    const [, counted = ''] =
      /([\d.]+) m?s for templates/.exec(
        profile.lines(finish(new EventMaker(), 1), createPalette(false), String)[2] ?? '',
      ) ?? [];
    const milliseconds = Number(counted) < 1 ? Number(counted) * 1000 : Number(counted);
    expect(milliseconds).to.be.within(29, most + (most < 99 ? 1 : 51));
  });
});
