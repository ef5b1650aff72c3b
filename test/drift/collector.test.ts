import { expect } from 'chai';
import fc from 'fast-check';
import type { Change } from '../../src/core/model/run/result.js';
import { DriftCollector } from '../../src/drift/collector.js';
import { NOT_IN_CHECK } from '../../src/engine/execution/action.js';
import { EventMaker } from '../rig/events.js';

const found = fc.record({
  status: fc.constantFrom('same', 'drift', 'missing', 'hidden', 'unshown', 'ignored failure'),
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
          else collector.handle(make.taskFinished(name, 'changed', { ...shown, ...(change && { change }) }));
          // The event of a whole loop repeats that something has changed.
          if (loops) collector.handle(make.taskFinished(name, 'changed', { source: PLACE }));
        }
        const withStatus = (...wanted: readonly string[]): readonly string[] =>
          names.filter((_, index) => wanted.includes(fleet[index]?.status ?? ''));
        const tasks = collector.tasks(() => true);
        const members = tasks.flatMap(({ groups }) => groups.flatMap((group) => group.members));
        expect(members.map(({ controller }) => controller).sort()).to.deep.equal(
          [...withStatus('drift', 'missing')].sort(),
        );
        expect(tasks.flatMap(({ masked }) => [...masked.keys()]).sort()).to.deep.equal(
          [...withStatus('hidden')].sort(),
        );
        const unread = collector.notCompared(() => true).flatMap(({ controllers }) => [...controllers.keys()]);
        expect(unread.sort()).to.deep.equal([...withStatus('unshown', 'ignored failure')].sort());
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
    const skipped = `the upload ${NOT_IN_CHECK}`;
    const ends: readonly Parameters<EventMaker['taskFinished']>[] = [
      ['lb1', 'skipped', { message: skipped }],
      ['lb2', 'skipped', { message: 'a condition is false' }],
      ['lb3', 'skipped'],
      ['lb4', 'failed', { message: skipped, ignored: true }],
      ['lb5', 'unreachable', { message: 'no', ignored: true }],
      ['lb6', 'ok', { message: skipped }],
    ];
    for (const [name, status, given] of ends)
      collector.handle(make.taskFinished(name, status, { ...given, source: PLACE }));
    const missed = collector
      .notCompared(() => true)
      .map(({ reason, controllers }) => [reason, [...controllers.keys()]]);
    expect(missed).to.deep.equal([
      ['check mode skips it', ['lb1']],
      [`failed: ${skipped}`, ['lb4']],
      ['unreachable: no', ['lb5']],
    ]);
  });
});

function changeOf(status: string, mtu: number): Change | undefined {
  const object = 'cloud "edge"';
  if (status === 'drift') return { kind: 'update', object, before: { mtu }, after: { mtu: 9000 } };
  if (status === 'missing') return { kind: 'create', object, before: null, after: { mtu: 9000 } };
  return status === 'unshown' ? { kind: 'update', object, before: null, after: { mtu: 9000 } } : undefined;
}
