import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { visibleChanges } from '../../src/web/data/changes.js';
import { compareRuns } from '../../src/web/data/compare.js';
import { visibleFailures, visibleOpenWrites, writesBefore } from '../../src/web/data/equal.js';
import { completed } from '../../src/web/data/frame_work.js';
import { hasTerm } from '../../src/web/data/query.js';
import { runProgress } from '../../src/web/data/timing.js';
import { createView } from '../../src/web/data/view.js';
import { controllerNames, EventMaker } from '../rig/events.js';
import { pageOf } from '../rig/page_run.js';

const at = (line: number) => ({ task: `T${line}`, source: { file: 'site.yml', line, column: 3 } });

function viewOf(names: readonly string[], events: (make: EventMaker) => Iterable<Event>, facts: object = {}) {
  const make = new EventMaker();
  const started = [make.runStarted(), make.playStarted(names), make.batchStarted(names)];
  return createView(pageOf([...started, ...events(make)], { title: 'run', ...facts }), '', 'name');
}

describe('the changes of a step', () => {
  const changes = (objects: readonly (readonly [object: string, after: Readonly<Record<string, number>>])[]) => {
    const names = controllerNames(objects.length);
    const view = viewOf(names, (make) =>
      objects.map(([object, after], index) =>
        make.taskFinished(names[index] ?? '', 'changed', {
          ...at(1),
          change: { kind: 'update', object, before: {}, after },
        }),
      ),
    );
    return completed(visibleChanges(view))[0]?.groups ?? [];
  };
  const each = (number: number, from = 0) => Array.from({ length: number }, (_, n) => n + from);

  it('that are merged are those of one kind of object with the same fields, the most frequent first', () => {
    const found = changes([
      ['pool "p"', { size: 9 }],
      ['pool "p"', { size: 9 }],
      ...each(6).map((n) => [`cloud "c${n}"`, { mtu: n }] as const),
      ...each(3).map((n) => [`vrf "v${n}"`, { mtu: n }] as const),
    ]);
    expect(found.map(({ words, rows, lines }) => [words, rows.length, lines.map(({ text }) => text)])).to.deep.equal([
      ['updated cloud "…": mtu', 6, ['+ mtu:']],
      ['updated vrf "…": mtu', 3, ['+ mtu:']],
      ['updated pool "p": size', 2, ['+ size: 9']],
    ]);
  });

  it('have the values of a field by the number of controllers, whatever the other fields are', () => {
    const found = changes([
      ['pool "p"', { a: 1, b: 1 }],
      ['pool "p"', { a: 1, b: 1 }],
      ...each(4, 2).map((b) => ['pool "p"', { a: 2, b }] as const),
    ]);
    expect(found[0]?.lines.map(({ values }) => values)).to.deep.equal([
      [
        ['2', 4],
        ['1', 2],
      ],
      [
        ['1', 2],
        ['2', 1],
        ['3', 1],
        ['4', 1],
        ['5', 1],
      ],
    ]);
  });

  it('have the item where there is nothing else to say', () => {
    const view = viewOf(['lb1', 'lb2'], (make) => [
      make.taskFinished('lb1', 'changed', { ...at(1), item: 'web\nserver' }),
      make.taskFinished('lb1', 'changed', { ...at(1), message: 'one item' }),
      make.taskFinished('lb2', 'changed', { ...at(2), message: 'sent\nand more' }),
    ]);
    expect(completed(visibleChanges(view)).map(({ groups }) => groups.map(({ words }) => words))).to.deep.equal([
      ['web\nserver'],
      ['sent'],
    ]);
  });
});

