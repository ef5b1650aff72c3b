import { expect } from 'chai';
import type { Event, PlayStarted } from '../../../src/core/model/run/event.js';
import { emptyStats } from '../../../src/core/model/run/result.js';
import { batchBlock } from '../../../src/reporting/reporters/batch_block.js';
import { liveLines } from '../../../src/reporting/reporters/live_view.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const CREATED = { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge' } } as const;
const NOW = Date.parse('2025-03-01T12:00:00.000Z');
const MESSAGE = 'interrupted before anything was written';
const FIVE = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];

/** As the engine counts: every controller that did something has an entry, even an empty one. */
const CHANGED = { ...emptyStats(), ok: 1, changed: 1 };
const STATS = { lb1: CHANGED, lb2: emptyStats(), lb3: emptyStats(), lb4: CHANGED };

/** lb1 is done, lb2 and lb3 were running a task, lb4 was between two tasks, lb5 had not started. */
function interrupted(make = new EventMaker()): readonly Event[] {
  return [
    make.playStarted(FIVE),
    make.batchStarted(FIVE),
    make.taskFinished('lb1', 'changed', { change: CREATED }),
    make.taskFinished('lb4', 'changed', { change: CREATED }),
    ...['lb2', 'lb3'].map((name) => make.taskFinished(name, 'interrupted', { message: MESSAGE })),
    make.batchFinished(1, { cutOff: ['lb2', 'lb3', 'lb4'], unstarted: ['lb5'] }),
    make.playFinished(),
  ];
}

describe('an interrupted run', () => {
  it('reports what was interrupted, and counts it as cut off', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.runStarted(),
      ...interrupted(make),
      make.runFinished({
        status: 'interrupted',
        exitCode: 130,
        cutOff: ['lb2', 'lb3', 'lb4'],
        stats: STATS,
        unstarted: ['lb5'],
      }),
    ]);
    expect(stdout).to.include(`interrupted  lb2  Create the cloud: ${MESSAGE}\n`);
    expect(stdout).to.match(/^5 controllers · 1 changed · 3 cut off · 1 not started · interrupted/m);
    expect(stdout).to.not.match(/failed=[1-9]/);
  });

  it('shows no tick for its batch, and counts each controller once', () => {
    expect(blockOf(interrupted())).to.deep.equal([
      '■ Roll out · 5 controllers, 1 changed, 3 cut off, 1 not started · 0.0 s',
      `    interrupted  2× Create the cloud: ${MESSAGE} (lb2, lb3)`,
      '    changed      2× Create the cloud: created cloud "edge" (lb1, lb4)',
    ]);
  });
});

describe('a batch that ended early', () => {
  it('keeps its failures, also of controllers that continued after them', () => {
    const make = new EventMaker();
    expect(
      blockOf([
        make.playStarted(['lb1', 'lb2']),
        make.batchStarted(['lb1', 'lb2']),
        make.taskFinished('lb1', 'failed', { message: 'broken' }),
        make.batchFinished(1, { cutOff: ['lb1'] }),
      ])[0],
    ).to.equal('✖ Roll out · 2 controllers, 1 failed · 0.0 s');
  });

  it('shows no tick for stopped controllers while others still run', () => {
    const make = new EventMaker();
    const progress = new PlayProgress(startOf(make.playStarted(['lb1', 'lb2'])));
    const events = [
      make.batchStarted(['lb1', 'lb2']),
      make.taskStarted('lb1'),
      make.taskStarted('lb2'),
      make.taskFinished('lb1', 'interrupted', { message: MESSAGE }),
      make.controllerFinished('lb1'),
    ];
    for (const event of events) progress.handle(event);
    const lines = liveLines(progress, { columns: 80, rows: 24, now: NOW, palette: createPalette(false) });
    expect(lines.slice(1)).to.deep.equal(['■ lb1  1 task', '● lb2  1/2 Create the cloud']);
    expect(progress.outcomes).to.deep.include({ ok: 0, 'cut off': 1 });
  });
});

function startOf(event: Event | undefined): PlayStarted {
  if (event?.type !== 'play-started') throw new Error('a play begins with its start');
  return event;
}

function blockOf([started, ...events]: readonly Event[]): readonly string[] {
  const progress = new PlayProgress(startOf(started));
  for (const event of events) {
    progress.handle(event);
  }
  return batchBlock(progress, { now: NOW, columns: 100, palette: createPalette(false) });
}
