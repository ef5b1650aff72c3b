import { expect } from 'chai';
import { changedControllers } from '../../src/core/model/run/event.js';
import { emptyStats, type Stats } from '../../src/core/model/run/result.js';
import type { ControllerStatus } from '../../src/engine/controllers/controller_state.js';
import { judgeEnding, StatsFold } from '../../src/engine/recap.js';

const fold = (...events: readonly Omit<Parameters<StatsFold['add']>[0], 'controller'>[]): Stats | undefined => {
  const stats = new StatsFold();
  for (const event of events) stats.add({ controller: 'lb1', ...event });
  return stats.get('lb1');
};

describe('recap', () => {
  it('counts a change also as ok', () => {
    expect(fold({ status: 'ok' }, { status: 'changed' })).to.deep.equal({ ...emptyStats(), ok: 2, changed: 1 });
  });

  it('counts an ignored failure as ok and ignored', () => {
    expect(fold({ status: 'failed', ignored: true })).to.deep.equal({ ...emptyStats(), ok: 1, ignored: 1 });
  });

  it('counts an ignored unreachable controller as ok and ignored', () => {
    expect(fold({ status: 'unreachable', ignored: true })).to.deep.equal({ ...emptyStats(), ok: 1, ignored: 1 });
  });

  it('counts the change of an ignored failure', () => {
    const stats = fold({ status: 'failed', ignored: true, changed: true });
    expect(stats).to.deep.equal({ ...emptyStats(), ok: 1, changed: 1, ignored: 1 });
  });

  it('counts a rescued failure only as rescued', () => {
    expect(fold({ status: 'failed', rescued: true })).to.deep.equal({ ...emptyStats(), rescued: 1 });
  });

  it('knows the controllers that changed something only in failures that do not count', () => {
    const stats = new StatsFold();
    const rescued = { status: 'failed', rescued: true, changed: true } as const;
    stats.add({ controller: 'lb1', ...rescued });
    stats.add({ controller: 'lb2', ...rescued });
    stats.add({ controller: 'lb2', status: 'changed' });
    stats.add({ controller: 'lb3', ...rescued, changed: false });
    stats.add({ controller: 'lb4', ...rescued, item: 'a' });
    stats.add({ controller: 'lb5', status: 'unreachable', ignored: true, changed: true });
    stats.add({ controller: 'lb6', status: 'failed', changed: true });
    expect(stats.changed).to.deep.equal(['lb1', 'lb5']);
    expect([...changedControllers({ stats: stats.all, changed: stats.changed })]).to.deep.equal(['lb2', 'lb1', 'lb5']);
  });

  it('counts failed, unreachable and skipped', () => {
    const stats = fold({ status: 'failed' }, { status: 'unreachable' }, { status: 'skipped' }, { status: 'skipped' });
    expect(stats).to.deep.equal({ ...emptyStats(), failed: 1, unreachable: 1, skipped: 2 });
  });

  it('lists controllers in the order of the plays, not in the order in which they finish', () => {
    const stats = new StatsFold(['lb2', 'never', 'lb1']);
    for (const controller of ['lb1', 'lb2']) stats.add({ controller, status: 'ok' });
    expect(Object.keys(stats.all)).to.deep.equal(['lb2', 'lb1']);
    for (const controller of ['added', 'lb1']) stats.add({ controller, status: 'ok' });
    expect(Object.keys(stats.all)).to.deep.equal(['lb2', 'lb1', 'added']);
  });

  it('counts the files and roles that were included, as Ansible does since 2.18', () => {
    expect(fold({ status: 'ok' })).to.include({ ok: 1 });
    expect(fold({ status: 'ok', included: 3 })).to.include({ ok: 3 });
    expect(fold({ status: 'ok', included: 0 })).to.include({ ok: 0 });
  });

  it('does not count what an interrupt cut off, nor the change of a failure that is not ignored', () => {
    expect(fold({ status: 'interrupted' })).to.deep.equal(emptyStats());
    expect(fold({ status: 'failed', changed: true })).to.deep.equal({ ...emptyStats(), failed: 1 });
  });

  it('does not count the checks of gates', () => {
    expect(fold({ status: 'failed', round: 2 })).to.equal(undefined);
  });

  it('does not count the items of a loop', () => {
    expect(fold({ status: 'changed', item: 'a' })).to.equal(undefined);
  });
});

describe('the end of a run', () => {
  const calm = { interrupted: false, gated: false };
  const table: readonly [string, readonly ControllerStatus[], Parameters<typeof judgeEnding>[1], string, number][] = [
    ['no controllers', [], calm, 'ok', 0],
    ['everything succeeded', ['alive', 'alive'], calm, 'ok', 0],
    ['one failed', ['alive', 'failed'], calm, 'failed', 2],
    ['one was unreachable', ['unreachable', 'alive'], calm, 'unreachable', 4],
    ['one failed and one was unreachable', ['unreachable', 'failed'], calm, 'failed', 2],
    ['one was stale and one unreachable', ['unreachable', 'stale'], calm, 'stale', 5],
    ['one was stale and one failed', ['stale', 'failed'], calm, 'failed', 2],
    ['the journal broke', ['alive'], { ...calm, isIncomplete: true }, 'failed', 2],
    ['the journal broke, and one was unreachable', ['unreachable'], { ...calm, isIncomplete: true }, 'unreachable', 4],
    ['it was interrupted', ['failed'], { interrupted: true, gated: true }, 'interrupted', 130],
    ['a gate ended it', ['alive', 'failed'], { interrupted: false, gated: true }, 'failed', 6],
  ];
  for (const [title, controllers, how, status, exitCode] of table) {
    it(`${title}: ${status}, ${exitCode}`, () => {
      expect(judgeEnding(controllers, how)).to.deep.equal({ status, exitCode });
    });
  }
});
