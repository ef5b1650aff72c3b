import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import type { Page } from '../../src/reporting/page/format/page.js';
import { ResultGroups } from '../../src/reporting/run/result_groups.js';
import { visibleChanges } from '../../src/web/data/changes.js';
import { compareRuns } from '../../src/web/data/compare.js';
import { visibleFailures, writesBefore } from '../../src/web/data/equal.js';
import { completed } from '../../src/web/data/frame_work.js';
import {
  matchesRun,
  matchingColumns,
  matchingRows,
  PAGE_FIELDS,
  parseQuery,
  queryProblems,
  RUN_FIELDS,
  toggled,
} from '../../src/web/data/query.js';
import { runProgress, visibleTimes } from '../../src/web/data/timing.js';
import { createView, type View } from '../../src/web/data/view.js';
import { EventMaker } from '../rig/events.js';
import { fleetEvents, pageOf } from '../rig/page_run.js';

const place = (line: number): { source: { file: string; line: number; column: number } } => ({
  source: { file: 'site.yml', line, column: 3 },
});

/** Of events about these controllers in one play. */
function viewAbout(controllers: readonly string[], events: (make: EventMaker) => Iterable<Event>): View {
  const make = new EventMaker();
  const page = pageOf([make.runStarted(), make.playStarted(controllers), ...events(make)]);
  return createView(page, '', 'name');
}

