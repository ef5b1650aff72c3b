import { expect } from 'chai';
import type { RunFinished } from '../../src/core/model/run/event.js';
import { DriftCollector } from '../../src/drift/collector.js';
import type { Drift } from '../../src/drift/find_drift.js';
import type { DriftOrigin } from '../../src/drift/origins.js';
import { driftLines, type DriftText } from '../../src/drift/text.js';
import type { UnmanagedObject } from '../../src/drift/unmanaged.js';
import { FailureLog } from '../../src/reporting/run/failures/failure_log.js';
import { controllerNames, EventMaker } from '../rig/events.js';

const NAMES = ['lb1', 'lb2', 'lb3'];
const ORIGINS: Readonly<Record<string, DriftOrigin>> = {
  lb1: { type: 'never applied' },
  lb2: { type: 'changed since', run: 'R2' },
  lb3: { type: 'declared anew', run: 'R3' },
};

interface Given extends Partial<Drift> {
  readonly controllers?: ReadonlySet<string>;
}

/** The drift of a check in which these tasks found these changes. */
function driftOf(
  report: (make: EventMaker) => readonly Parameters<DriftCollector['handle']>[0][],
  given: Given = {},
  names: readonly string[] = NAMES,
): Drift {
  const make = new EventMaker();
  const collector = new DriftCollector({ written: () => undefined, raw: true });
  const failures = new FailureLog();
  const finished = make.runFinished() as RunFinished;
  for (const event of [make.playStarted(names), ...report(make), finished]) {
    collector.handle(event);
    failures.handle(event);
  }
  const { tasks } = collector;
  const members = tasks.flatMap(({ groups }) => groups.flatMap((group) => group.members));
  return {
    run: 'R',
    finished,
    exitCode: 0,
    controllers: new Set(names),
    tasks,
    drifted: new Set(members.map(({ controller }) => controller)),
    unread: new Set<string>(),
    notCompared: collector.notCompared(() => false),
    failures: failures.groups,
    warnings: [],
    judgeOrigin: ({ controller }) => ORIGINS[controller] ?? { type: 'unknown since', run: 'R9' },
    unmanaged: undefined,
    ...given,
  };
}

function lines(drift: Drift, given: Partial<DriftText> = {}): readonly string[] {
  const text = { playbooks: ['a.yml', 'b.yml'], mask: (one: string) => one.replace('hush', '***'), cwd: '/' };
  return driftLines(drift, { ...text, colour: false, raw: false, whole: false, ...given });
}

function changed(make: EventMaker, name: string, fields: object, line = 3, given: object = {}) {
  const before = Object.fromEntries(Object.keys(fields).map((field) => [field, 0]));
  const change = { kind: 'update', object: 'cloud "a"', before, after: { ...fields } } as const;
  return make.taskFinished(name, 'changed', {
    task: `Task ${line}`,
    source: { file: '/p.yml', line, column: 7 },
    change,
    ...given,
  });
}

const SIGNS = '- is what the controller has, + what the playbook declares';