describe('the failures of a page', () => {
  const change = (object: string) => ({ kind: 'create', object, before: null, after: {} }) as const;

  it('have their controllers in the order of the view, whatever else differs', () => {
    const view = viewOf(['lb1', 'lb2', 'lb3', 'lb4'], (make) =>
      ['lb1', 'lb2', 'lb3', 'lb4'].map((name, index) =>
        make.taskFinished(name, 'failed', {
          ...at(1),
          message: 'no',
          ...(index % 2 === 1 && { delegatedTo: 'lb9' }),
        }),
      ),
    );
    expect(completed(visibleFailures(view)).map(({ rows }) => rows)).to.deep.equal([[0, 1, 2, 3]]);
  });

  it('know what was written before them, and what they left unconfirmed, once for each controller', () => {
    const view = viewOf(['lb1', 'lb2'], (make) => [
      ...['lb1', 'lb2'].map((name) => make.taskFinished(name, 'changed', { ...at(1), change: change('cloud "a"') })),
      make.taskFinished('lb1', 'changed', { ...at(2), change: change('cloud "a"') }),
      make.taskFinished('lb1', 'changed', { ...at(3), change: change('pool "c"'), check: true }),
      make.taskFinished('lb1', 'failed', { ...at(4), change: change('pool "b"'), ignored: true, message: 'x' }),
      ...['lb1', 'lb2'].map((name) =>
        make.taskFinished(name, 'failed', { ...at(5), change: change('pool "d"'), message: 'no' }),
      ),
      make.taskFinished('lb1', 'changed', { ...at(6), change: change('pool "e"') }),
    ]);
    const [failure] = completed(visibleFailures(view));
    if (failure === undefined) throw new Error('nothing failed');
    const { written, unconfirmed } = writesBefore(view.page, failure);
    expect([[...written], [...unconfirmed]]).to.deep.equal([[['cloud "a"', 2]], [['pool "d"', 2]]]);
    const away = viewOf(['lb1'], (make) => [
      make.taskFinished('lb1', 'unreachable', { ...at(1), change: change('pool "f"'), message: 'away' }),
    ]);
    const [lost] = completed(visibleFailures(away));
    if (lost === undefined) throw new Error('nothing failed');
    expect([...writesBefore(away.page, lost).unconfirmed]).to.deep.equal([['pool "f"', 1]]);
    const hidden = viewOf(['lb1', 'lb2'], (make) => [
      make.taskFinished('lb1', 'changed', { ...at(1), maskedChange: true }),
      make.taskFinished('lb2', 'failed', { ...at(1), maskedChange: true, changed: true, ignored: true }),
      ...['lb1', 'lb2'].map((name) => make.taskFinished(name, 'failed', { ...at(2), message: 'no' })),
    ]);
    const [after] = completed(visibleFailures(hidden));
    if (after === undefined) throw new Error('nothing failed');
    expect([...writesBefore(hidden.page, after).written]).to.deep.equal([['an object that no_log masks', 2]]);
  });
});