describe('the search of a page', () => {
  const page = pageOf(fleetEvents(40, 3));
  const found = (query: string, of: Page = page): number =>
    matchingRows(of, parseQuery(query)).reduce((sum, one) => sum + one, 0);

  it('finds controllers by outcome, result, group, name and words', () => {
    expect(found('')).to.equal(40);
    expect(found('status:failed')).to.equal(5);
    expect(found('status:failed,unreachable')).to.equal(9);
    expect(found('-status:failed,unreachable')).to.equal(31);
    expect(found('group:emea')).to.equal(20);
    expect(found('group:E* status:failed')).to.equal(3);
    expect(found('host:lb1?')).to.equal(10);
    expect(found('host:LB1*')).to.equal(10);
    expect(found('"is reserved"')).to.equal(5);
    expect(found('-"is reserved"')).to.equal(35);
    expect(found('-reserved')).to.equal(0);
    expect(found('econnrefused')).to.equal(4);
    expect(found('lb07')).to.equal(1);
    expect(found('<SCRIPT>alert(1)')).to.equal(found('script')).and.to.be.above(0);
    expect(found('status:nonsense')).to.equal(0);
    expect(found('host:lb(1')).to.equal(0);
  });

  it('finds controllers by route, and orders them by route', () => {
    const make = new EventMaker();
    const of = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3', 'lb4'], { routes: { paris: [0, 2], madrid: [1] } }),
      make.taskFinished('lb1', 'ok'),
      make.taskFinished('lb2', 'ok'),
      make.taskFinished('lb3', 'ok'),
      make.taskFinished('lb4', 'ok'),
    ]);
    const names = (query: string): readonly string[] =>
      [...createView(of, query, 'route').rows].map((row) => of.controllers[row] ?? '');
    expect(names('')).to.deep.equal(['lb1', 'lb3', 'lb2', 'lb4']);
    expect(createView(of, '', 'route').sections.map(({ name }) => name)).to.deep.equal(['paris', 'madrid', '']);
    expect(names('route:paris')).to.deep.equal(['lb1', 'lb3']);
    expect(names('-route:*')).to.deep.equal(['lb4']);
    expect(found('route:paris')).to.equal(0);
  });

  it('orders controllers by outcome, those that need attention first', () => {
    const { page: running } = viewAbout(['new', 'fine', 'busy', 'changed', 'lost', 'failed'], (make) => [
      make.taskFinished('fine', 'ok'),
      make.controllerFinished('fine'),
      make.taskFinished('changed', 'changed'),
      make.controllerFinished('changed'),
      make.taskStarted('busy'),
      make.taskFinished('lost', 'unreachable'),
      make.taskFinished('failed', 'failed'),
    ]);
    const names = [...createView(running, '', 'outcome').rows].map((row) => running.controllers[row]);
    expect(names).to.deep.equal(['failed', 'lost', 'busy', 'new', 'changed', 'fine']);
  });

  it('finds steps by name and module', () => {
    const columns = (query: string): readonly number[] => matchingColumns(page, parseQuery(query));
    expect(columns('task:"step 2"')).to.deep.equal([1]);
    expect(columns('task:cloud_present')).to.deep.equal([0, 1, 2]);
    expect(columns('-task:2')).to.deep.equal([0, 2]);
    expect(columns('lb07')).to.deep.equal([0, 1, 2]);
  });

  it('asks about runs in the same words on all pages', () => {
    const run = { environment: 'production', user: 'ann', started: '2026-11-20T10:00:00Z', statuses: ['failed'] };
    const matches = (query: string): boolean =>
      matchesRun(parseQuery(query, RUN_FIELDS), { ...run, text: 'run site.yml' });
    for (const query of [
      '',
      'env:prod* user:ann',
      'ENVIRONMENT:production',
      '-env:staging',
      'status:ok,failed',
      'site.yml',
      'since:2026-11-20',
      '-since:2026-11-21',
      'since:2026-11-20T09:59:59Z',
      '-since:5m',
    ])
      expect(matches(query), query).to.equal(true);
    for (const query of ['env:staging', '-user:ann', 'status:ok', 'since:1h', 'since:2026-11-21', 'other.yml'])
      expect(matches(query), query).to.equal(false);
    const cutOff = { ...run, statuses: ['cut-off'] };
    for (const query of ['status:cut-off', 'status:"Cut off"'])
      expect(matchesRun(parseQuery(query, RUN_FIELDS), cutOff), query).to.equal(true);
    // On the page of a run, all controllers or none.
    expect([found('env:production'), found('env:staging'), found('since:2025-01-01')]).to.deep.equal([40, 0, 40]);
    expect(found('-env:staging status:failed')).to.equal(5);
  });

  it('says which keys, statuses and times it does not know, and searches unknown keys as words', () => {
    expect(queryProblems('status:failed "a:b" https://x lb1:443', PAGE_FIELDS)).to.deep.equal([]);
    expect(queryProblems('sttus:failed -foo:1 since:yesterday', RUN_FIELDS)).to.deep.equal([
      'unknown key sttus: (keys are status: env: user: since:)',
      'unknown key foo: (keys are status: env: user: since:)',
      'since: takes 12h, 3d, 2w or 2026-11-20',
    ]);
    expect(queryProblems('status:failed,fial, -status:"cut off" status:Stale', RUN_FIELDS)).to.deep.equal([
      'unknown status fial',
    ]);
    expect(found('status:Failed')).to.equal(found('status:failed')).and.be.above(0);
    expect(queryProblems('group:emea', RUN_FIELDS)).to.have.length(1);
    expect(queryProblems('group:emea', PAGE_FIELDS)).to.have.length(0);
  });

  it('adds and removes terms', () => {
    expect(toggled('x', 'group', 'my site')).to.equal('x group:"my site"');
    expect(toggled('x group:"my site"', 'group', 'my site')).to.equal('x');
  });
});

