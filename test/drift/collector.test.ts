import { expect } from 'chai';
import fc from 'fast-check';
import type { Event } from '../../src/core/model/run/event.js';
import type { Change } from '../../src/core/model/run/result.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { DriftCollector } from '../../src/drift/collector.js';
import { EventMaker } from '../rig/events.js';

const found = fc.record({
  status: fc.constantFrom('same', 'drift', 'missing', 'hidden', 'unshown', 'ignored failure', 'cleared'),
  mtu: fc.nat(3),
});
const PLACE = { file: 'p.yml', line: 3, column: 7 };

describe('the drift found by a check', () => {
  it('lists each differing controller once, and each controller that was not read', () => {
    fc.assert(
      fc.property(fc.array(found, { maxLength: 30 }), fc.boolean(), (fleet, loops) => {
        const make = new EventMaker();
        const collector = new DriftCollector({ written: () => undefined, raw: false });
        const names = fleet.map((_, index) => `lb${index}`);
        collector.handle(make.playStarted(names));
        for (const [index, { status, mtu }] of fleet.entries()) {
          const name = names[index] ?? '';
          const shown = { source: PLACE, ...(loops && { item: 'a' }) };
          const change = changeOf(status, mtu);
          if (status === 'same') collector.handle(make.taskFinished(name, 'ok', shown));
          else if (status === 'ignored failure')
            collector.handle(make.taskFinished(name, 'failed', { ...shown, ignored: true, message: 'no' }));
          else if (status === 'cleared')
            collector.handle(make.taskFinished(name, 'ok', { ...shown, notCompared: 'failed', message: 'no' }));
          else if (status === 'hidden')
            collector.handle(make.taskFinished(name, 'changed', { ...shown, maskedChange: true }));
          else collector.handle(make.taskFinished(name, 'changed', { ...shown, ...(change && { change }) }));
          // The event of a whole loop repeats that something has changed.
          if (loops) collector.handle(make.taskFinished(name, 'changed', { source: PLACE }));
        }
        const withStatus = (...wanted: readonly string[]): readonly string[] =>
          names.filter((_, index) => wanted.includes(fleet[index]?.status ?? ''));
        const { tasks } = collector;
        const members = tasks.flatMap(({ groups }) => groups.flatMap((group) => group.members));
        expect(members.map(({ controller }) => controller).sort()).to.deep.equal(
          [...withStatus('drift', 'missing')].sort(),
        );
        expect(tasks.flatMap(({ masked }) => [...masked.keys()]).sort()).to.deep.equal(
          [...withStatus('hidden')].sort(),
        );
        const unread = collector.notCompared(() => false).flatMap(({ controllers }) => [...controllers.keys()]);
        expect(unread.sort()).to.deep.equal([...withStatus('unshown', 'ignored failure', 'cleared')].sort());
        for (const { groups } of tasks)
          for (const group of groups) {
            const own = group.members.map(({ controller }) => fleet[names.indexOf(controller)]);
            expect(
              new Set(own.map((one) => JSON.stringify([one?.status, one?.status === 'missing' || one?.mtu]))),
            ).to.have.lengthOf(1);
          }
      }),
    );
  });

  it('lists what check mode skipped, what failed, and nothing that was skipped for another reason', () => {
    const make = new EventMaker();
    const collector = new DriftCollector({ written: () => undefined, raw: false });
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6'];
    collector.handle(make.playStarted(names));
    const skipped = 'the upload is not carried out in check mode';
    const ends: readonly Parameters<EventMaker['taskFinished']>[] = [
      ['lb1', 'skipped', { message: skipped, notCompared: 'check mode' }],
      ['lb2', 'skipped', { message: 'a condition is false' }],
      ['lb3', 'skipped'],
      ['lb4', 'failed', { message: skipped, ignored: true }],
      ['lb5', 'unreachable', { message: 'no', ignored: true }],
      ['lb6', 'ok', { message: skipped }],
      ['lb6', 'changed', { change: { kind: 'update', object: 'cloud "a"', before: null, after: {} } }],
      ['lb2', 'ok', { message: 'no', notCompared: 'failed' }],
      ['lb3', 'skipped', { message: 'x is not known', notCompared: 'later' }],
    ];
    for (const [name, status, given] of ends)
      collector.handle(make.taskFinished(name, status, { ...given, source: PLACE }));
    const missed = collector
      .notCompared(() => false)
      .map(({ reason, controllers }) => [reason, [...controllers.keys()]]);
    expect(missed).to.deep.equal([
      ['check mode skips it', ['lb1']],
      [`failed: ${skipped}`, ['lb4']],
      ['unreachable: no', ['lb5']],
      ['the controller does not show cloud "a"', ['lb6']],
      ['failed: no', ['lb2']],
      ['x is not known', ['lb3']],
    ]);
    expect([...collector.controllers]).to.deep.equal(names);
  });
});

