import { expect } from 'chai';
import { emptyStats } from '../../src/core/model/run/result.js';
import { authorText, timeText, whatText, type ListedRun } from '../../src/launch/history/listed_run.js';
import { nextCommand, type RunDetail } from '../../src/launch/history/run_detail.js';
import { detailText, writeLine } from '../../src/runs/detail.js';
import { runListText, pruneText } from '../../src/runs/list.js';

const RUN: ListedRun = {
  run: 'R1',
  time: '2026-11-23T17:48:35.000Z',
  argv: [],
  command: 'run',
  playbooks: ['a.yml', 'b.yml'],
  environment: null,
  check: false,
  simulated: false,
  status: 'finished',
};
const DETAIL: RunDetail = {
  ...RUN,
  cwd: '/work',
  evenkeel: '0.1.0',
  journal: '/work/j',
  stats: {},
  unstarted: [],
  cutOff: [],
  writes: [],
  warnings: [],
};
const ANN = { user: 'ann', host: 'ops1' };

describe('what is said of a run', () => {
  const typed = (...argv: readonly string[]): Partial<ListedRun> => ({ argv, command: argv[0] ?? '' });
  for (const [given, text] of [
    [{}, 'run a.yml b.yml'],
    [{ shard: '2/4', check: true, simulated: true }, 'run a.yml b.yml (shard 2/4) (check) (simulated)'],
    [{ undoes: 'R0', check: true }, 'rollback of R0 (check)'],
    [typed('task', 'all', '-C', '--check', '--simulate', '-m', 'debug'), 'task all -m debug'],
    [{ ...typed('task', '--shard', '2/4'), shard: '2/4' }, 'task --shard 2/4'],
    [{ ...typed('task', '--shard=2/4'), shard: '2/4' }, 'task --shard=2/4'],
    [{ ...typed('plan', 'a.yml'), check: true }, 'plan a.yml'],
    [{ ...typed('drift'), check: true, simulated: true }, 'drift (simulated)'],
    [{ ...typed(), command: 'apply' }, 'apply a.yml b.yml'],
  ] as const)
    it(text, () => {
      expect(whatText({ ...RUN, ...given })).to.equal(text);
    });

  it('is when and by whom', () => {
    expect(timeText(RUN.time)).to.equal('2026-11-23 17:48:35');
    expect(authorText(ANN)).to.equal('by ann on ops1');
    expect(authorText({ ...ANN, ticket: 'CHG1', reason: 'new\nsites' })).to.equal('by ann on ops1, CHG1: new sites');
    expect(authorText({ ...ANN, reason: 'new' })).to.equal('by ann on ops1, new');
  });

  for (const [given, command] of [
    [{ status: 'running' }, undefined],
    [{ status: 'finished' }, undefined],
    [{ status: 'cut off' }, 'evenkeel resume R1'],
    [{ status: 'cut off', undoneBy: 'R2' }, undefined],
    [{ status: 'cut off', check: true }, undefined],
    [{ status: 'interrupted' }, 'evenkeel resume R1'],
    [{ status: 'interrupted', check: true }, 'evenkeel run --rerun R1'],
    [{ status: 'failed', exitCode: 2 }, 'evenkeel run --rerun R1'],
    [{ status: 'failed', exitCode: 6 }, 'evenkeel resume R1'],
    [{ status: 'unreachable', exitCode: 4 }, 'evenkeel run --rerun R1'],
    [{ status: 'unreachable', exitCode: 6 }, 'evenkeel resume R1'],
    [{ status: 'stale', exitCode: 5 }, undefined],
    [{ status: 'stale', exitCode: 6 }, 'evenkeel resume R1'],
  ] as const)
    it(`is how to continue: ${JSON.stringify(given)}`, () => {
      expect(nextCommand({ ...RUN, ...given })).to.equal(command);
    });

  it('is everything that is known of it', () => {
    const write = {
      controller: 'lb1',
      target: 'lb1',
      task: 'T',
      module: 'm',
      method: 'PUT',
      outcome: 'applied',
    } as const;
    const text = detailText(
      {
        ...DETAIL,
        argv: ['run', 'a b.yml'],
        status: 'failed',
        exitCode: 2,
        seconds: 61,
        reason: 'too\nmany',
        environment: 'prod',
        undoes: 'R0',
        undoneBy: 'R2',
        author: ANN,
        resumes: [{ ...ANN, time: '2026-11-23T18:00:00.000Z' }],
        stats: { lb1: { ...emptyStats(), failed: 1 } },
        unstarted: ['lb2'],
        warnings: ['w1', 'w2'],
        writes: [
          { ...write, object: 'cloud "a"' },
          { ...write, object: 'PUT /api/x' },
          { ...write, outcome: 'refused' },
        ],
      },
      false,
    );
    expect(text).to.equal(`run R1
  what         rollback of R0
  typed        evenkeel run 'a b.yml'
  started      2026-11-23 17:48:35 UTC by ann on ops1
  resumed      2026-11-23 18:00:00 UTC by ann on ops1
  status       failed, exit code 2, 1 min 1 s
  ended early  too many
  environment  prod
  undoes       R0
  undone by    R2
  in           /work
  journal      /work/j

writes
  lb1  PUT cloud "a": applied
  lb1  PUT /api/x: applied
  lb1  PUT m (masked): refused

warnings
  w1
  w2

recap
lb1  ok=0   changed=0   unreachable=0   failed=1   skipped=0   rescued=0   ignored=0
lb2  not started
2 controllers · 1 failed · 1 not started · 1 min 1 s

continue with: evenkeel run --rerun R1
`);
  });

  it('is little of a run of which little is known, with the routes of its controllers', () => {
    const shown = (given: Partial<RunDetail>): readonly string[] =>
      detailText({ ...DETAIL, ...given }, false).split('\n');
    const facts = [
      'run R1',
      '  what         run a.yml b.yml',
      '  started      2026-11-23 17:48:35 UTC',
      '  status       finished',
      '  in           /work',
      '  journal      /work/j',
      '',
    ];
    expect(shown({ exitCode: 0 })).to.deep.equal(facts);
    const stats = { lb1: { ...emptyStats(), unreachable: 1 }, lb2: { ...emptyStats(), unreachable: 1 } };
    const own = 'ok=0   changed=0   unreachable=1   failed=0   skipped=0   rescued=0   ignored=0';
    const recap = (routes?: RunDetail['routes']) => shown({ stats, ...(routes && { routes }) }).slice(facts.length - 1);
    expect(recap()).to.deep.equal(['', 'recap', `lb1  ${own}`, `lb2  ${own}`, '']);
    expect(recap({ lb2: 'proxy.example.com:1' })).to.deep.equal([
      '',
      'recap',
      `lb1  ${own}`,
      `lb2  ${own}  via proxy.example.com:1`,
      '',
    ]);
  });

  it('is what a run has written that is not undone, and no end of a run that goes on', () => {
    const write = { controller: 'lb1', target: 'lb2', task: 'T', module: 'm', method: 'PUT', object: 'x' } as const;
    const writes = [
      { ...write, outcome: 'applied' },
      { ...write, outcome: 'applied' },
      { ...write, outcome: 'refused' },
    ] as const;
    const shown = (given: Partial<RunDetail>): string => detailText({ ...DETAIL, writes, ...given }, false);
    expect(writeLine(writes[0])).to.equal('lb2  PUT x: applied');
    expect(shown({})).to.match(/\n\nundo 2 writes: evenkeel rollback R1\n$/);
    expect(shown({ undoneBy: 'R2' })).to.not.include('undo 2');
    const created = { ...write, method: 'POST', outcome: 'applied' } as const;
    const raw = { ...write, method: 'DELETE', object: 'DELETE /api/x', outcome: 'applied' } as const;
    expect(shown({ writes: [created, raw] })).to.not.include('undo');
    expect(shown({ writes: [created, raw, writes[0]] })).to.include('\nundo 1 write: ');
    const ofFailed = { lb1: { ...emptyStats(), failed: 1 } };
    const failed = { ...DETAIL, writes, status: 'failed', exitCode: 2, stats: ofFailed } as const;
    expect(detailText(failed, false, undefined, ['--config', '/a b.yml'])).to.include(
      "\ncontinue with: evenkeel run --rerun R1 --config '/a b.yml'\nundo 2 writes: evenkeel rollback R1 --config '/a b.yml'\n",
    );
    expect(shown({ status: 'running' }))
      .to.not.include('undo 2')
      .and.not.include('continue');
    const stats = { lb1: { ...emptyStats(), ok: 1 } };
    expect(shown({ stats })).to.match(/\nrecap\nlb1 {2}ok=1 [^\n]*\n\nundo/);
    expect(shown({ stats, seconds: 3, status: 'interrupted' })).to.include(
      '\n1 controller · 1 ok · interrupted · 3.0 s\n',
    );
  });

  it('has the first 20 writes and warnings', () => {
    const write = {
      controller: 'lb1',
      target: 'lb1',
      task: 'T',
      module: 'm',
      method: 'PUT',
      outcome: 'applied',
    } as const;
    const shown = (number: number): readonly string[] =>
      detailText(
        { ...DETAIL, writes: Array.from({ length: number }, (_, at) => ({ ...write, object: `o${at}` })) },
        false,
      )
        .split('\n')
        .filter((line) => /^ {2}(?:lb1|…)/.test(line));
    expect(shown(20)).to.have.length(20);
    expect(shown(20).at(-1)).to.equal('  lb1  PUT o19: applied');
    expect(shown(21).slice(19)).to.deep.equal(['  lb1  PUT o19: applied', '  … and 1 more write; --json has all']);
  });

  it('is a row of the list', () => {
    const rows = runListText([{ ...RUN, controllers: 1200, seconds: 3, author: ANN, environment: 'prod' }, RUN], false);
    expect(rows.split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['RUN', 'STARTED (UTC)', 'STATUS', 'CONTROLLERS', 'TOOK', 'BY', 'ENVIRONMENT', 'WHAT'],
      ['R1', '2026-11-23 17:48:35', 'finished', '1,200', '3.0 s', 'ann', 'prod', 'run a.yml b.yml'],
      ['R1', '2026-11-23 17:48:35', 'finished', '-', '-', '-', '-', 'run a.yml b.yml'],
      [''],
    ]);
  });

  it('is several lines of the list in a narrow terminal, which continue further in', () => {
    const runs = [
      { ...RUN, environment: 'prod', playbooks: ['playbooks/one.yml', 'playbooks/two.yml', 'playbooks/three.yml'] },
      { ...RUN, run: 'R2', status: 'failed', controllers: 3 },
    ] as const;
    const lines = runListText(runs, false, 50).trimEnd().split('\n');
    expect(lines).to.deep.equal([
      'RUN  STARTED (UTC)        STATUS    CONTROLLERS',
      '  TOOK  BY  ENVIRONMENT',
      '  WHAT',
      'R1   2026-11-23 17:48:35  finished  -',
      '  -     -   prod',
      '  run playbooks/one.yml playbooks/two.yml',
      '  playbooks/three.yml',
      'R2   2026-11-23 17:48:35  failed    3',
      '  -     -   -',
      '  run a.yml b.yml',
    ]);
    const one = runListText(runs.slice(1), false, 89).trimEnd().split('\n');
    expect(one).to.have.lengthOf(2);
    expect(runListText(runs, false, 2)).to.match(/^RUN\n/);
  });

  it('has the colour of its status', () => {
    const coloured = runListText([{ ...RUN, status: 'failed' }, RUN], true);
    expect(coloured).to.include('\u001b[31mfailed').and.to.include('\u001b[32mfinished');
    const [headings = ''] = coloured.split('\n');
    expect(headings.startsWith('\u001b[2mRUN ') && headings.endsWith('WHAT\u001b[22m')).to.equal(true);
  });

  it('is whether it was removed', () => {
    expect(pruneText({ removed: ['a', 'b'], inUse: ['c'] }, false)).to.equal(
      'removed a\nremoved b\nkept c: a process may still use it\nremoved 2 runs\n',
    );
    expect(pruneText({ removed: ['a'], inUse: [] }, true)).to.equal('would remove a\nwould remove 1 run\n');
    expect(pruneText({ removed: [], inUse: [] }, true)).to.equal('nothing to remove\n');
  });
});
