import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { OUTCOMES } from '../../src/reporting/page/format/page.js';
import { visibleChanges } from '../../src/web/data/changes.js';
import { compareRuns } from '../../src/web/data/compare.js';
import { completed, FrameWork, CELLS_PER_FRAME } from '../../src/web/data/frame_work.js';
import {
  matchesRun,
  matchingColumns,
  matchingRows,
  parseQuery,
  queryProblems,
  RUN_FIELDS,
  PAGE_FIELDS,
  toggled,
} from '../../src/web/data/query.js';
import { createView, distinctRows, outcomeCounts, countRoutes, rowRoute } from '../../src/web/data/view.js';
import { controllerNames, EventMaker } from '../rig/events.js';
import { pageOf } from '../rig/page_run.js';

const at = (line: number) => ({ task: `T${line}`, source: { file: 'site.yml', line, column: 3 } });

function page(names: readonly string[], events: (make: EventMaker) => Iterable<Event>, given: object = {}) {
  const make = new EventMaker();
  return pageOf([make.runStarted(), make.playStarted(names, given), ...events(make)]);
}

describe('the changes that a page shows', () => {
  const update = (name: string, after: Readonly<Record<string, unknown>>) =>
    ({ kind: 'update', object: `cloud "${name}"`, before: {}, after }) as never;
  const changes = (values: readonly (readonly [name: string, after: Readonly<Record<string, unknown>>])[]) => {
    const names = controllerNames(values.length);
    const events = (make: EventMaker) =>
      values.map(([object, after], index) =>
        make.taskFinished(names[index] ?? '', 'changed', { ...at(1), change: update(object, after) }),
      );
    return completed(visibleChanges(createView(page(names, events), '', 'name')))[0];
  };

  it('are single up to three, or up to twelve that most controllers share', () => {
    const single = (values: readonly number[]) => changes(values.map((mtu) => ['a', { mtu }]))?.groups.length;
    expect(single([1, 2, 3])).to.equal(3);
    expect(single([1, 2, 3, 4])).to.equal(1);
    expect(single([1, 2, 3, 4, 1, 2, 3, 4])).to.equal(4);
    const twice = (number: number) => Array.from({ length: 2 * number }, (_, n) => n % number);
    expect([single(twice(12)), single(twice(13))]).to.deep.equal([12, 1]);
  });

  it('are the most frequent first; merged ones have five values, the most frequent first, and their number', () => {
    const step = changes([1, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8].map((mtu) => ['a', { mtu, same: true }]));
    expect(step?.controllers).to.equal(11);
    expect(step?.groups).to.have.length(1);
    expect(step?.groups[0]?.words).to.equal('updated cloud "a": mtu, same');
    expect(step?.groups[0]?.lines).to.deep.equal([
      {
        text: '+ mtu:',
        isUsual: false,
        different: 8,
        values: [
          ['3', 3],
          ['4', 2],
          ['1', 1],
          ['2', 1],
          ['5', 1],
        ],
      },
      { text: '+ same: true', isUsual: false },
    ]);
    const mixed = changes([
      ['a', { mtu: 1 }],
      ['b', { mtu: 1 }],
      ['c', { own: 1 }],
      ['d', { mtu: 2 }],
      ['d', { mtu: 2 }],
    ]);
    expect(mixed?.groups.map(({ words, rows }) => [words, rows.length])).to.deep.equal([
      ['updated cloud "…": mtu', 4],
      ['updated cloud "c": own', 1],
    ]);
    const outlier = changes([
      ['a', { x: 1, y: 1 }],
      ['a', { x: 1, y: 1 }],
      ['a', { x: 2, y: 1 }],
    ]);
    expect(outlier?.groups.map(({ lines }) => lines.map(({ isUsual }) => isUsual))).to.deep.equal([
      [false, false],
      [false, true],
    ]);
  });

  it('without a diff have their words, or the first line of their message', () => {
    const names = ['lb1', 'lb2', 'lb3'];
    const view = createView(
      page(names, (make) => [
        make.taskFinished('lb1', 'changed', { ...at(1), message: 'sent it\nin full' }),
        make.taskFinished('lb2', 'changed', at(1)),
        make.taskFinished('lb1', 'changed', { ...at(2), item: 'one', change: update('a', { mtu: 1 }) }),
        make.taskFinished('lb1', 'changed', at(2)),
      ]),
      '',
      'name',
    );
    expect(
      completed(visibleChanges(view)).map(({ about, groups }) => [about.task, groups.map(({ words }) => words)]),
    ).to.deep.equal([
      ['T1', ['sent it', 'changed']],
      ['T2', ['updated cloud "a": mtu']],
    ]);
  });
});

