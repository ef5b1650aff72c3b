import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { ResultGroups } from '../../../src/reporting/run/result_groups.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const PLACE = { source: { file: 'p.yml', line: 3, column: 7 } };
const make = new EventMaker();

function changed(name: string, mtu: number | undefined, given: object = {}): Event {
  const change = { kind: 'update', object: 'cloud "a"', before: { mtu: 0 }, after: { mtu: mtu ?? 0 } } as const;
  return make.taskFinished(name, 'changed', { ...PLACE, ...(mtu !== undefined && { change }), ...given });
}

describe('equal results', () => {
  it('have the most frequent change first, of equally frequent ones that of the first controller, and unknown ones last', () => {
    const results = new ResultGroups({ full: true });
    const events = [
      ...['lb9', 'lb8', 'lb7', 'lb6'].map((name) => changed(name, undefined)),
      changed('lb5', 1),
      changed('lb4', 2),
      changed('lb3', 3),
      changed('lb2', 3),
      changed('lb10', 4),
    ];
    for (const event of events) results.handle(event);
    const [task] = results.tasks;
    expect(task?.changes.map(({ controllers, change }) => [controllers, change === undefined])).to.deep.equal([
      [['lb3', 'lb2'], false],
      ...['lb4', 'lb5', 'lb10'].map((name) => [[name], false]),
      [['lb9', 'lb8', 'lb7', 'lb6'], true],
    ]);
  });

  it('of equally frequent changes are in the order of their first controllers, with one that is not known in full last', () => {
    const results = new ResultGroups({ full: true });
    for (const event of [changed('lb9', undefined), changed('lb5', 1), changed('lb4', 2), changed('lb10', 3)])
      results.handle(event);
    expect(results.tasks.map(({ changes }) => changes.map(({ controllers }) => controllers))).to.deep.equal([
      [['lb4'], ['lb5'], ['lb10'], ['lb9']],
    ]);
  });

  it('contain what a task with no_log wrote before it failed', () => {
    for (const full of [true, false]) {
      const results = new ResultGroups({ full });
      const failed = { ...PLACE, message: 'no_log' };
      results.handle(make.taskFinished('lb1', 'failed', { ...failed, changed: true, maskedChange: true }));
      results.handle(make.taskFinished('lb2', 'failed', failed));
      expect(results.all.map(({ status, controllers }) => [status, [...controllers]])).to.deep.equal([
        ['failed', ['lb1', 'lb2']],
        ['changed', ['lb1']],
      ]);
    }
  });

  it('have the names of objects alone, and what stands for the controller where it is in several', () => {
    const results = new ResultGroups({});
    const create = (name: string, object: string): Event =>
      make.taskFinished(name, 'changed', { ...PLACE, change: { kind: 'create', object, before: null, after: {} } });
    for (const event of [create('lb1', 'cloud "lb1"'), create('lb2', 'cloud "b"'), create('lb3', 'cloud "lb3"')])
      results.handle(event);
    expect(results.all.map(({ text, controllers }) => [text, [...controllers]])).to.deep.equal([
      ['created cloud "{{inventory_hostname}}"', ['lb1', 'lb3']],
      ['created cloud "b"', ['lb2']],
    ]);
  });

  it('are one for each status and cause, the worst first, then in the order of their first controllers', () => {
    const results = new ResultGroups({});
    const failed = (name: string, message: string, given: object = {}) =>
      make.taskFinished(name, 'failed', { ...PLACE, message, ...given });
    for (const event of [
      failed('lb1', 'no'),
      failed('lb2', 'other'),
      failed('lb3', 'no'),
      failed('lb4', 'no', { rescued: true }),
      failed('lb5', 'no', { ignored: true }),
      make.taskFinished('lb6', 'interrupted', { ...PLACE, message: 'stopped' }),
      make.taskFinished('lb7', 'unreachable', { ...PLACE, message: 'away' }),
      make.taskFinished('lb8', 'ok', PLACE),
      make.taskFinished('lb9', 'skipped', PLACE),
    ])
      results.handle(event);
    expect(results.all.map(({ status, text, controllers }) => [status, text, [...controllers]])).to.deep.equal([
      ['failed', 'no', ['lb1', 'lb3']],
      ['failed', 'other', ['lb2']],
      ['unreachable', 'away', ['lb7']],
      ['interrupted', 'stopped', ['lb6']],
      ['rescued', 'no', ['lb4']],
      ['ignored', 'no', ['lb5']],
    ]);
  });
});