describe('the failures of a page', () => {
  it('are grouped by cause, for unreachable controllers regardless of their first task', () => {
    const view = viewAbout(['lb1', 'lb2', 'lb3', 'lb4'], (make) => [
      ...[4, 6].map((line) =>
        make.taskFinished('lb1', 'changed', {
          ...place(line),
          change: { kind: 'create', object: 'cloud "edge"', before: null, after: { mtu: line } },
        }),
      ),
      make.taskFinished('lb1', 'failed', { ...place(8), message: 'GET https://10.0.0.1/x: lb1 is busy' }),
      make.taskFinished('lb2', 'failed', { ...place(8), message: 'GET https://10.0.0.2/x: lb2 is busy' }),
      make.taskFinished('lb3', 'unreachable', { ...place(4), message: 'no route' }),
      make.taskFinished('lb4', 'unreachable', { ...place(8), message: 'no route' }),
    ]);
    const groups = completed(visibleFailures(view));
    expect(groups.map(({ rows }) => rows)).to.have.deep.members([
      [0, 1],
      [2, 3],
    ]);
    const busy = groups.find(({ status }) => status === 'failed');
    expect(busy && [...writesBefore(view.page, busy).written]).to.deep.equal([['cloud "edge"', 1]]);
  });

  it('have what was written before, also by failures and by items, and what was sent but not confirmed', () => {
    const created = (object: string) => ({ change: { kind: 'create', object, before: null, after: {} } }) as const;
    const view = viewAbout(['lb1'], (make) => [
      make.taskFinished('lb1', 'failed', { ...place(4), ...created('a'), changed: true, rescued: true }),
      make.taskFinished('lb1', 'changed', { ...place(6), ...created('b'), item: 'b' }),
      make.taskFinished('lb1', 'changed', place(6)),
      make.taskFinished('lb1', 'failed', { ...place(8), ...created('c'), changed: true, item: 'c' }),
      make.taskFinished('lb1', 'failed', { ...place(8), ...created('d'), item: 'd' }),
      make.taskFinished('lb1', 'failed', { ...place(8), changed: true }),
    ]);
    const [failure] = completed(visibleFailures(view));
    if (failure === undefined) return expect.fail('no failure');
    const { written, unconfirmed } = writesBefore(view.page, failure);
    expect([...written.keys()]).to.deep.equal(['a', 'b', 'c']);
    expect([...unconfirmed.keys()]).to.deep.equal(['d']);
  });

  it('of a loop are the failures of its items', () => {
    const view = viewAbout(['lb1'], (make) => [
      make.taskFinished('lb1', 'ok', { item: 'a' }),
      make.taskFinished('lb1', 'failed', { item: 'b', message: 'no' }),
      make.taskFinished('lb1', 'failed', { message: 'an item failed' }),
    ]);
    expect(completed(visibleFailures(view)).map(({ message }) => message)).to.deep.equal(['b: no']);
  });
});

describe('the groups of a page', () => {
  it('are those of the terminal, the log and the Markdown report', () => {
    const make = new EventMaker();
    const names = Array.from({ length: 30 }, (_, at) => `lb${at + 1}`);
    const events = [make.runStarted(), make.playStarted(names)];
    for (const [at, name] of names.entries()) {
      const change = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1 }, after: { mtu: at % 3 } } as const;
      events.push(make.taskFinished(name, 'changed', { ...place(4), change }));
      if (at % 4 === 0)
        events.push(make.taskFinished(name, 'failed', { ...place(8), message: `10.0.0.${at} is busy` }));
      if (at % 4 === 1) events.push(make.taskFinished(name, 'failed', { ...place(8), message: `${name} is full` }));
      if (at % 4 === 2) events.push(make.taskFinished(name, 'unreachable', { ...place(8 + at), message: 'no route' }));
      if (at % 4 === 3) events.push(make.taskFinished(name, 'changed', { ...place(90), item: 'a', message: 'sent' }));
      if (at % 4 === 3) events.push(make.taskFinished(name, 'changed', place(90)));
      // Failures that changed something.
      const wrote = { ...place(95), change, changed: true, message: 'failed_when: true' };
      if (at < 4) events.push(make.taskFinished(name, 'failed', { ...wrote, rescued: at < 2, item: 'a' }));
      if (at < 4) events.push(make.taskFinished(name, 'changed', { ...place(95), change, item: 'b' }));
      if (at < 4) events.push(make.taskFinished(name, 'failed', { ...place(95), changed: true, rescued: at < 2 }));
      if (at === 4) events.push(make.taskFinished(name, 'failed', { ...wrote, ...place(99), ignored: true }));
    }
    const results = new ResultGroups({ full: true });
    for (const event of events) results.handle(event);
    const terminal = [
      ...results.all
        .filter(({ status }) => status === 'failed' || status === 'unreachable')
        .map(({ controllers }) => [...controllers]),
      ...results.tasks.flatMap(({ changes }) => changes.map(({ controllers }) => controllers)),
    ];
    const view = createView(pageOf(events), '', 'name');
    const named = (rows: readonly number[]): readonly string[] =>
      rows.map((row) => view.page.controllers[row] ?? '').sort();
    const page = [
      ...completed(visibleFailures(view)).map(({ rows }) => named(rows)),
      ...completed(visibleChanges(view)).flatMap(({ groups }) => groups.map(({ rows }) => named(rows))),
    ];
    expect(page).to.have.length(12);
    expect(page).to.have.deep.members(terminal.map((group) => [...group].sort()));
  });
});

