import { expect } from 'chai';
import { RunProfile } from '../../../src/reporting/run/profile.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker } from '../../rig/events.js';

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
    const lines = profile.lines(finished, createPalette(false));
    expect(lines.slice(3)).to.deep.equal([
      '  tasks       10 s on 2 controllers together: 25 % waiting for 3 answers, 75 % everything else',
      '    6.0 s  Task 9  1 time, 6.0 s each, at most 6.0 s on lb1',
      '    4.0 s  Task 4  2 times, 2.0 s each, at most 3.0 s on lb2',
      '  controllers that took longest',
      '    7.0 s  lb1  2 requests, 1.5 s waiting',
      '    3.0 s  lb2  1 request, 1.0 s waiting',
    ]);
  });
});
