import { expect } from 'chai';
import type { Event, GateStarted, PlayStarted, RunFinished } from '../../../src/core/model/run/event.js';
import { emptyStats } from '../../../src/core/model/run/result.js';
import { GateProgress, gateNow, GateStory } from '../../../src/reporting/run/gate_text.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { recapLines } from '../../../src/reporting/run/recap.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { controllerNames, EventMaker } from '../../rig/events.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');
const plain = createPalette(false);

function play(names: readonly string[], given: object, before?: PlayProgress, make = new EventMaker()): PlayProgress {
  return new PlayProgress(make.playStarted(names, given) as PlayStarted, before);
}

function seen(progress: PlayProgress, ...events: readonly Event[]): PlayProgress {
  for (const event of events) progress.handle(event);
  return progress;
}

describe('the progress of a play', () => {
  const make = new EventMaker();
  const done = (name: string, status: Parameters<EventMaker['taskFinished']>[1] = 'ok', given = {}) =>
    make.taskFinished(name, status, given);

  it('is the share of its planned tasks, and of all plays of the run', () => {
    const first = play(['lb1', 'lb2'], { tasks: 2, later: 6 });
    expect([first.fraction, first.overall]).to.deep.equal([0, 0]);
    seen(first, done('lb1'), done('lb1', 'ok', { item: 'a' }), done('lb1', 'ok', { handler: true }));
    expect([first.fraction, first.overall]).to.deep.equal([0.25, 0.1]);
    // An included task adds nothing, and a controller that ends early has none left.
    seen(first, done('lb1'), done('lb1'), make.controllerFinished('lb2'), make.controllerFinished('lb2'));
    expect([first.fraction, first.overall, first.finished]).to.deep.equal([1, 0.4, 1]);
    const later = new EventMaker().pass(60);
    const second = play(['lb1'], { tasks: 4, later: 2 }, first, later);
    expect([second.startedAt - START, second.runStartedAt - START]).to.deep.equal([60_000, 0]);
    seen(second, done('lb1'));
    expect([second.fraction, second.overall]).to.deep.equal([0.25, 0.5]);
    const third = play(['lb1', 'lb2'], { tasks: 1 }, second);
    seen(third, done('lb1'));
    expect([third.overall, third.runStartedAt - START]).to.deep.equal([0.9, 0]);
  });

  it('is the share of its controllers if it has no tasks', () => {
    const empty = play(['lb1', 'lb2'], { tasks: 0 });
    seen(empty, make.controllerFinished('lb1'));
    expect([empty.fraction, empty.overall]).to.deep.equal([0.5, 0.5]);
    expect(play([], { tasks: 3 }).fraction).to.equal(0);
  });

  it('has its place among several plays', () => {
    expect(play([], { number: 2, plays: 3 }).place).to.deep.equal({ number: 2, plays: 3 });
    expect([play([], {}).place, play([], { plays: 3 }).place]).to.deep.equal([undefined, undefined]);
  });

  it('knows what runs on each controller, how long and what it waits for', () => {
    const progress = play(['lb1', 'lb2', 'lb3'], { tasks: 2 });
    const later = new EventMaker();
    seen(progress, later.taskStarted('lb1', 'One'), later.pass(5).taskStarted('lb2', 'One'));
    expect(
      [...progress.running].map(({ controller, place, since }) => [controller, place, since - START]),
    ).to.deep.equal([
      ['lb1', '1/2', 0],
      ['lb2', '1/2', 5000],
    ]);
    expect([progress.active, progress.slowest(1).length, progress.slowest(9).length]).to.deep.equal([2, 1, 2]);
    seen(progress, later.retried('lb1', 1, 5), later.taskProgressed('lb2', 'copying', 3), later.retried('lb3', 1, 5));
    expect(progress.runningOn('lb1')).to.deep.include({ waiting: 'until 2/5', until: NaN });
    expect(progress.runningOn('lb2')).to.deep.include({ waiting: 'copying', until: START + 8000 });
    expect(progress.runningOn('lb3')).to.equal(undefined);
    const retried = later.retried('lb1', 5, 5);
    seen(progress, { ...retried, message: 'not yet' } as Event, later.taskProgressed('lb2', 'waiting'));
    expect(progress.runningOn('lb1')).to.deep.include({ waiting: 'until 5/5: not yet' });
    expect(progress.runningOn('lb2')).to.deep.include({ waiting: 'waiting', until: NaN });
    // The next task of a controller is the last one that began.
    seen(progress, later.taskFinished('lb1', 'ok'), later.pass(1).taskStarted('lb1', 'Two'));
    expect([...progress.running].map(({ controller, task, place }) => [controller, task, place])).to.deep.equal([
      ['lb2', 'One', '1/2'],
      ['lb1', 'Two', '2/2'],
    ]);
    seen(progress, later.taskFinished('lb1', 'ok'), later.taskStarted('lb1', 'Included'));
    expect(progress.runningOn('lb1')?.place).to.equal(undefined);
    const handler = { ...later.taskStarted('lb2', 'Handler'), handler: true } as Event;
    expect(seen(progress, handler).runningOn('lb2')?.place).to.equal(undefined);
    seen(progress, later.controllerFinished('lb1'));
    expect([progress.active, progress.runningOn('lb1'), progress.controller('lb1').state]).to.deep.equal([
      1,
      undefined,
      'finished',
    ]);
  });

  it('counts how controllers ended: the first failure of each, and what an interrupt stopped', () => {
    const names = controllerNames(9);
    const progress = play(names, { tasks: 2 });
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = ''] = names;
    seen(
      progress,
      make.batchStarted(names),
      done(a, 'changed'),
      done(b, 'failed', { message: 'no', task: 'One' }),
      done(b, 'unreachable', { message: 'away', task: 'Two' }),
      done(c, 'unreachable', { message: 'away', task: 'One' }),
      done(c, 'failed', { message: 'no', task: 'Two' }),
      done(c, 'interrupted'),
      done(d, 'failed', { ignored: true }),
      done(e, 'interrupted'),
      done(f, 'failed'),
      done(f, 'interrupted'),
      done(g, 'changed'),
      make.controllerFinished(g),
      make.controllerFinished(h),
      make.batchFinished(1, { unstarted: [i, f], cutOff: [g] }),
    );
    expect(progress.outcomes).to.deep.equal({
      ok: 2,
      changed: 1,
      failed: 2,
      unreachable: 1,
      'cut off': 2,
      'not started': 1,
    });
    expect(progress.controller(b)).to.include({ outcome: 'failed', task: 'One', message: 'no' });
    expect(progress.controller(c)).to.include({ outcome: 'unreachable', task: 'One', message: 'away' });
    expect([progress.finished, progress.active]).to.deep.equal([9, 0]);
  });

  it('forgets the results of a batch when the next begins, and counts nothing of its gate', () => {
    const progress = play(['lb1', 'lb2'], { tasks: 1 });
    seen(progress, make.batchStarted(['lb1'], 1, 2), done('lb1', 'failed'), make.batchFinished(1));
    expect(progress.results.all).to.have.length(1);
    seen(
      progress,
      make.gateStarted(['lb1'], { passes: 2 }),
      done('lb2', 'failed', { round: 1 }),
      make.gateChecked(1, []),
    );
    expect([progress.gate?.rounds, progress.controller('lb2').outcome, progress.batch?.batch]).to.deep.equal([
      1,
      'ok',
      1,
    ]);
    seen(progress, make.gateFinished(), make.batchStarted(['lb2'], 2, 2));
    expect([progress.gate, progress.batch?.batch, progress.results.all]).to.deep.equal([undefined, 2, []]);
  });
});