describe('the changes of a page', () => {
  const update = (make: EventMaker, name: string, mtu: number): Event =>
    make.taskFinished(name, 'changed', {
      change: { kind: 'update', object: 'cloud "edge"', before: { mtu: 1, on: false }, after: { mtu, on: true } },
    });

  it('are shown once, and outliers as differences from the most frequent one', () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const view = viewAbout(names, (make) => names.map((name, at) => update(make, name, at === 2 ? 9000 : 1500)));
    const [step] = completed(visibleChanges(view));
    expect(step?.groups.map(({ rows }) => rows)).to.deep.equal([[0, 1, 3], [2]]);
    expect(step?.groups[1]?.lines.filter(({ isUsual }) => !isUsual).map(({ text }) => text)).to.deep.equal([
      '+ mtu: 9000',
    ]);
  });

  it('show the variables that values come from, as in the terminal, if the page knows the playbook', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const events = [
      make.runStarted(),
      make.playStarted(names),
      ...names.map((name, at) => update(make, name, [1500, 9000, 1500, 1][at] ?? 0)),
    ];
    const written = { name: 'edge', mtu: '{{ size }}', on: '{{ true }}' };
    const page = pageOf(events, undefined, () => written);
    const [step] = completed(visibleChanges(createView(page, '', 'name')));
    expect(step?.groups.map(({ rows }) => rows)).to.deep.equal([[0, 2, 1], [3]]);
    const [first] = step?.groups ?? [];
    expect(first?.lines.map(({ text }) => text))
      .to.include('+ mtu: "{{ size }}"')
      .and.include('+ on: true');
    const line = first?.lines.find(({ text }) => text.includes('size'));
    expect(line).to.deep.include({
      values: [
        ['1500', 2],
        ['9000', 1],
      ],
      different: 2,
    });
    // A cell has its own value.
    expect(page.texts.filter((text) => text.includes('+ mtu: 9000'))).to.have.length(1);
    expect(completed(visibleChanges(createView(pageOf(events), '', 'name')))[0]?.groups).to.have.length(3);
  });

  it('show the variable alone of values with several lines', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2'];
    const written = { name: 'edge', note: '{{ note }}', mtu: '{{ mtu }}' };
    const shown = (notes: readonly string[]) => {
      const changed = notes.map((note, at) => {
        const after = { note, mtu: at + 1 };
        const change = { kind: 'update', object: 'cloud "edge"', before: { note: '', mtu: 0 }, after } as const;
        return make.taskFinished(names[at] ?? '', 'changed', { change });
      });
      const page = pageOf([make.runStarted(), make.playStarted(names), ...changed], undefined, () => written);
      const [step] = completed(visibleChanges(createView(page, '', 'name')));
      return step?.groups.map(({ lines }) => lines.map(({ text, different = 1 }) => `${text} ${different}`));
    };
    const [note, mtu] = ['+ note: "{{ note }}" 1', '+ mtu: "{{ mtu }}"'];
    expect(shown(['a\nb', 'c\nd\ne'])).to.deep.equal([['- note: "" 1', note, '- mtu: 0 1', `${mtu} 1`]]);
    expect(shown(['a\nb', 'a\nb'])).to.deep.equal([
      ['- note: "" 1', '+ note: |- 1', '+   a 1', '+   b 1', '- mtu: 0 1', `${mtu} 2`],
    ]);
  });

  it('are merged, with the values below, if each controller has its own', () => {
    const names = Array.from({ length: 20 }, (_, at) => `lb${at + 1}`);
    const view = viewAbout(names, (make) => names.map((name, at) => update(make, name, at < 3 ? 1500 : at * 100 + 1)));
    const [step] = completed(visibleChanges(view));
    expect(step?.groups).to.have.length(1);
    expect(step?.groups[0]?.lines.find(({ values }) => values !== undefined)).to.deep.include({
      text: '+ mtu:',
      different: 18,
    });
    expect(step?.groups[0]?.lines.find(({ values }) => values !== undefined)?.values?.[0]).to.deep.equal(['1500', 3]);
  });
});