describe('two runs side by side', () => {
  const run = (
    events: (make: EventMaker) => Iterable<Event>,
    names: readonly string[] = ['lb1', 'lb2', 'lb3', 'lb4'],
  ) => page(names, events);

  it('differ in steps by a tenth and 10 ms at least, the most first, and in those that only one has', () => {
    const timed = (times: Readonly<Record<number, number>>) =>
      run((make) =>
        Object.entries(times).map(([line, seconds]) =>
          make.taskFinished('lb1', 'ok', { ...at(Number(line)), seconds }),
        ),
      );
    const { steps } = compareRuns(
      timed({ 1: 1, 2: 1, 3: 0.01, 4: 10, 5: 1.5, 7: 0.5 }),
      timed({ 1: 1.09, 2: 0.9, 3: 0.019, 4: 12, 6: 3, 7: 0.5 }),
    );
    const shown = steps.map(({ task, before, after }) => [task, before?.toFixed(1), after?.toFixed(1)]);
    expect(shown).to.deep.equal([
      ['T6', undefined, '3.0'],
      ['T4', '10.0', '12.0'],
      ['T5', '1.5', undefined],
      ['T2', '1.0', '0.9'],
    ]);
  });

  it('have the controllers that moved, the most first, with those that only one run has', () => {
    const ended = (statuses: Readonly<Record<string, 'ok' | 'failed' | 'changed'>>) =>
      run(
        (make) => [
          ...Object.entries(statuses).map(([name, status]) =>
            make.taskFinished(name, status, { ...at(1), message: `${status} it` }),
          ),
          ...Object.keys(statuses).map((name) => make.controllerFinished(name)),
          make.runFinished(),
        ],
        Object.keys(statuses),
      );
    const { moved, outcomes, gone, come } = compareRuns(
      ended({ a: 'ok', b: 'ok', c: 'failed', d: 'failed', e: 'ok', f: 'changed' }),
      ended({ b: 'failed', c: 'ok', d: 'ok', e: 'ok', g: 'ok' }),
    );
    expect(moved).to.deep.equal([
      { before: 'failed', after: 'ok', controllers: ['c', 'd'] },
      { before: 'ok', after: 'not in this run', controllers: ['a'] },
      { before: 'ok', after: 'failed', controllers: ['b'] },
      { before: 'changed', after: 'not in this run', controllers: ['f'] },
      { before: 'not in this run', after: 'ok', controllers: ['g'] },
    ]);
    expect([...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1))).to.deep.equal([
      ['changed', 1, 0],
      ['failed', 2, 1],
      ['ok', 3, 4],
    ]);
    expect([gone.length, come.length]).to.deep.equal([0, 0]);
  });
});

describe('the words of a search', () => {
  it('are fields with values, quoted or with commas, or words', () => {
    const shown = (text: string, fields = PAGE_FIELDS as readonly (typeof PAGE_FIELDS)[number][]) =>
      parseQuery(text, fields).map(
        ({ field, values, isNegated }) => `${isNegated ? 'not ' : ''}${field}=${values.join('|')}`,
      );
    expect(
      shown('STATUS:Failed,OK -Group:EMEA controller:lb1 task:"a b,c" plain "two words" -minus x:y'),
    ).to.deep.equal([
      'status=failed|ok',
      'not group=EMEA',
      'host=lb1',
      'task=a b,c',
      'undefined=plain',
      'undefined=two words',
      'undefined=-minus',
      'undefined=x:y',
    ]);
    expect(shown('task:x env:y', RUN_FIELDS)).to.deep.equal(['undefined=task:x', 'env=y']);
    expect(shown('')).to.deep.equal([]);
  });

  it('are unknown once each, and statuses that there are not', () => {
    expect(queryProblems('status:failed,nope status:nope,other status:', PAGE_FIELDS)).to.deep.equal([
      'unknown status nope',
      'unknown status other',
    ]);
    for (const since of ['12h', '3d', '2w', '5m', '2026-11-20', '2026-11-20T10:00:00Z'])
      expect(queryProblems(`since:${since}`, RUN_FIELDS), since).to.deep.equal([]);
    for (const since of ['3y', 'x', '2026-13-40', '12', '2026', 'Nov 20', '2026-11-20x'])
      expect(queryProblems(`since:${since}`, RUN_FIELDS), since).to.deep.equal([
        'since: takes 12h, 3d, 2w or 2026-11-20',
      ]);
  });

  it('match runs by all of their terms, and one value of each', () => {
    const hours = (number: number): string => new Date(Date.now() - number * 3_600_000).toISOString();
    const run = { environment: null, user: undefined, started: hours(30) };
    const matches = (query: string, given: object = {}) =>
      matchesRun(parseQuery(query, RUN_FIELDS), { ...run, ...given });
    for (const [query, is] of [
      ...([
        ['since:2d', true],
        ['since:1d', false],
        ['since:29h', false],
        ['since:31h', true],
        ['since:1w', true],
      ] as const),
      ...([
        ['env:none', true],
        ['env:prod', false],
        ['-env:prod', true],
        ['user:ann', false],
        ['-user:ann', true],
      ] as const),
      ...([
        ['env:prod,none', true],
        ['-env:prod,none', false],
        ['env:none user:ann', false],
        ['word', true],
        ['status:ok', true],
      ] as const),
    ])
      expect(matches(query), query).to.equal(is);
    expect([matches('word', { text: 'a WORD' }), matches('word', { text: 'other' })]).to.deep.equal([true, false]);
    expect([
      matches('-status:ok', { statuses: ['failed'] }),
      matches('-status:ok', { statuses: ['ok'] }),
    ]).to.deep.equal([true, false]);
  });

  it('are toggled term by term', () => {
    const once = toggled('', 'status', 'failed');
    expect([once, toggled(once, 'status', 'failed')]).to.deep.equal(['status:failed', '']);
    const both = toggled(once, 'group', 'a b');
    expect(both).to.equal('status:failed group:"a b"');
    expect(toggled(both, 'status', 'failed')).to.equal('group:"a b"');
  });
});

