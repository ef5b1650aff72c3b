import { expect } from 'chai';
import type { BatchStarted, PlayStarted, RunStarted, TaskFinished } from '../../../src/core/model/run/event.js';
import { batchHeading, playHeading, runHeading, runTitle } from '../../../src/reporting/run/headings.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { routeCounts, routeProgress } from '../../../src/reporting/run/route_progress.js';
import { resultLines, taskDiffLines, taskLines } from '../../../src/reporting/run/task_line.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker } from '../../rig/events.js';

const make = new EventMaker();
const plain = createPalette(false);
const coloured = createPalette(true);

function finished(status: TaskFinished['status'], given: object = {}): TaskFinished {
  return make.taskFinished('lb1', status, { task: 'T', module: 'debug', ...given }) as TaskFinished;
}

function lines(event: TaskFinished, verbosity = 0, palette = plain): readonly string[] {
  return taskLines(event, { palette, verbosity, nameWidth: 4 });
}

describe('the line of a task', () => {
  const change = { kind: 'update', object: 'cloud "a"', before: { mtu: 1 }, after: { mtu: 2 } } as const;
  const sent = { kind: 'invoke', object: 'PUT /x', before: null, after: null } as const;

  it('says what it did, and everything that was special about it', () => {
    const cases: readonly (readonly [TaskFinished, readonly string[]])[] = [
      [finished('ok'), ['ok           lb1   T']],
      [
        finished('changed', { change, resumed: 'found', message: 'said\nmore' }),
        ['changed      lb1   T: updated cloud "a": mtu; the interrupted write had taken effect; said more'],
      ],
      [
        finished('changed', { change: sent, message: 'PUT /x answered 200' }),
        ['changed      lb1   T: PUT /x answered 200'],
      ],
      [
        finished('changed', { change: sent, unconfirmed: true, message: 'PUT /x answered 200' }),
        ['changed      lb1   T: may have sent PUT /x; PUT /x answered 200'],
      ],
      [finished('changed', { change: sent, message: 'done' }), ['changed      lb1   T: sent PUT /x; done']],
      [finished('ok', { item: 'one\ntwo', handler: true }), ['ok           lb1   T (handler) (one two)']],
      [finished('ok', { round: 2 }), ['ok           lb1   T (gate)']],
      [finished('ok', { round: 2, handler: true }), ['ok           lb1   T (handler)']],
      [finished('failed', { message: 'no', ignored: true }), ['failed       lb1   T: no (ignored)']],
      [finished('failed', { message: 'no', rescued: true }), ['failed       lb1   T: no (rescued)']],
      [finished('ok', { delegatedTo: 'lb2' }), ['ok           lb1 → lb2  T']],
      [finished('ok', { spoken: true, message: 'one\n two\n' }), ['ok           lb1   T:', '    one', '     two']],
      [finished('ok', { spoken: true, message: 'one\n' }), ['ok           lb1   T: one']],
      [finished('ok', { spoken: false, message: 'one\ntwo' }), ['ok           lb1   T: one two']],
      [finished('ok', { values: { include: 'more.yml' } }), ['ok           lb1   T: included: more.yml']],
      [finished('failed', { values: { include: 'more.yml' } }), ['failed       lb1   T']],
      [finished('ok', { values: { include_args: { name: 'web' } } }), ['ok           lb1   T: included: role web']],
      [finished('ok', { values: { include_args: { name: 7 } } }), ['ok           lb1   T']],
      [
        finished('unreachable', { message: 'GET https://lb1/api/x: no answer\n  at once' }),
        ['unreachable  lb1   T: GET https://lb1/api/x: no answer at once'],
      ],
    ];
    for (const [event, expected] of cases) expect(lines(event), JSON.stringify(event)).to.deep.equal(expected);
    expect(lines(finished('ok', { message: 'x'.repeat(600) }))[0]?.length).to.equal(
      'ok           lb1   T: '.length + 500,
    );
  });

  it('has the time and the result with -vv, unless it said it', () => {
    const values = { msg: 'said', list: [1, 2], include: 'x' };
    const event = finished('ok', { message: 'said', values, seconds: 1.5 });
    expect(lines(event, 1)).to.have.length(1);
    expect(lines(event, 2)).to.deep.equal([
      'ok           lb1   T: included: x; said  1.5 s',
      '    list:',
      '      - 1',
      '      - 2',
    ]);
    expect(lines(finished('ok', { message: 'said', values, spoken: true, seconds: 1 }), 2)).to.have.length(1);
    expect(resultLines(finished('ok', { message: 'other', values: { msg: 'said' } }))).to.deep.equal(['msg: said']);
    expect(resultLines(finished('ok'))).to.deep.equal([]);
    const long = (size: number) =>
      resultLines(finished('ok', { values: { l: Array.from({ length: size }, (_, at) => at) } }));
    expect(long(199)).to.have.length(200);
    expect(long(200).slice(199)).to.deep.equal(['  - 198', '… 1 more line']);
    expect(long(1300).slice(199)).to.deep.equal(['  - 198', '… 1,101 more lines']);
  });

  it('is coloured by its status, and a failure that counts for nothing as a warning', () => {
    const head = (event: TaskFinished) => lines(event, 0, coloured)[0] ?? '';
    expect(head(finished('failed'))).to.include(coloured.bad('failed     '));
    for (const given of [{ ignored: true }, { rescued: true }])
      for (const status of ['failed', 'unreachable'] as const)
        expect(head(finished(status, given))).to.include(coloured.warning(status.padEnd(11)));
    expect(head(finished('changed', { ignored: true }))).to.include(coloured.changed('changed    '));
    expect(taskDiffLines(finished('changed', { change }), coloured)).to.deep.equal([
      '    cloud "a"',
      `    ${coloured.bad('- mtu: 1')}`,
      `    ${coloured.good('+ mtu: 2')}`,
    ]);
    for (const given of [{}, { change: sent }])
      expect(taskDiffLines(finished('changed', given), plain)).to.deep.equal([]);
  });
});

