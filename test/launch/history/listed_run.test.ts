import { expect } from 'chai';
import { emptyStats } from '../../../src/core/model/run/result.js';
import { authorText, listedRun, timeText, whatText, type ListedRun } from '../../../src/launch/history/listed_run.js';
import { nextCommand } from '../../../src/launch/history/run_detail.js';
import { lifeOfProcess, stillRunning } from '../../../src/launch/history/run_life.js';
import type { RunHeader } from '../../../src/record/journal/format/run_header.js';
import { ownIdentity } from '../../../src/record/locks/process_identity.js';

const RUN: ListedRun = {
  run: '20261120T185022Z-9f3a1c',
  time: '2026-11-20T18:50:22.000Z',
  argv: ['run', 'site.yml', '-f', '5'],
  command: 'run',
  playbooks: ['site.yml'],
  environment: null,
  check: false,
  simulated: false,
  status: 'finished',
};

describe('the description of a run in the list', () => {
  const text = (fields: Partial<ListedRun>): string => whatText({ ...RUN, ...fields });

  it('shows its playbooks, or the command line without them, and what made it read-only', () => {
    expect(text({})).to.equal('run site.yml');
    expect(text({ argv: [], check: true })).to.equal('run site.yml (check)');
    const task = { command: 'task', argv: ['task', 'lb1', '-m', 'debug'], playbooks: [] };
    expect(text({ ...task, simulated: true })).to.equal('task lb1 -m debug (simulated)');
    const typed = { ...task, argv: ['task', 'lb1', '-C', '--simulate'], check: true, simulated: true };
    expect(text(typed)).to.equal('task lb1 (check) (simulated)');
    const plan = {
      command: 'plan',
      argv: ['plan', 'site.yml', '--simulate', '--out', 'p'],
      check: true,
      simulated: true,
    };
    expect(text(plan)).to.equal('plan site.yml --out p (simulated)');
  });

  it('names the run that a rollback undoes, however the rollback was started', () => {
    const rollback = { command: 'rollback', undoes: '20261119T070000Z-00a1b2' };
    expect(text({ ...rollback, argv: ['rollback', 'last', '--yes'] })).to.equal('rollback of 20261119T070000Z-00a1b2');
    expect(text({ ...rollback, argv: [], check: true })).to.equal('rollback of 20261119T070000Z-00a1b2 (check)');
  });

  it('names its shard unless the command line shows it', () => {
    expect(text({ shard: '2/4' })).to.equal('run site.yml (shard 2/4)');
    expect(text({ shard: '2/4', check: true, simulated: true })).to.equal(
      'run site.yml (shard 2/4) (check) (simulated)',
    );
    const task = { command: 'task', shard: '2/4' };
    for (const words of [['--shard', '2/4'], ['--shard=2/4']])
      expect(text({ ...task, argv: ['task', 'lb1', ...words] })).to.equal(`task lb1 ${words.join(' ')}`);
    expect(text({ ...task, argv: ['task', 'lb1', '--shard=auto/4'] })).to.equal('task lb1 --shard=auto/4 (shard 2/4)');
    const drift = { command: 'drift', argv: ['drift', 'site.yml', '--check'], check: true };
    expect(text(drift)).to.equal('drift site.yml');
  });
});

describe('a run in the list', () => {
  const HEADER = {
    id: RUN.run,
    time: RUN.time,
    argv: RUN.argv,
    command: 'run',
    playbooks: ['site.yml'],
    environment: 'prod',
    check: true,
    simulated: false,
    process: { pid: 7, host: 'ops1' },
    cwd: '/work',
    evenkeel: '1.0.0',
  } as unknown as RunHeader;
  const listed = {
    run: RUN.run,
    time: RUN.time,
    argv: RUN.argv,
    command: 'run',
    playbooks: ['site.yml'],
    environment: 'prod',
    check: true,
    simulated: false,
  };
  const end = { exitCode: 6, seconds: 7, controllers: 3 };

  it('is running until its process is gone', () => {
    for (const [life, status] of [
      ['gone', 'cut off'],
      ['alive', 'running'],
      ['unknown', 'running'],
    ] as const)
      expect(listedRun(HEADER, life as never), life).to.deep.equal({ ...listed, status });
  });

  it('has its end, its author, its shard and what it undoes or resumes', () => {
    const ended = (status: string): RunHeader => ({ ...HEADER, end: { ...end, status } }) as never;
    expect(listedRun(ended('ok'), 'gone')).to.deep.equal({ ...listed, ...end, status: 'finished' });
    expect(listedRun(ended('interrupted'), 'gone')).to.deep.equal({ ...listed, ...end, status: 'interrupted' });
    const unkept = { ...HEADER, end: { ...end, status: 'failed', unkept: true } } as never;
    expect(listedRun(unkept, 'gone')).to.deep.equal({ ...listed, ...end, status: 'failed', unkept: true });
    const more = { author: { user: 'ann', host: 'ops1' }, shard: '1/2', undoes: 'X', resumes: [{ time: 'T' }] };
    expect(listedRun({ ...HEADER, ...more } as never, 'gone')).to.deep.equal({ ...listed, ...more, status: 'cut off' });
  });

  it('has its time without fractions, and who started it and why', () => {
    expect(timeText('2026-11-20T18:50:22.123Z')).to.equal('2026-11-20 18:50:22');
    const by = { user: 'ann', host: 'ops1' };
    expect(authorText(by)).to.equal('by ann on ops1');
    expect(authorText({ ...by, reason: 'new\nsites' })).to.equal('by ann on ops1, new sites');
    expect(authorText({ ...by, ticket: 'CHG0012' })).to.equal('by ann on ops1, CHG0012');
    expect(authorText({ ...by, reason: 'new sites', ticket: 'CHG0012' })).to.equal(
      'by ann on ops1, CHG0012: new sites',
    );
  });

  it('that still runs says where', () => {
    expect(stillRunning(HEADER)).to.deep.equal({
      severity: 'error',
      message: `run ${RUN.run} is still running (process 7 on ops1): nothing was contacted`,
      hint: 'wait until it finishes, or end it with Ctrl-C',
    });
  });
});