describe('writes with an unknown outcome', () => {
  const change = (object: string) => ({ kind: 'create', object, before: null, after: {} }) as const;
  const sent = (object: string) => ({ unconfirmed: true as const, change: change(object) });

  it('are listed unless they are in a failure, with the controllers that sent them, and the delegate', () => {
    const names = ['lb1', 'lb2', 'lb3'];
    const view = viewOf(names, (make) => [
      ...['lb2', 'lb1'].map((name) =>
        make.taskFinished(name, 'failed', { ...at(1), ...sent(`cloud "${name}"`), message: 'lost', rescued: true }),
      ),
      make.taskFinished('lb3', 'interrupted', { ...at(1), ...sent('cloud "c"'), delegatedTo: 'lb9' }),
      make.taskFinished('lb3', 'failed', { ...at(2), ...sent('pool "a"'), item: 'a', message: 'no' }),
      make.taskFinished('lb3', 'changed', { ...at(2), ...sent('pool "b"'), item: 'b' }),
      make.taskFinished('lb3', 'failed', { ...at(2), message: 'an item failed' }),
      make.taskFinished('lb1', 'failed', { ...at(3), unconfirmed: true, message: 'lost', ignored: true }),
      make.taskFinished('lb2', 'failed', { ...at(4), ...sent('pool "d"'), item: 'a', message: 'no answer' }),
      make.taskFinished('lb2', 'interrupted', { ...at(4), message: 'interrupted after 1 of 3 items' }),
    ]);
    expect(
      completed(visibleOpenWrites(view)).map(({ column, object, rows }) => [column, object, rows]),
    ).to.have.deep.members([
      [0, 'cloud "{{inventory_hostname}}"', [0, 1]],
      [0, 'cloud "c" on lb9', [2]],
      [1, 'pool "b"', [2]],
      [2, 'an object that no_log masks', [0]],
      [3, 'pool "d"', [1]],
    ]);
    const [failure] = completed(visibleFailures(view));
    if (failure === undefined) throw new Error('nothing failed');
    expect([...writesBefore(view.page, failure).unconfirmed]).to.deep.equal([['pool "a"', 1]]);
  });

  it('have their delegate, as have those that are known', () => {
    const view = viewOf(['lb1'], (make) => [
      make.taskFinished('lb1', 'changed', { ...at(1), change: change('pool "a"'), delegatedTo: 'lb9', item: 'x' }),
      make.taskFinished('lb1', 'changed', { ...at(1), delegatedTo: 'lb9' }),
      make.taskFinished('lb1', 'failed', { ...at(2), ...sent('pool "b"'), message: 'no', delegatedTo: 'lb9' }),
    ]);
    const [failure] = completed(visibleFailures(view));
    if (failure === undefined) throw new Error('nothing failed');
    const { written, unconfirmed } = writesBefore(view.page, failure);
    expect([[...written.keys()], [...unconfirmed.keys()]]).to.deep.equal([['pool "a" on lb9'], ['pool "b" on lb9']]);
  });
});

describe('two runs', () => {
  it('differ in the steps of one of them by their whole time', () => {
    const run = (times: Readonly<Record<string, number>>) =>
      viewOf(['lb1'], (make) =>
        Object.entries(times).map(([task, seconds], index) =>
          make.taskFinished('lb1', 'ok', { ...at(index + 1), task, seconds }),
        ),
      ).page;
    const { steps } = compareRuns(run({ Same: 1, Slow: 1, Gone: 0.2 }), run({ Same: 1, Slow: 1.7, Come: 0.3 }));
    expect(steps.map(({ task, before, after }) => [task, before !== undefined, after !== undefined])).to.deep.equal([
      ['Slow', true, true],
      ['Come', false, true],
      ['Gone', true, false],
    ]);
  });

  it('differ in each of the steps that have one name', () => {
    const run = (...times: readonly number[]) =>
      viewOf(['lb1'], (make) =>
        times.map((seconds, index) => make.taskFinished('lb1', 'ok', { ...at(index + 1), task: 'debug', seconds })),
      ).page;
    const { steps } = compareRuns(run(1, 2, 3), run(1, 9, 3, 4));
    const rounded = (seconds = 0) => Math.round(seconds);
    expect(steps.map(({ task, before, after }) => [task, rounded(before), rounded(after)])).to.deep.equal([
      ['debug (2)', 2, 9],
      ['debug (4)', 0, 4],
    ]);
  });
});

describe('a view', () => {
  it('keeps its page, its query and its order', () => {
    const { page } = viewOf(['lb1', 'lb2'], () => []);
    expect(createView(page, 'host:lb2', 'outcome')).to.include({ page, query: 'host:lb2', order: 'outcome' });
    expect(
      [
        ['status:ok', 'ok'],
        ['-status:ok', 'ok'],
        ['group:ok', 'ok'],
        ['status:failed,ok', 'ok'],
        ['status:failed', 'ok'],
      ].map(([query = '', value = '']) => hasTerm(query, 'status', value)),
    ).to.deep.equal([true, false, false, true, false]);
  });

  it('of a run that was cut off has no progress', () => {
    const progress = (facts: object) =>
      completed(runProgress(viewOf(['lb1', 'lb2'], (make) => [make.taskFinished('lb1', 'ok', at(1))], facts)));
    expect(progress({})?.done).to.equal(0.25);
    expect(progress({ cutOff: false })?.done).to.equal(0.25);
    expect(progress({ cutOff: true })).to.equal(undefined);
  });
});