describe('the comparison of two runs', () => {
  it('has the controllers that ended differently, causes that came and went, and slower tasks', () => {
    const page = (events: (make: EventMaker) => readonly Event[]): Page =>
      viewAbout(['lb1', 'lb2', 'lb3'], (make) => [...events(make), make.runFinished()]).page;
    const full = { ...place(8), task: 'Second' };
    const before = page((make) => [
      make.taskFinished('lb1', 'ok', { ...place(4), seconds: 1 }),
      make.taskFinished('lb2', 'failed', { ...place(4), seconds: 1, message: 'lb2 is full' }),
      make.taskFinished('lb3', 'failed', { ...place(4), message: 'no licence' }),
      ...['lb1', 'lb2', 'lb3'].map((name) => make.controllerFinished(name)),
    ]);
    const after = page((make) => [
      make.taskFinished('lb1', 'ok', { ...place(4), seconds: 5 }),
      make.taskFinished('lb1', 'failed', { ...full, message: 'timed out' }),
      make.taskFinished('lb2', 'changed', { ...place(4), seconds: 5 }),
      make.taskFinished('lb3', 'failed', { ...place(4), message: 'no licence' }),
      ...['lb1', 'lb2', 'lb3'].map((name) => make.controllerFinished(name)),
    ]);
    const { outcomes, moved, gone, come, steps } = compareRuns(before, after);
    expect(outcomes).to.deep.equal([
      ['ok', 1, 0],
      ['changed', 0, 1],
      ['failed', 2, 2],
    ]);
    expect(moved).to.deep.equal([
      { before: 'ok', after: 'failed', controllers: ['lb1'] },
      { before: 'failed', after: 'changed', controllers: ['lb2'] },
    ]);
    expect(gone.map(({ message }) => message)).to.deep.equal(['{{inventory_hostname}} is full']);
    expect(come.map(({ message, about }) => [message, about.task])).to.deep.equal([['timed out', 'Second']]);
    expect(steps.map(({ task }) => task)).to.have.members(['Create the cloud', 'Second']);
    expect(compareRuns(before, before).steps).to.deep.equal([]);
    expect(steps.find(({ task }) => task === 'Second')?.before).to.equal(undefined);
  });

  it('has a cause that both runs have in neither, whoever came first and where', () => {
    const page = (events: (make: EventMaker) => readonly Event[]): Page =>
      viewAbout(['lb1', 'lb2'], (make) => [...events(make), make.runFinished()]).page;
    const lost = (address: string, attempts: number) => `https://${address}: connection refused, ${attempts} attempts`;
    const uuid = (last: number) => `pool-00000000-0000-4000-8000-00000000000${last}`;
    const items = (name: string, item: string) => ({ ...place(4), item, message: `${name} has no room` });
    const causes = (...both: readonly Page[]) => {
      const [before, after] = both;
      if (before === undefined || after === undefined) throw new Error('not two runs');
      const { gone, come } = compareRuns(before, after);
      return [...gone, ...come].map(({ message }) => message);
    };
    const unreachable = (name: string, message: string, line = 4) =>
      page((make) => [make.taskFinished(name, 'unreachable', { ...place(line), task: `Task ${line}`, message })]);
    const failed = (message: string, task = 'One') =>
      page((make) => [make.taskFinished('lb1', 'failed', { ...place(4), task, message })]);
    expect(causes(unreachable('lb1', lost('10.0.0.1', 5)), unreachable('lb2', lost('10.0.0.2', 6), 8))).to.deep.equal(
      [],
    );
    expect(causes(failed(`${uuid(1)} is in use`), failed(`${uuid(2)} is in use`))).to.deep.equal([]);
    expect(causes(failed('is in use'), failed('is in use', 'Two'))).to.have.lengthOf(2);
    const looped = (name: string, item: string) =>
      page((make) => [
        make.taskFinished(name, 'failed', items(name, item)),
        make.taskFinished(name, 'failed', { ...place(4), message: `${name} has no room` }),
      ]);
    expect(causes(looped('lb1', 'a'), looped('lb2', 'b'))).to.deep.equal([]);
  });
});

