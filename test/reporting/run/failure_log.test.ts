import { expect } from 'chai';
import type { Event, TaskFinished } from '../../../src/core/model/run/event.js';
import { causeKey, failedNames } from '../../../src/reporting/run/failures/failure_group.js';
import { FailureLog, SharedNames, WrittenNames } from '../../../src/reporting/run/failures/failure_log.js';
import { failureFacts } from '../../../src/reporting/run/failures/failure_text.js';
import { EventMaker } from '../../rig/events.js';

const make = new EventMaker();
const at = (line: number, column = 7) => ({ source: { file: 'p.yml', line, column } });
const created = (object: string) => ({ kind: 'create', object, before: null, after: {} }) as const;
const failed = (name: string, given: object = {}) =>
  make.taskFinished(name, 'failed', { message: 'no', ...at(3), ...given });
const changed = (name: string, object: string, given: object = {}) =>
  make.taskFinished(name, 'changed', { ...at(1), change: created(object), ...given });

function logged(...events: readonly Event[]): FailureLog {
  const log = new FailureLog();
  for (const event of events) log.handle(event);
  return log;
}

function facts(log: FailureLog, check = false): readonly (readonly string[])[] {
  return log.groups.map((group) =>
    failureFacts(group, { mask: (text) => text, check }).map(([name, text]) => `${name}: ${text}`),
  );
}

describe('the cause of a failure', () => {
  const key = (name: string, given: object = {}, status: TaskFinished['status'] = 'failed') =>
    causeKey(make.taskFinished(name, status, { message: `${name} is full`, ...at(3), ...given }) as TaskFinished);

  it('is the same at one task for one message, whatever the controller is called', () => {
    expect(key('lb1')).to.equal(key('lb2'));
    expect(key('lb1')).to.not.equal(key('lb1', at(4)));
    expect(key('lb1')).to.not.equal(key('lb1', at(3, 8)));
    expect(key('lb1')).to.not.equal(key('lb1', { message: 'lb1 is away' }));
    expect(key('lb1')).to.not.equal(key('lb1', { cause: at(9).source }));
    expect(key('lb1', { cause: at(8).source })).to.not.equal(key('lb1', { cause: at(9).source }));
    expect(key('lb1', { message: undefined })).to.equal(key('lb2', { message: undefined }));
  });

  it('of a controller that cannot be reached is the same at all tasks, but for those of a gate', () => {
    expect(key('lb1', at(3), 'unreachable')).to.equal(key('lb2', at(9), 'unreachable'));
    expect(key('lb1', at(3), 'unreachable')).to.not.equal(key('lb1', { message: 'x' }, 'unreachable'));
    expect(key('lb1', { round: 1 }, 'unreachable')).to.not.equal(key('lb2', { ...at(9), round: 1 }, 'unreachable'));
    expect(key('lb1', {}, 'unreachable')).to.not.equal(key('lb1'));
  });
});