describe('the rows and columns of a view', () => {
  const names = ['lb10', 'lb2', 'lb1', 'x'];
  const of = page(
    names,
    (make) => [
      make.taskFinished('lb10', 'failed', { ...at(1), message: 'it is full' }),
      make.taskFinished('lb2', 'changed', { ...at(2), module: 'pool_present' }),
      make.taskFinished('lb1', 'ok', { ...at(2), module: 'pool_present' }),
      ...names.map((name) => make.controllerFinished(name)),
    ],
    { routes: { paris: [0, 1] }, groups: { one: [2], all: [0, 1, 2, 3], some: [1, 2] } },
  );
  const shown = (query: string, order: Parameters<typeof createView>[2]) =>
    [...createView(of, query, order).rows].map((row) => names[row]);

  it('are ordered as people count, by outcome, by the smallest group, or by route', () => {
    expect(shown('', 'name')).to.deep.equal(['lb10', 'lb1', 'lb2', 'x']);
    expect(shown('', 'outcome')[0]).to.equal('lb10');
    const view = createView(of, '', 'group');
    const sections = view.sections.map(({ name, from, to }) => [
      name,
      [...view.rows.slice(from, to)].map((row) => names[row]),
    ]);
    // First the one that failed, then by group.
    expect(sections).to.deep.equal([
      ['all', ['lb10']],
      ['one', ['lb1']],
      ['all', ['x']],
      ['some', ['lb2']],
    ]);
    expect(names.map((_, row) => rowRoute(of, row))).to.deep.equal(['paris', 'paris', undefined, undefined]);
    expect([...countRoutes(of, [0, 1, 2])]).to.deep.equal([['paris', 2]]);
  });

  it('are those that a search finds', () => {
    const rows = (query: string) => names.filter((_, row) => matchingRows(of, parseQuery(query))[row] === 1);
    expect(rows('full')).to.deep.equal(['lb10']);
    expect(rows('group:some')).to.deep.equal(['lb2', 'lb1']);
    expect(rows('group:one,nope host:lb*')).to.deep.equal(['lb1']);
    expect(rows('-route:paris -host:x')).to.deep.equal(['lb1']);
    expect(matchingColumns(of, parseQuery('task:pool_present'))).to.deep.equal([1]);
    expect(matchingColumns(of, parseQuery('task:T1,T2'))).to.deep.equal([0, 1]);
    expect(matchingColumns(of, parseQuery('-task:T1'))).to.deep.equal([1]);
  });

  it('are counted once, and controllers by how they ended', () => {
    expect(distinctRows(of, [{ rows: [0, 1] }, { rows: [1, 3] }, { rows: [] }])).to.equal(3);
    const counted = outcomeCounts({
      ...of,
      outcome: Uint8Array.from(OUTCOMES.flatMap((_, code) => new Array<number>(code + 1).fill(code))),
    });
    expect(counted).to.deep.equal(Object.fromEntries(OUTCOMES.map((outcome, code) => [outcome, code + 1])));
  });
});

describe('work that is divided among frames', () => {
  it('goes on in the next frame once it has visited as much as fits, one after the other', () => {
    const frames: (() => void)[] = [];
    const work = new FrameWork((run) => frames.push(run));
    const results: string[] = [];
    function* visit(name: string, parts: number, size: number) {
      for (let part = 0; part < parts; part++) yield size;
      return name;
    }
    work.add(visit('a', 2, CELLS_PER_FRAME), (name) => results.push(name));
    work.add(visit('b', 1, 1), (name) => results.push(name));
    const drop = work.add(visit('c', 1, 1), (name) => results.push(name));
    const frame = (): string => {
      frames.shift()?.();
      return results.join();
    };
    expect([frames.length, frame(), frame(), frames.length]).to.deep.equal([1, '', '', 1]);
    drop();
    expect([frame(), frames.length]).to.deep.equal(['a,b', 0]);
    work.add(visit('d', 0, 0), (name) => results.push(name));
    expect([frame(), frames.length]).to.deep.equal(['a,b,d', 0]);
  });

  it('goes on with the others after one has thrown', () => {
    const frames: (() => void)[] = [];
    const work = new FrameWork((run) => frames.push(run));
    const results: string[] = [];
    function* failing(): Generator<number, string> {
      yield 1;
      throw new Error('broken');
    }
    function* fine(): Generator<number, string> {
      yield 1;
      return 'fine';
    }
    work.add(failing(), (name) => results.push(name));
    work.add(fine(), (name) => results.push(name));
    expect(() => frames.shift()?.()).to.throw('broken');
    frames.shift()?.();
    expect([results, frames.length]).to.deep.equal([['fine'], 0]);
  });
});