describe('the times of a page', () => {
  it('are computed from its cells', () => {
    const view = viewAbout(['lb1', 'lb2'], (make) => [
      make.pass(2).taskFinished('lb1', 'ok', { ...place(4), seconds: 2 }),
      make.pass(2).taskFinished('lb2', 'ok', { ...place(4), seconds: 4 }),
      make.pass(1).taskFinished('lb1', 'ok', { ...place(5), seconds: 1 }),
      make.runFinished(),
    ]);
    const { steps, activity } = completed(visibleTimes(view));
    const [times] = steps;
    expect(times?.slowest).to.equal(1);
    expect(times?.longest).to.be.closeTo(4, 0.01);
    const { atWork, throughput, step } = activity;
    expect(atWork.reduce((sum, one) => sum + one * step, 0)).to.be.closeTo(7, 0.01);
    expect(throughput.reduce((sum, one) => sum + one * step, 0)).to.be.closeTo(3, 0.01);
    expect(Math.max(...atWork)).to.be.closeTo(2, 0.01);
  });

  it('name the slowest controllers, the slowest first', () => {
    const names = Array.from({ length: 30 }, (_, at) => `lb${at}`);
    const view = viewAbout(names, (make) =>
      names.map((name, at) => make.taskFinished(name, 'ok', { ...place(4), seconds: (at * 7) % 30 })),
    );
    const { slowest } = completed(visibleTimes(view));
    expect(slowest.map(([row]) => (row * 7) % 30)).to.deep.equal([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    expect(slowest[0]?.[1]).to.be.closeTo(29, 0.01);
  });

  it('show the progress of a running play: a failed controller has no tasks left', () => {
    const started = viewAbout(['lb1', 'lb2'], (make) => [
      make.pass(3).taskFinished('lb1', 'failed', place(4)),
      make.pass(3).taskFinished('lb2', 'ok', place(4)),
    ]);
    expect(completed(runProgress(started))?.done).to.equal(0.75);
    expect(completed(runProgress(started))?.left).to.be.closeTo(2, 0.01);
    expect(completed(runProgress(viewAbout(['lb1'], (make) => [make.runFinished()])))).to.equal(undefined);
    const later = viewAbout(['lb1'], (make) => [
      make.pass(10).playStarted(['lb1', 'lb2'], { play: 'Second' }),
      make.pass(3).taskFinished('lb1', 'ok', place(9)),
    ]);
    expect(completed(runProgress(later))?.left).to.be.closeTo(9, 0.01);
  });

  it('show the progress of the controllers of the play, whatever others did in earlier ones', () => {
    const some = viewAbout(['lb1', 'lb2', 'lb3', 'lb4'], (make) => [
      make.taskFinished('lb1', 'failed', place(4)),
      make.pass(10).playStarted(['lb2', 'lb3'], { play: 'Second' }),
      make.pass(3).taskFinished('lb2', 'ok', place(9)),
    ]);
    expect(completed(runProgress(some))?.done).to.equal(0.25);
    const none = viewAbout(['lb1'], (make) => [make.playStarted([], { play: 'Second' })]);
    expect(completed(runProgress(none))).to.equal(undefined);
  });
});
