import { expect } from 'chai';
import type { PlayStarted } from '../../../src/core/model/run/event.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { marks } from '../../rig/marks.js';

const NOW = Date.parse('2025-03-01T12:00:10.000Z');
function shown(progress: PlayProgress, columns: number, rows = 30, palette = createPalette(false)): readonly string[] {
  return liveLines(progress, { columns, rows, now: NOW, palette });
}

/** A batch of three, on two routes: one is running, one failed, one changed. */
function rows(): PlayProgress {
  const make = new EventMaker();
  const names = ['lb1.frankfurt.example.com', 'lb2.frankfurt.example.com', 'lb3'] as const;
  const play = { play: 'Roll out the clouds of all sites', number: 1, plays: 2 };
  const routes = { 'frankfurt-am-main': [0, 1], paris: [2] };
  const progress = new PlayProgress(
    make.playStarted([...names, ...controllerNames(17)], { ...play, routes }) as PlayStarted,
  );
  const message = 'POST /api/cloud/: the controller answered 400: name is reserved';
  for (const event of [
    make.batchStarted(names, 1, 3),
    make.taskStarted(names[0]),
    make.taskFinished(names[1], 'failed', { message }),
    make.controllerFinished(names[1]),
    make.taskFinished(names[2], 'changed'),
    make.controllerFinished(names[2]),
  ])
    progress.handle(event);
  return progress;
}

/** A batch of twelve on two routes, too many for rows. */
function counters(): PlayProgress {
  const make = new EventMaker();
  const names = controllerNames(12);
  const progress = new PlayProgress(make.playStarted(names, { routes: { madrid: [0, 1], paris: [2] } }) as PlayStarted);
  for (const event of [
    make.batchStarted(names),
    make.taskStarted('lb01'),
    make.taskFinished('lb02', 'failed', { message: 'x'.repeat(50) }),
    make.controllerFinished('lb02'),
    make.taskFinished('lb04', 'unreachable', { message: 'no connection' }),
    make.controllerFinished('lb04'),
  ])
    progress.handle(event);
  return progress;
}

describe('the live view of a small screen', () => {
  it('cuts names, routes and results, each to its part of the columns', () => {
    const progress = rows();
    expect(shown(progress, 40)).to.deep.equal([
      'Roll out the clouds of all sites · 10 s',
      '10 %  2 of 20 controllers  about 1 min …',
      '0 ok · 1 changed · 1 failed · 1 active',
      'frankfurt…  1 of 2 · 1 failed · 1 active',
      'direct      0 of 17',
      'paris       1 of 1',
      '● lb1.frankfur…  frank…  1/2 Create the…',
      '✖ lb2.frankfur…  frank…  Create…: 400 n…',
      '✔ lb3            paris   1 task, 1 chan…',
    ]);
    expect(shown(progress, 24)).to.deep.equal([
      'Roll out the clo… · 10 s',
      '10 %  2 of 20 controlle…',
      '0 ok · 1 changed · 1 fa…',
      'frankfu…  1 of 2 · 1 fa…',
      'direct    0 of 17',
      'paris     1 of 1',
      '● lb1.fra…  frank…  1/2…',
      '✖ lb2.fra…  frank…  C…:…',
      '✔ lb3       paris   1 t…',
    ]);
    expect(shown(progress, 10)[0]).to.equal('Roll ou… · 10 s');
    expect(shown(counters(), 40)).to.deep.equal([
      'Roll out · 10 s',
      '16 %  2 of 12 controllers  about 50 s l…',
      '0 ok · 0 changed · 1 failed · 1 unreach…',
      'madrid  1 of 2 · 1 failed · 1 active',
      'paris   0 of 1',
      'direct  1 of 9 · 1 unreachable',
      'slowest  10 s  lb01 via madrid  1/2 Cre…',
      '✖ lb02 via mad…  Create the…: xxxxxxxxx…',
      '✖ lb04  Create the cloud: no connection',
    ]);
    expect(shown(counters(), 20).slice(-2)).to.deep.equal(['✖ lb02 vi…  Cre…: x…', '✖ lb04  Creat…: no …']);
  });

  it('leaves out counters and routes before rows', () => {
    const progress = rows();
    const all = shown(progress, 60);
    for (const [height, left] of [
      [12, 6],
      [11, 5],
      [8, 2],
      [7, 1],
      [6, 0],
    ] as const)
      expect(shown(progress, 60, height), String(height)).to.deep.equal([
        ...all.slice(0, 1),
        ...all.slice(1, 6).slice(0, left),
        ...all.slice(6),
      ]);
  });
});

describe('the colours of the live view', () => {
  it('say of rows, counters, routes and causes how they are', () => {
    expect(shown(rows(), 100, 30, marks)).to.deep.equal([
      '*Roll out the clouds of all sites*. · play 1 of 2 · batch 1 of 3 · 10 s.',
      '+███+.░░░░░░░░░░░░░░░░░░░░░░░░░░░. 10 %  2 of 20 controllers  about 1 min 30 s left',
      '.0 ok · 1 changed · 1 failed · 1 active.',
      '!frankfurt-am-main  1 of 2 · 1 failed · 1 active!',
      '.direct             0 of 17.',
      '.paris              1 of 1.',
      '@●@ lb1.frankfurt.example.com  frankfurt-a…  1/2 Create the cloud  10 s',
      '!✖ lb2.frankfurt.example.com  frankfurt-a…  Create the cloud: 400 name is reserved (POST /api/cloud/)!',
      '~✔~ lb3                        paris         1 task, 1 changed',
    ]);
    expect(shown(counters(), 100, 30, marks).slice(3)).to.deep.equal([
      '!madrid  1 of 2 · 1 failed · 1 active!',
      '.paris   0 of 1.',
      '!direct  1 of 9 · 1 unreachable!',
      '.slowest  10 s  lb01 via madrid  1/2 Create the cloud.',
      `!✖ lb02 via madrid  Create the cloud: ${'x'.repeat(50)}!`,
      '!✖ lb04  Create the cloud: no connection!',
    ]);
  });
});