describe('what comes after a run', () => {
  it('that applied a plan in part is no rerun, because the plan is stale', () => {
    const given = { run: '1', status: 'failed', exitCode: 2, check: false } as const;
    const stats = { lb1: { ...emptyStats(), changed: 1 }, lb2: { ...emptyStats(), unreachable: 1 } };
    expect(nextCommand({ ...given, command: 'apply', stats })).to.equal('evenkeel run --rerun 1');
    expect(nextCommand({ ...given, command: 'apply', unstarted: ['lb1'] })).to.equal('evenkeel run --rerun 1');
    for (const begun of [{ changed: 1, unreachable: 1 }, { failed: 1 }]) {
      const both = {
        lb0: { ...emptyStats(), unreachable: 1 },
        ...stats,
        lb2: { ...emptyStats(), ...begun },
        lb3: { ...emptyStats(), unreachable: 1 },
      };
      expect(nextCommand({ ...given, command: 'apply', stats: both })).to.equal(undefined);
      expect(nextCommand({ ...given, command: 'run', stats: both })).to.equal('evenkeel run --rerun 1');
    }
    const failed = { ...stats, lb2: { ...emptyStats(), failed: 1 } };
    const writes = [
      { controller: 'lb1', target: 'lb1', task: 't', module: 'm', method: 'PUT', outcome: 'applied' },
    ] as const;
    expect(nextCommand({ ...given, command: 'apply', stats: failed, writes })).to.equal('evenkeel run --rerun 1');
    const both = [...writes, { ...writes[0], controller: 'lb2' }];
    expect(nextCommand({ ...given, command: 'apply', stats: failed, writes: both })).to.equal(undefined);
  });

  it('that was to save a plan is the same command, because a rerun saves none', () => {
    const given = { run: '1', status: 'failed', exitCode: 2, check: true, command: 'plan' } as const;
    const argv = ['plan', 'site.yml', '--out=site.plan'];
    expect(nextCommand({ ...given, argv }, ['--config', 'x'])).to.equal('evenkeel plan site.yml --out=site.plan');
    expect(nextCommand({ ...given, argv: ['plan', 'site.yml'] })).to.equal('evenkeel run --rerun 1');
    expect(nextCommand({ ...given, status: 'finished', argv })).to.equal(undefined);
  });

  it('names the project file again', () => {
    const config = ['--config', 'x y'];
    for (const [status, command] of [
      ['cut off', 'resume 1'],
      ['failed', 'run --rerun 1'],
    ] as const)
      expect(nextCommand({ run: '1', status, check: false }, config)).to.equal(`evenkeel ${command} --config 'x y'`);
  });

  const [rerun, resume] = ['evenkeel run --rerun 1', 'evenkeel resume 1'];
  it('resumes one whose journal could not be written for a while', () => {
    const given = { run: '1', status: 'failed', exitCode: 2, unkept: true } as const;
    expect(nextCommand({ ...given, check: false })).to.equal('evenkeel resume 1');
    expect(nextCommand({ ...given, check: true })).to.equal(undefined);
  });

  for (const [status, exitCode, next, inCheck, undone] of [
    ['running', undefined, undefined, undefined, undefined],
    ['finished', 0, undefined, undefined, undefined],
    ['cut off', undefined, resume, undefined, undefined],
    ['interrupted', 130, resume, rerun, undefined],
    ['failed', 2, rerun, rerun, rerun],
    ['failed', 6, resume, resume, undefined],
    ['unreachable', 4, rerun, rerun, rerun],
    ['unreachable', 6, resume, resume, undefined],
    ['stale', 5, undefined, undefined, undefined],
    ['stale', 6, resume, resume, undefined],
  ] as const)
    it(`that is ${status}${exitCode === undefined ? '' : ` with ${exitCode}`} is ${next ?? 'nothing'}`, () => {
      const given = { run: '1', status, ...(exitCode !== undefined && { exitCode }) };
      expect(nextCommand({ ...given, check: false })).to.equal(next);
      expect(nextCommand({ ...given, check: true })).to.equal(inCheck);
      expect(nextCommand({ ...given, check: false, undoneBy: '2' })).to.equal(undone);
      const isGated = exitCode === 6;
      expect(nextCommand({ ...given, check: false, staleGate: true })).to.equal(isGated ? undefined : next);
    });
});

describe('the process of a run', () => {
  it('is alive, gone, or on another machine', () => {
    const own = ownIdentity();
    const others = [
      { ...own, pid: 2 ** 30 },
      { ...own, host: 'elsewhere', boot: 'another' },
    ];
    expect([own, ...others].map(lifeOfProcess)).to.deep.equal(['alive', 'gone', 'elsewhere']);
  });
});