describe('the state of a gate', () => {
  const make = new EventMaker();

  it('says which round runs or when the next begins, and what was so far', () => {
    const of = (given: object, ...events: readonly Event[]) => {
      const gate = new GateProgress(make.gateStarted(['lb1', 'lb2'], given) as GateStarted);
      for (const event of events) gate.handle(event);
      return (seconds: number) => gateNow(gate, START + seconds * 1000);
    };
    expect(of({})(0)).to.equal('gate  round 1 on 2 controllers');
    const failed = of(
      { passes: 3, failures: 2, interval: 5 },
      make.gateChecked(1, []),
      make.gateChecked(2, ['lb1\nx', 'lb2']),
    );
    expect(failed(1)).to.equal('gate  next round in 4.0 s · 0 of 3 passed · 1 of 2 failures, last on lb1 x, lb2');
    expect(failed(5)).to.equal('gate  round 3 on 2 controllers · 0 of 3 passed · 1 of 2 failures, last on lb1 x, lb2');
    const running = of({ passes: 2 }, make.gateChecked(1, []), make.taskStarted('lb1'));
    expect(running(1)).to.equal('gate  round 2 on 2 controllers · 1 of 2 passed');
    expect(of({}, make.gateChecked(1, ['lb1']))(1)).to.equal('gate  next round in 4.0 s · 1 of 1 failure, last on lb1');
  });

  it('is told round by round where there are several, with how it ended', () => {
    const told = (given: object, action: 'continue' | 'stop' | 'rollback', options: object = {}, palette = plain) => {
      const story = new GateStory({ palette, verbosity: 0, brief: false, ...options });
      const later = new EventMaker();
      const events = [
        later.gateStarted(['lb1'], given),
        later.gateChecked(1, []),
        later.pass(3).gateChecked(2, ['lb1']),
        later.gateFinished(action, action === 'continue' ? 'passed' : 'failed'),
      ];
      return events.flatMap((event) => story.lines(event as Parameters<GateStory['lines']>[0]));
    };
    const rounds = ['gate round 1 passed · 1 of 2', 'gate round 2 failed on lb1 · 1 of 1 failure'];
    expect(told({ passes: 2 }, 'rollback')).to.deep.equal([
      'gate · 1 controller · 2 rounds in a row must pass',
      ...rounds,
      '✖ gate failed · 2 rounds · 3.0 s · rolling back the batch, rollout stopped',
    ]);
    expect(told({ passes: 2 }, 'stop', { brief: true })).to.deep.equal([
      '✖ gate failed · 2 rounds · 3.0 s · rollout stopped',
    ]);
    expect(told({ passes: 2 }, 'stop', { brief: true, verbosity: 1 })).to.have.length(4);
    expect(told({}, 'continue')).to.deep.equal(['gate · 1 controller', '✔ gate passed · 3.0 s']);
    const coloured = createPalette(true);
    expect(told({ passes: 2 }, 'stop', {}, coloured).slice(1, 3)).to.deep.equal([
      coloured.faint(rounds[0] ?? ''),
      coloured.warning(rounds[1] ?? ''),
    ]);
    const failedAnyway = new GateStory({ palette: plain, verbosity: 0, brief: false });
    failedAnyway.lines(make.gateStarted(['lb1']) as GateStarted);
    expect(failedAnyway.lines(make.gateFinished('continue', 'failed') as never)).to.deep.equal([
      '✖ gate failed · 0.0 s · continuing with the next batch',
    ]);
    expect(
      new GateStory({ palette: plain, verbosity: 0, brief: false }).lines(make.gateFinished() as never),
    ).to.deep.equal([]);
  });
});