describe('the headings of a run', () => {
  it('name what is run, and what is special about it', () => {
    const started = (given: object = {}) => make.runStarted({ playbooks: ['a.yml', 'b.yml'], ...given }) as RunStarted;
    const all = { environment: 'prod', shard: '2/4', check: true, simulated: true, resumed: true };
    expect(runHeading(started())).to.equal('evenkeel 0.1.0 · a.yml · b.yml');
    expect(runHeading(started(all))).to.equal(
      'evenkeel 0.1.0 · a.yml · b.yml · resume of 20250301-120000-abcd · prod · shard 2/4 · check mode · simulated',
    );
    expect(runTitle(started())).to.equal('run a.yml b.yml');
    expect(runTitle(started(all))).to.equal('run a.yml b.yml (shard 2/4) (check) (simulated)');
    const play = (given: object) =>
      playHeading(make.playStarted(['lb1', 'lb2'], { play: 'P\nx', ...given }) as PlayStarted);
    expect(play({ tasks: 1 })).to.equal('play P x · 2 controllers · 1 task');
    expect(play({ strategy: 'linear' })).to.equal('play P x · 2 controllers · 2 tasks · linear');
    const batch = (number: number, of: number) => batchHeading(make.batchStarted(['lb1'], number, of) as BatchStarted);
    expect([batch(1, 1), batch(2, 1200)]).to.deep.equal([undefined, 'batch 2 of 1,200 · 1 controller']);
  });
});

describe('the progress of routes', () => {
  it('counts the controllers behind each, and those without one', () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6'];
    const progressOf = (routes: object) => {
      const progress = new PlayProgress(make.playStarted(names, { routes } as object) as PlayStarted);
      const end = (name: string, status: TaskFinished['status']) => [
        make.taskFinished(name, status),
        make.controllerFinished(name),
      ];
      for (const event of [
        make.batchStarted(names),
        ...['lb1', 'lb4', 'lb5', 'lb6'].map((name) => make.taskStarted(name)),
        ...end('lb1', 'failed'),
        ...end('lb4', 'unreachable'),
        ...end('lb6', 'failed'),
      ])
        progress.handle(event);
      return routeProgress(progress);
    };
    const all = progressOf({ paris: [0, 1], madrid: [2, 3] });
    expect(all).to.deep.equal([
      { name: 'paris', total: 2, finished: 1, active: 0, failed: 1, unreachable: 0 },
      { name: 'madrid', total: 2, finished: 1, active: 0, failed: 0, unreachable: 1 },
      { name: all[2]?.name, total: 2, finished: 1, active: 1, failed: 1, unreachable: 0 },
    ]);
    expect(all.map(routeCounts)).to.deep.equal([
      ['1 of 2', '1 failed'],
      ['1 of 2', '1 unreachable'],
      ['1 of 2', '1 failed'],
    ]);
    expect(progressOf({})).to.deep.equal([]);
    expect(progressOf({ paris: [0, 1, 2, 3, 4, 5] })).to.deep.equal([]);
    expect(progressOf({ paris: [0] }).map(({ name }) => name)).to.have.length(2);
  });
});