describe('the text of a drift', () => {
  it('shows no lines of a file that has changed since it was read, or may have, as those of a kept run', () => {
    const source = { file: import.meta.filename, line: 1, column: 1 };
    const shown = (given: Given) =>
      lines(driftOf((make) => [make.taskFinished('lb1', 'failed', { source, message: 'odd' })], given)).join('\n');
    expect(shown({ hasChanged: () => false })).to.include("import { expect } from 'chai'");
    expect(shown({})).to.include('text.test.ts:1:1').and.not.include('import {');
    expect(shown({ hasChanged: () => true }))
      .to.include('the file has changed since it was read')
      .and.not.include('import {');
  });

  it('says what differs on each of two controllers, and since when', () => {
    const drift = driftOf((make) => [
      changed(make, 'lb1', { mtu: 1 }),
      changed(make, 'lb2', { mtu: 1 }),
      changed(make, 'lb3', { mtu: 2 }, 5),
    ]);
    expect(lines(drift)).to.deep.equal([
      SIGNS,
      '',
      'Task 3 (p.yml:3:7)',
      '  cloud "a" on 2 controllers: lb1, lb2',
      '    - mtu: 0',
      '    + mtu: 1',
      '    never applied: no run in the journal has written it: lb1',
      '    changed by someone since run R2: lb2',
      'Task 5 (p.yml:5:7)',
      '  cloud "a" on lb3',
      '    - mtu: 0',
      '    + mtu: 2',
      '    unchanged since run R3; the playbook or its variables have changed',
      '',
      '3 of 3 controllers differ from a.yml b.yml: lb1, lb2, lb3',
    ]);
    expect(lines(drift, { raw: true })).to.deep.equal([
      SIGNS,
      '',
      'Task 3 (p.yml:3:7)',
      '  on lb1',
      '    cloud "a"',
      '    - mtu: 0',
      '    + mtu: 1',
      '    never applied: no run in the journal has written it',
      '  on lb2',
      '    cloud "a"',
      '    - mtu: 0',
      '    + mtu: 1',
      '    changed by someone since run R2',
      'Task 5 (p.yml:5:7)',
      '  on lb3',
      '    cloud "a"',
      '    - mtu: 0',
      '    + mtu: 2',
      '    unchanged since run R3; the playbook or its variables have changed',
      '',
      '3 of 3 controllers differ from a.yml b.yml: lb1, lb2, lb3',
    ]);
  });

  it('says it once if all differs for the same reason', () => {
    const drift = driftOf((make) => [changed(make, 'lb1', { mtu: 1 }), changed(make, 'lb2', { mtu: 2 }, 5)], {
      judgeOrigin: () => ({ type: 'unknown since', run: 'R7' }),
    });
    const shown = lines(drift).filter((line) => line.includes('R7'));
    expect(shown).to.deep.equal(['all of this: last written by run R7; its result is unknown']);
    const judgeOrigin = () => ({ type: 'unknown' }) as const;
    expect(lines(driftOf((make) => [changed(make, 'lb1', { mtu: 1 })], { judgeOrigin }))).to.include(
      '    unknown: no run whose journal can be read has written it',
    );
    const masked = driftOf((make) => [
      changed(make, 'lb1', { mtu: 1 }),
      make.taskFinished('lb2', 'changed', { task: 'Masked', source: { file: '/p.yml', line: 9, column: 7 } }),
    ]);
    expect(lines(masked).filter((line) => line.includes('all of this'))).to.deep.equal([]);
  });

  it('has ten groups of a task, sixteen lines of each, and all with -v', () => {
    const names = controllerNames(12);
    const many = driftOf((make) => names.map((name, at) => changed(make, name, { [`f${at}`]: 1 })), {}, names);
    expect(lines(many).filter((line) => line.startsWith('  cloud'))).to.have.length(10);
    expect(lines(many)).to.include('  other drift on 2 controllers; --diff=host shows each');
    const long = (number: number) =>
      driftOf((make) => [changed(make, 'lb1', Object.fromEntries(controllerNames(number).map((name) => [name, 1])))]);
    expect(lines(long(8)).filter((line) => /^ {4}[-+]/.test(line))).to.have.length(16);
    const cut = lines(long(9)).filter((line) => line.startsWith('    '));
    expect(cut.slice(0, 16)).to.deep.equal(
      lines(long(8))
        .filter((line) => line.startsWith('    '))
        .slice(0, 16),
    );
    const [task] = driftOf((make) => [changed(make, 'lb1', { mtu: 1 })]).tasks;
    if (task === undefined) throw new Error('a task is expected');
    const others = driftOf(() => [], { tasks: [{ ...task, others: new Set(['lb2', 'lb3']) }] });
    expect(lines(others)).to.include('  other drift on 2 controllers; --diff=host shows each');
    const invoked = new Map(
      ['POST /a', 'POST /b'].map((object) => [object, new Map([['lb2', { controller: 'lb2' }]])]),
    );
    expect(lines(driftOf(() => [], { tasks: [{ ...task, invoked }] }))).to.include.members([
      '  differs on lb2: POST /a',
      '  differs on lb2: POST /b',
    ]);
    expect(lines(long(9))).to.include('    … and 2 more lines; -v shows them');
    expect(lines(long(9)).filter((line) => /^ {4}[-+]/.test(line))).to.have.length(16);
    expect(lines(long(9), { whole: true }).filter((line) => /^ {4}[-+]/.test(line))).to.have.length(18);
  });

  it('shows six tasks in full, the others in a line each, and all with -v or for each controller', () => {
    const drift = driftOf((make) => controllerNames(8).map((_, at) => changed(make, 'lb1', { [`f${at}`]: 1 }, at + 1)));
    const full = (given: Partial<DriftText>) => lines(drift, given).filter((line) => line.startsWith('    + '));
    const outlines = (given: Partial<DriftText>) =>
      lines(drift, given).filter((line) => line.includes(': cloud "a" on 1 controller: '));
    expect([full({}).length, outlines({})]).to.deep.equal([
      6,
      ['Task 7 (p.yml:7:7): cloud "a" on 1 controller: f6', 'Task 8 (p.yml:8:7): cloud "a" on 1 controller: f7'],
    ]);
    for (const given of [{ whole: true }, { raw: true }])
      expect([full(given).length, outlines(given)]).to.deep.equal([8, []]);
  });

  const summaries: readonly (readonly [what: string, given: Given, shown: readonly string[]])[] = [
    ['no drift', {}, ['no drift: 3 controllers as a.yml b.yml declares']],
    ['one controller', { controllers: new Set(['lb1']) }, ['no drift: 1 controller as a.yml b.yml declares']],
    ['one that differs', { drifted: new Set(['lb2']) }, ['1 of 3 controllers differs from a.yml b.yml: lb2']],
    ['one not read', { unread: new Set(['lb3']) }, ['not fully read: lb3', 'no drift found on 2 of 3 controllers']],
    [
      'two not read, one of which differs',
      { unread: new Set(['lb3', 'lb1']), drifted: new Set(['lb3', 'lb1']) },
      ['not fully read: 2 controllers: lb1, lb3', '2 of 3 controllers differ from a.yml b.yml: lb1, lb3'],
    ],
  ];
  for (const [what, given, shown] of summaries)
    it(`ends with a summary: ${what}`, () => {
      expect(lines(driftOf(() => [], given))).to.deep.equal(shown);
    });

  it('names up to ten controllers in a line, and up to twenty that differ', () => {
    const names = (most: number): readonly string[] => Array.from({ length: most }, (_, at) => `c${at}`);
    const ended = (unread: number, drifted: number): readonly string[] =>
      lines(driftOf(() => [], { unread: new Set(names(unread)), drifted: new Set(names(drifted)) }));
    const [ten, twenty] = [names(10).join(', '), names(20).join(', ')];
    expect(ended(10, 20)).to.deep.equal([
      `not fully read: 10 controllers: ${ten}`,
      `20 of 3 controllers differ from a.yml b.yml: ${twenty}`,
    ]);
    expect(ended(11, 21)).to.deep.equal([
      `not fully read: 11 controllers: ${ten} and 1 more`,
      `21 of 3 controllers differ from a.yml b.yml: ${twenty} and 1 more`,
    ]);
    const all = ['lb1', ...names(11)];
    const origins = lines(driftOf((make) => all.map((name) => changed(make, name, { mtu: 1 })), {}, all));
    expect(origins.filter((line) => line.includes('run R9'))).to.deep.equal([
      `    last written by run R9; its result is unknown: ${ten} and 1 more`,
    ]);
  });

  it('ends with how far it got, if it was interrupted', () => {
    const { finished } = driftOf(() => []);
    const interrupted = driftOf(() => [], { finished: { ...finished, status: 'interrupted' } });
    expect(lines(interrupted)).to.deep.equal([
      'interrupted: the comparison is not complete',
      'no drift found on 3 of 3 controllers',
    ]);
    const found = { drifted: new Set(['lb2']), unread: new Set(['lb1']) };
    expect(lines({ ...interrupted, ...found })).to.deep.equal([
      'interrupted: the comparison is not complete',
      'not fully read: lb1',
      '1 of 3 controllers differs from a.yml b.yml: lb2',
    ]);
  });

  it('names objects that no task manages, up to 20', () => {
    const object = (name: string, given: Partial<UnmanagedObject> = {}): UnmanagedObject => {
      return { kind: 'pool', name, tenant: undefined, cloud: undefined, controllers: ['lb1'], ...given };
    };
    const shown = (unmanaged: readonly UnmanagedObject[], given: Given = {}) =>
      lines(driftOf(() => [], { unmanaged, ...given })).slice(0, -1);
    expect(shown([])).to.deep.equal(['every object of the managed kinds belongs to a task', '']);
    expect(shown([], { unread: new Set(['lb1']) })).to.deep.equal([
      'no unmanaged objects on the controllers that were read',
      '',
      'not fully read: lb1',
    ]);
    expect(
      shown([object('hush\n1'), object('b', { tenant: 'hush', cloud: 'edge', controllers: ['lb2', 'lb1'] })]),
    ).to.deep.equal([
      'objects that no task manages',
      '  pool "*** 1" on lb1',
      '  pool "b" in cloud "edge" in tenant "***" on 2 controllers: lb1, lb2',
      '',
    ]);
    const many = (number: number) => shown(Array.from({ length: number }, (_, at) => object(`p${at}`))).slice(1, -1);
    expect(many(20)).to.have.length(20);
    expect(many(21).slice(19)).to.deep.equal(['  pool "p19" on lb1', '  and 1 more object; --json lists all']);
    expect(many(22).slice(19)).to.deep.equal(['  pool "p19" on lb1', '  and 2 more objects; --json lists all']);
  });

  it('names what was not read or not compared, with the reason', () => {
    const source = { file: '/p.yml', line: 4, column: 7 };
    const gap = {
      task: 'Look',
      source,
      module: 'm',
      reason: 'no\nanswer',
      controllers: new Map(NAMES.map((one) => [one, { controller: one }])),
    };
    const shown = lines(
      driftOf(() => [], {
        notCompared: [
          { ...gap, unread: true },
          { ...gap, unread: false, reason: 'not in check' },
        ],
      }),
    );
    expect(shown.slice(0, 4)).to.deep.equal([
      'not read: Look (p.yml:4:7) on 3 controllers: lb1, lb2, lb3: no\nanswer',
      '',
      'not compared: Look (p.yml:4:7) on 3 controllers: lb1, lb2, lb3: not in check',
      '',
    ]);
  });
});