describe('the results of loops', () => {
  const shown = (...events: readonly Event[]): unknown => {
    const results = new ResultGroups({});
    for (const event of events) results.handle(event);
    return results.all.map(({ status, text, controllers }) => [status, text, [...controllers]]);
  };
  const whole = (name: string, status: 'changed' | 'failed', message: string): Event =>
    make.taskFinished(name, status, { ...PLACE, message });

  it('are those of their items for changes, and those of the task for failures, for each controller', () => {
    expect(
      shown(
        changed('lb1', 1, { item: 'a' }),
        make.taskFinished('lb2', 'failed', { ...PLACE, item: 'a', message: 'no a' }),
        changed('lb2', 1, { item: 'b' }),
        whole('lb1', 'changed', 'one item changed'),
        whole('lb3', 'changed', 'sent'),
        whole('lb2', 'failed', 'one item failed'),
        whole('lb1', 'changed', 'sent'),
      ),
    ).to.deep.equal([
      ['failed', 'one item failed', ['lb2']],
      ['changed', 'updated cloud "a": mtu', ['lb1', 'lb2']],
      ['changed', 'sent', ['lb3', 'lb1']],
    ]);
  });

  it('have no names in a cause of several controllers, and 100 different changes of each task', () => {
    const one = whole('lb1.example.com', 'failed', 'lb1 is not lb1.example.com');
    const other = whole('lb2.example.com', 'failed', 'lb2 is not lb2.example.com');
    expect(shown(one)).to.deep.equal([['failed', 'lb1 is not lb1.example.com', ['lb1.example.com']]]);
    expect(shown(one, other)).to.deep.equal([
      ['failed', '<controller> is not <controller>', ['lb1.example.com', 'lb2.example.com']],
    ]);
    const names = Array.from({ length: 102 }, (_, at) => `x${at}`);
    const results = new ResultGroups({});
    for (const [at, name] of names.entries()) results.handle(whole(name, 'changed', `sent ${'ab'.repeat(at)}`));
    results.handle(make.taskFinished('x1', 'changed', { source: { ...PLACE.source, line: 9 }, message: 'more' }));
    expect(results.all.slice(99).map(({ text, controllers }) => [text, [...controllers]])).to.deep.equal([
      [`sent ${'ab'.repeat(99)}`, ['x99']],
      ['other changes', ['x100', 'x101']],
      ['more', ['x1']],
    ]);
  });
});

describe('writes without a known outcome', () => {
  const shown = async (...events: readonly Event[]): Promise<readonly string[]> => {
    const all = [
      make.playStarted(['lb1', 'lb2']),
      ...events,
      make.runFinished({ status: 'interrupted', exitCode: 130 }),
    ];
    const { stdout } = await reported(all, { output: 'quiet' });
    return stdout.split('\n').filter((line) => line.startsWith('sent, but not confirmed'));
  };
  const UNKNOWN = { unconfirmed: true } as const;

  it('are those of items and of tasks, and no others', async () => {
    expect(await shown(changed('lb1', 1, { item: 'a' }), changed('lb1', 1))).to.deep.equal([]);
    expect(await shown(changed('lb1', 1, { item: 'a', ...UNKNOWN }), changed('lb2', 1, { item: 'a' }))).to.deep.equal([
      'sent, but not confirmed: cloud "a" on lb1',
    ]);
    expect(await shown(changed('lb1', 1), changed('lb2', 1, UNKNOWN))).to.deep.equal([
      'sent, but not confirmed: cloud "a" on lb2',
    ]);
    expect(
      await shown(changed('lb1', undefined, UNKNOWN), changed('lb2', 1, { ...UNKNOWN, delegatedTo: 'lb1' })),
    ).to.deep.equal(['sent, but not confirmed: an object that no_log masks on lb1; cloud "a" on lb1']);
  });
});