describe('the failures of a run', () => {
  it('know what each of their controllers wrote before', () => {
    const log = logged(
      make.playStarted(['lb1', 'lb2', 'lb3']),
      changed('lb1', 'cloud "lb1"'),
      changed('lb1', 'cloud "lb1"'),
      changed('lb2', 'cloud "lb2"'),
      changed('lb2', 'pool "a"', { delegatedTo: 'lb9' }),
      changed('lb3', 'pool "b"'),
      changed('lb1', 'pool "c"', { check: true }),
      failed('lb1'),
      failed('lb2'),
      failed('lb3', { message: 'other', hint: 'do it' }),
    );
    expect(facts(log)).to.deep.equal([
      ['2 controllers: lb1, lb2', 'written before: cloud "<controller>", pool "a" on lb9 (1 controller)'],
      ['controller: lb3', 'hint: do it', 'written before: pool "b"'],
    ]);
    expect([log.check, log.controllers.join()]).to.deep.equal([false, 'lb1,lb2,lb3']);
    const none = logged(make.playStarted(['lb1']), changed('lb1', 'a', { check: true }), failed('lb1'));
    expect(facts(none)).to.deep.equal([['controller: lb1', 'written before: nothing']]);
    expect(facts(none, true)).to.deep.equal([['controller: lb1']]);
  });

  it('name what differs only in an address or uuid, unless each of several controllers has its own', () => {
    const uuid = (name: string, at: number) => `PUT /api/pool/0000000${at}-0000-4000-8000-00000000000${name.slice(2)}`;
    const log = (names: readonly string[]) =>
      logged(
        make.playStarted(names),
        ...names.flatMap((name) => [
          changed(name, 'pool "10.0.0.1"'),
          changed(name, 'pool "10.0.0.2"'),
          changed(name, uuid(name, 1)),
          changed(name, uuid(name, 2)),
          failed(name, { change: created('vs "10.0.0.3"'), item: 'a' }),
          failed(name, { change: created('vs "10.0.0.4"'), item: 'b' }),
          failed(name),
        ]),
      );
    const pools = 'pool "10.0.0.1", pool "10.0.0.2"';
    expect(facts(log(['lb1']))).to.deep.equal([
      [
        'controller: lb1',
        `written before: ${pools}, ${uuid('lb1', 1)}, ${uuid('lb1', 2)}`,
        'sent, but not confirmed: vs "10.0.0.3"; vs "10.0.0.4"',
      ],
    ]);
    expect(facts(log(['lb1', 'lb2']))).to.deep.equal([
      [
        '2 controllers: lb1, lb2',
        `written before: ${pools}, PUT /api/pool/<uuid>`,
        'sent, but not confirmed: vs "10.0.0.3"; vs "10.0.0.4"',
      ],
    ]);
  });

  it('have each controller once, also if it fails again for the same cause after another one', () => {
    const away = (name: string) => make.taskFinished(name, 'unreachable', { message: 'away', ...at(3) });
    const log = logged(
      make.playStarted(['lb1', 'lb2'], { routes: { berlin: [0, 1] } }),
      changed('lb1', 'cloud "a"'),
      away('lb1'),
      away('lb2'),
      make.playStarted(['lb1', 'lb2'], { routes: { berlin: [0, 1] } }),
      changed('lb1', 'cloud "b"'),
      changed('lb2', 'cloud "a"'),
      away('lb1'),
      away('lb2'),
    );
    expect(facts(log)).to.deep.equal([
      ['2 controllers: lb1, lb2', 'route: berlin', 'written before: cloud "a", cloud "b" (1 controller)'],
    ]);
  });

  it('count the tasks after them, of each play, where these are known', () => {
    const ok = (name: string, given: object = {}) => make.taskFinished(name, 'ok', { ...at(1), ...given });
    const left = (...events: readonly Event[]) =>
      facts(logged(...events)).map((one) => one.find((text) => text.startsWith('not run')));
    const play = make.playStarted(['lb1', 'lb2'], { tasks: 4 });
    const end = make.playFinished();
    expect(left(play, ok('lb1'), failed('lb1'), failed('lb2'), end)).to.deep.equal(['not run: 2 to 3 tasks after it']);
    expect(
      left(
        play,
        ok('lb1'),
        ok('lb1', { item: 'a' }),
        ok('lb1', { handler: true }),
        ok('lb1', { round: 1 }),
        failed('lb1'),
        end,
      ),
    ).to.deep.equal(['not run: 2 tasks after it']);
    // What an "always" does after the failure is not left.
    expect(left(play, failed('lb1'), ok('lb1'), ok('lb1'), end)).to.deep.equal(['not run: 1 task after it']);
    expect(left(play, failed('lb1'), ok('lb1'), ok('lb1'), ok('lb1'), end)).to.deep.equal([undefined]);
    expect(left(play, ok('lb1', { rescued: true }), failed('lb1'), end)).to.deep.equal([undefined]);
    expect(left(play, ok('lb1', { module: 'include_tasks' }), failed('lb1'), end)).to.deep.equal([undefined]);
    expect(left(play, ok('lb1', { module: 'tasks_include_' }), failed('lb1'), end)).to.deep.equal([
      'not run: 2 tasks after it',
    ]);
    expect(left(make.runStarted({ resumed: true }), play, failed('lb1'), end)).to.deep.equal([undefined]);
    // Each play counts anew.
    expect(left(play, ok('lb1', { rescued: true }), end, play, ok('lb1'), failed('lb1'), end)).to.deep.equal([
      'not run: 2 tasks after it',
    ]);
    expect(left(play, failed('lb1'), make.runFinished())).to.deep.equal(['not run: 3 tasks after it']);
  });

  it('of a gate are those of its last round, if it stops the rollout', () => {
    const round = (name: string, number: number) => failed(name, { round: number });
    const events = [
      make.gateStarted(['lb1', 'lb2']),
      round('lb1', 1),
      make.gateChecked(1, ['lb1']),
      round('lb2', 2),
      make.gateChecked(2, ['lb2']),
    ];
    expect(facts(logged(...events, make.gateFinished('continue', 'failed')))).to.deep.equal([]);
    for (const action of ['stop', 'rollback'] as const)
      expect(facts(logged(...events, make.gateFinished(action, 'failed')))).to.deep.equal([
        ['controller: lb2', 'gate: of batch 1, round 2', 'written before: nothing'],
      ]);
  });

  it('have the routes of their controllers, those with the most first, and delegates', () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const log = logged(
      make.playStarted(names, { routes: { paris: [0], madrid: [1, 2] } }),
      ...['lb1', 'lb2', 'lb3'].map((name) => failed(name)),
      failed('lb4', { message: 'x', delegatedTo: 'lb2' }),
      failed('lb1', { message: 'y' }),
    );
    expect(facts(log, true)).to.deep.equal([
      ['3 controllers: lb1, lb2, lb3', '2 routes: madrid (2 controllers), paris (1 controller)'],
      ['controller: lb4, delegated to lb2', 'route: madrid'],
      ['controller: lb1', 'route: paris'],
    ]);
    expect(log.groups.map((group) => failedNames(group, 2))).to.deep.equal([
      'lb1, lb2 and 1 more',
      'lb4, delegated to lb2',
      'lb1',
    ]);
  });

  it('have the writes whose outcome is unknown; others that nothing failed for are apart', () => {
    const unknown = { unconfirmed: true };
    const log = logged(
      make.playStarted(['lb1', 'lb2']),
      failed('lb1', { ...unknown, change: created('cloud "a"') }),
      failed('lb2', { ...unknown, change: created('cloud "a"') }),
      failed('lb2', { ...unknown, change: created('cloud "b"'), delegatedTo: 'lb9' }),
      failed('lb1', { ...unknown, ignored: true, change: created('cloud "c"'), ...at(5) }),
      changed('lb1', 'cloud "d"', { ...unknown, item: 'x' }),
      changed('lb2', 'cloud "lb2"', unknown),
      changed('lb1', 'cloud "lb1"', unknown),
    );
    expect(facts(log)[0]?.find((one) => one.startsWith('sent'))).to.equal(
      'sent, but not confirmed: cloud "a"; cloud "b" on lb9',
    );
    expect(log.unconfirmed.map(({ text, controllers }) => [text, [...controllers]])).to.deep.equal([
      ['cloud "c"', ['lb1']],
      ['cloud "d"', ['lb1']],
      ['cloud "<controller>"', ['lb2', 'lb1']],
    ]);
  });

  it('have their own write among those before, unless it was a check: whether it took effect is known', () => {
    const log = logged(
      make.playStarted(['lb1', 'lb2', 'lb3']),
      failed('lb1', { changed: true, change: created('cloud "a"'), ignored: true }),
      failed('lb1', { changed: true, change: created('cloud "b"') }),
      failed('lb2', { changed: true, change: created('cloud "b"'), check: true }),
      failed('lb3', { change: created('cloud "c"'), rescued: true }),
      failed('lb3', { change: created('cloud "d"'), rescued: true, check: true }),
    );
    expect(facts(log)).to.deep.equal([
      ['2 controllers: lb1, lb2', 'written before: cloud "a" (1 controller), cloud "b" (1 controller)'],
    ]);
    expect(log.unconfirmed.map(({ text, controllers }) => [text, [...controllers]])).to.deep.equal([
      ['cloud "c"', ['lb3']],
    ]);
  });

  it('have the writes that no_log masks, without the names of their objects', () => {
    const masked = { maskedChange: true } as const;
    const log = logged(
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'changed', masked),
      make.taskFinished('lb1', 'changed', { ...masked, delegatedTo: 'lb9' }),
      make.taskFinished('lb2', 'changed', { ...masked, check: true }),
      make.taskFinished('lb2', 'changed'),
      failed('lb1'),
      failed('lb2', { ...masked, ...at(4) }),
    );
    const object = 'an object that no_log masks';
    expect(facts(log)).to.deep.equal([
      ['controller: lb1', `written before: ${object}, ${object} on lb9`],
      ['controller: lb2', 'written before: nothing', `sent, but not confirmed: ${object}`],
    ]);
  });

  it('of a loop are those of its items', () => {
    const log = logged(
      make.playStarted(['lb1', 'lb2']),
      failed('lb1', { item: 'a' }),
      make.taskFinished('lb1', 'ok', { item: 'b', ...at(3) }),
      failed('lb2', { item: 'c', message: 'other' }),
      failed('lb1', { message: 'an item failed' }),
      failed('lb2', { message: 'an item failed', ignored: true }),
      failed('lb2', { message: 'later' }),
      make.taskFinished('lb2', 'unreachable', { item: 'd', message: 'away', ...at(3) }),
      make.taskFinished('lb2', 'unreachable', { message: 'an item was away', ...at(3) }),
    );
    expect(
      log.groups.map(({ items, message, controllers }) => [[...items].join(), message, [...controllers.keys()].join()]),
    ).to.deep.equal([
      ['a', 'no', 'lb1'],
      ['', 'later', 'lb2'],
      ['d', 'away', 'lb2'],
    ]);
  });
});

describe('the names of written objects', () => {
  it('are one each, in lists that are shared while there are few', () => {
    const shared = new SharedNames();
    const [one, other, third] = [new WrittenNames(shared), new WrittenNames(shared), new WrittenNames(shared)];
    for (const name of ['a', 'b', 'a', '', 'b']) one.add(name);
    for (const name of ['a', 'b']) other.add(name);
    for (const name of ['b', 'a']) third.add(name);
    expect([one.all, third.all]).to.deep.equal([
      ['a', 'b'],
      ['b', 'a'],
    ]);
    expect(one.all).to.equal(other.all);
    const many = new WrittenNames(shared);
    const names = Array.from({ length: 53 }, (_, at) => `n${at}`);
    for (const name of [...names, 'n51', 'n3']) many.add(name);
    expect(many.all).to.deep.equal(names);
    const full = new SharedNames();
    for (let at = 0; at < 1000; at++) new WrittenNames(full).add(`x${at}`);
    const [late, later] = [new WrittenNames(full), new WrittenNames(full)];
    for (const written of [late, later]) for (const name of ['y1', 'y2', 'y1']) written.add(name);
    expect(late.all).to.deep.equal(['y1', 'y2']);
    expect(late.all).to.not.equal(later.all);
  });
});