describe('the recap of a fleet behind routes', () => {
  const finished = (names: readonly string[], bad: readonly string[]): RunFinished => {
    const stats = Object.fromEntries(
      names.map((name) => [name, { ...emptyStats(), [bad.includes(name) ? 'failed' : 'ok']: 1 }]),
    );
    return new EventMaker().runFinished({ stats, seconds: 1 }) as RunFinished;
  };

  it('has those with problems first, then in order, and controllers without one last', () => {
    const names = controllerNames(24);
    const routes = new Map(names.slice(0, 23).map((name, at) => [name, ['b', 'a', 'c'][at % 3] ?? '']));
    const lines = recapLines(finished(names, ['lb03', 'lb06', 'lb01']), [], plain, {
      routes,
      named: new Set(['lb01', 'lb03', 'lb06']),
    });
    expect(lines.slice(1)).to.deep.equal([
      'c       7 controllers · 5 ok · 2 failed',
      'b       8 controllers · 7 ok · 1 failed',
      'a       8 controllers · 8 ok',
      'direct  1 controller · 1 ok',
      '24 controllers · 21 ok · 3 failed · 1.0 s',
    ]);
    const one = new Map(names.map((name) => [name, 'a']));
    expect(recapLines(finished(names, []), [], plain, { routes: one })).to.have.length(2);
    const two = new Map(names.map((name, at) => [name, at === 0 ? 'a' : 'b']));
    expect(recapLines(finished(names, []), [], plain, { routes: two })).to.have.length(4);
  });

  it('names the route of each controller with a problem', () => {
    const event = finished(['lb1', 'lb2', 'lb3'], ['lb2']);
    const lines = recapLines(event, [], plain, {
      routes: new Map([
        ['lb1', 'a'],
        ['lb2', 'b\nc'],
      ]),
    });
    expect(lines.map((line) => / {2}via .*/.exec(line)?.[0])).to.deep.equal([
      undefined,
      undefined,
      '  via b c',
      undefined,
      undefined,
    ]);
  });
});