describe('what a task found on each controller', () => {
  const make = new EventMaker();
  const at = (line: number, module = 'cloud_present') => ({ task: `T${line}`, module, source: { ...PLACE, line } });
  const collected = (raw: boolean, ...events: readonly Event[]) => {
    const collector = new DriftCollector({ written: () => undefined, raw });
    for (const event of events) collector.handle(event);
    return collector;
  };
  const update = (before: Mapping, after: Mapping): Change => ({ kind: 'update', object: 'cloud "a"', before, after });

  it('is where the object is, and the values that it has now', () => {
    const before = { mtu: 1, list: [1, 2], deep: { a: 1, gone: 2 }, same: 1 };
    const after = { mtu: 2, list: [1, 3], deep: { a: 5 }, same: 1, own: 7 };
    const event = make.taskFinished('lb1', 'changed', {
      ...at(1),
      change: update(before, after),
      tenant: 'web',
      delegatedTo: 'lb2',
      address: 'https://far',
    });
    const created = make.taskFinished('lb3', 'changed', {
      ...at(2),
      change: { kind: 'create', object: 'x', before: null, after },
    });
    const objects = (raw: boolean) =>
      collected(raw, event, created).tasks.flatMap(({ groups }) => groups.flatMap(({ members }) => members));
    const [one, other] = objects(false);
    expect(one).to.deep.equal({
      controller: 'lb1',
      target: 'lb2',
      address: 'https://far',
      acting: 'lb1 → lb2',
      tenant: 'web',
      object: 'cloud "a"',
      kind: 'update',
      change: undefined,
      now: [
        { path: ['mtu'], value: 1 },
        { path: ['list'], value: [1, 2] },
        { path: ['deep', 'a'], value: 1 },
        { path: ['deep', 'gone'], value: 2 },
        { path: ['own'], value: undefined },
      ],
    });
    expect(other).to.deep.include({ kind: 'create', target: 'lb3', acting: 'lb3', now: [] });
    expect(objects(true)[0]?.change).to.deep.equal(update(before, after));
  });

  it('is masked, sent or not read: whether the latter matters depends on the module; a condition alone changes nothing', () => {
    const sent = (object: string) => ({ change: { kind: 'invoke', object, before: null, after: null } as const });
    const collector = collected(
      false,
      make.taskFinished('lb1', 'changed', { ...at(1), maskedChange: true }),
      make.taskFinished('lb2', 'changed', { ...at(1), message: 'other' }),
      make.taskFinished('lb3', 'changed', { ...at(2, 'debug'), message: 'other' }),
      make.taskFinished('lb1', 'changed', { ...at(3, 'file_upload'), ...sent('file "a"') }),
      make.taskFinished('lb2', 'changed', { ...at(3, 'file_upload'), ...sent('file "a"') }),
      make.taskFinished('lb2', 'changed', { ...at(3, 'file_upload'), ...sent('file "b"') }),
      make.taskFinished('lb4', 'failed', { ...at(4, 'pool_present'), message: 'no', rescued: true }),
      make.taskFinished('lb5', 'failed', { ...at(4, 'pool_present'), message: 'no', ignored: true }),
      make.taskFinished('lb6', 'failed', { ...at(4, 'pool_present'), message: 'no' }),
      make.taskFinished('lb5', 'unreachable', { ...at(4, 'pool_present'), ignored: true }),
      make.taskFinished('lb4', 'failed', { ...at(5, 'pool_present'), message: 'no', ignored: true }),
    );
    expect([...collector.unclearModules]).to.deep.equal(['pool_present']);
    const { tasks } = collector;
    expect(
      tasks.map(({ task, masked, invoked }) => [
        task,
        [...masked.keys()],
        [...invoked].map(([name, on]) => [name, [...on.keys()]]),
      ]),
    ).to.deep.equal([
      ['T1', ['lb1'], []],
      [
        'T3',
        [],
        [
          ['file "a"', ['lb1', 'lb2']],
          ['file "b"', ['lb2']],
        ],
      ],
    ]);
    expect(collector.notCompared(() => false)[0]).to.deep.equal({
      ...at(4, 'pool_present'),
      reason: 'failed: no',
      unread: true,
      controllers: new Map(['lb4', 'lb5'].map((controller) => [controller, { controller, delegatedTo: undefined }])),
    });
    const missed = (isAction: boolean) =>
      collector
        .notCompared(() => isAction)
        .map(({ reason, unread, controllers }) => [reason, unread, [...controllers.keys()]]);
    expect(missed(false)).to.deep.equal([
      ['failed: no', true, ['lb4', 'lb5']],
      ['unreachable: ', true, ['lb5']],
      ['failed: no', true, ['lb4']],
    ]);
    expect(missed(true)).to.deep.equal([]);
  });

  it('is that of items, not of their loop, on each of two controllers', () => {
    const item = (name: string, mtu: number) =>
      make.taskFinished(name, 'changed', { ...at(1), item: 'a', change: update({ mtu: 0 }, { mtu }) });
    const loop = (name: string) => make.taskFinished(name, 'changed', at(1));
    const collector = collected(
      false,
      item('lb1', 1),
      item('lb2', 2),
      loop('lb1'),
      item('lb2', 1),
      loop('lb2'),
      loop('lb1'),
      make.runFinished(),
    );
    const [task] = collector.tasks;
    expect(task?.groups.map(({ members }) => members.map(({ controller }) => controller))).to.deep.equal([
      ['lb1', 'lb2'],
      ['lb2'],
    ]);
    expect([...(task?.masked.keys() ?? [])]).to.deep.equal([]);
    expect(collector.finished?.type).to.equal('run-finished');
  });
});

function changeOf(status: string, mtu: number): Change | undefined {
  const object = 'cloud "edge"';
  if (status === 'drift') return { kind: 'update', object, before: { mtu }, after: { mtu: 9000 } };
  if (status === 'missing') return { kind: 'create', object, before: null, after: { mtu: 9000 } };
  return status === 'unshown' ? { kind: 'update', object, before: null, after: { mtu: 9000 } } : undefined;
}
