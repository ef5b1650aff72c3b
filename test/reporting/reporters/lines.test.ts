import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { playbookFolder, type PlaybookFolder } from '../../rig/playbook_file.js';
import { reported } from '../../rig/report.js';

const CREATED = { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge', mtu: 1500 } } as const;
const CONFIGURE = {
  task: 'Configure',
  module: 'system_config',
  source: { file: 'playbooks/rollout.yml', line: 9, column: 7 },
};

describe('lines', () => {
  let folder: PlaybookFolder;
  before(async () => {
    folder = await playbookFolder();
  });
  after(() => folder.dispose());

  function small(make = new EventMaker()): readonly Event[] {
    return [
      make.runStarted({ environment: 'staging' }),
      make.playStarted(['lb1', 'lb10']),
      make.batchStarted(['lb1', 'lb10']),
      make.taskStarted('lb1'),
      make.taskFinished('lb1', 'changed', { change: CREATED, values: { name: 'cloud "edge"' } }),
      make.taskFinished('lb1', 'ok', { ...CONFIGURE, values: { unchanged: ['dns', 1, true] } }),
      make.taskFinished('lb10', 'ok'),
      make.retried('lb10', 2, 4),
      make.requestRetried('lb10', 2, 'answered 503'),
      make.pass(1.5).taskFinished('lb10', 'skipped', { ...CONFIGURE, message: 'when: canary' }),
      make.batchFinished(),
      make.playFinished(),
      make.runFinished(),
    ];
  }

  it('show what changed, and end with the recap', async () => {
    const { stdout, stderr } = await reported(small());
    expect(stdout).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml · staging

play Roll out · 2 controllers · 2 tasks
changed      lb1   Create the cloud: created cloud "edge"

recap
lb1   ok=2   changed=1   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0
lb10  ok=1   changed=0   unreachable=0   failed=0   skipped=1   rescued=0   ignored=0
2 controllers · 1 ok · 1 changed · 1.5 s
`);
    expect(stderr).to.equal('');
  });

  it('with -v show all tasks and retries', async () => {
    const { stdout } = await reported(small(), { verbosity: 1 });
    expect(stdout).to.include(`
changed      lb1   Create the cloud: created cloud "edge"
ok           lb1   Configure
ok           lb10  Create the cloud
retry        lb10  Create the cloud: attempt 2 of 4
retry        lb10  attempt 3 in 2.0 s, waiting for lb10, 12 s left: answered 503

recap
`);
  });

  it('with -vv show what tasks returned, how long they took and why they were skipped', async () => {
    const { stdout } = await reported(small(), { verbosity: 2 });
    expect(stdout).to.include(`
ok           lb1   Configure  0.2 s
    unchanged:
      - dns
      - 1
      - true
`);
    expect(stdout).to.include('\nok           lb10  Create the cloud  0.2 s\n');
    expect(stdout).to.include('\nskipped      lb10  Configure: when: canary  0.2 s\n');
  });

  it('with -vvv show requests, with -vvvv their bodies', async () => {
    const make = new EventMaker();
    const events = [
      make.request('lb1', { requestBody: '{"name":"edge","password":"x1"}', responseBody: '{\n "uuid": "c-1"}' }),
    ];
    expect((await reported(events, { verbosity: 2 })).stdout).to.equal('');
    const line = '    lb1  GET https://lb1/api/cloud/ → 200  0.1 s\n';
    expect((await reported(events, { verbosity: 3 })).stdout).to.equal(line);
    expect((await reported(events, { verbosity: 4 })).stdout).to.equal(
      `${line}      > {"name":"edge","password":"********"}\n      < {"uuid":"c-1"}\n`,
    );
  });

  it('always show debug messages, one line or several', async () => {
    const make = new EventMaker();
    const debug = { task: 'Say', module: 'debug', spoken: true };
    const { stdout } = await reported([
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'ok', { ...debug, message: 'mtu is 1500' }),
      make.taskFinished('lb1', 'ok', { ...debug, message: 'one\ntwo\n' }),
    ]);
    expect(stdout).to.equal(`
play Roll out · 1 controller · 2 tasks
ok           lb1  Say: mtu is 1500
ok           lb1  Say:
    one
    two
`);
  });

  it('show a loop in one line, or its failed items, and ignored failures', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'changed', { item: 'a', change: CREATED }),
      make.taskFinished('lb1', 'ok', { item: 'b' }),
      make.taskFinished('lb1', 'changed'),
      make.taskFinished('lb1', 'failed', { item: 'c', message: 'no such cloud', ignored: true }),
      make.taskFinished('lb1', 'failed', { ignored: true }),
      make.taskFinished('lb1', 'unreachable', { item: 'd', message: 'no answer' }),
      make.taskFinished('lb1', 'unreachable', { message: 'item d: no answer' }),
      make.taskFinished('lb1', 'ok', { item: 'e' }),
      make.taskFinished('lb1', 'failed', { message: 'variable "n" is not defined', ignored: true }),
      make.taskFinished('lb1', 'changed', { item: 'only', change: CREATED }),
      make.taskFinished('lb1', 'changed'),
    ]);
    expect(stdout).to.equal(`
play Roll out · 1 controller · 2 tasks
changed      lb1  Create the cloud: 1 of 2 items changed: a
failed       lb1  Create the cloud (c): no such cloud (ignored)
unreachable  lb1  Create the cloud (d): no answer
failed       lb1  Create the cloud: variable "n" is not defined (ignored)
changed      lb1  Create the cloud: 1 of 1 item changed: only
`);
  });

  it('name batches, other strategies, check mode and simulation', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.runStarted({ check: true, simulated: true }),
      make.playStarted(['lb1', 'lb2'], { strategy: 'linear', tasks: 1 }),
      make.batchStarted(['lb1'], 1, 2),
      make.taskFinished('lb1', 'changed', { change: CREATED, check: true }),
      make.batchFinished(1),
      make.batchStarted(['lb2'], 2, 2),
      make.batchFinished(2),
      make.playFinished(),
      make.runFinished({ unstarted: ['lb2'], status: 'interrupted' }),
    ]);
    expect(stdout).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml · check mode · simulated

play Roll out · 2 controllers · 1 task · linear
batch 1 of 2 · 1 controller
changed      lb1  Create the cloud: would create cloud "edge"
batch 2 of 2 · 1 controller

recap · check mode, nothing was written · simulated, no real controller was contacted
lb1  ok=1   changed=1   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0
lb2  not started
2 controllers · 1 changed · 1 not started · interrupted · 0.0 s
`);
  });

  it('report that a task wrote in check mode', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.runStarted({ check: true }),
      make.playStarted(['lb1'], { tasks: 1 }),
      make.taskFinished('lb1', 'changed', { change: CREATED }),
      make.runFinished(),
    ]);
    expect(stdout).to.include('changed      lb1  Create the cloud: created cloud "edge"\n');
    expect(stdout).to.include('\nrecap · check mode, but tasks with check_mode: false have written\n');
  });

  it('show the command that resumes the run after an interrupt, which is not a failure of tasks', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.runStarted(),
        make.playStarted(['lb1'], { tasks: 2 }),
        make.taskFinished('lb1', 'ok'),
        make.runFinished({ status: 'interrupted', exitCode: 130 }),
      ],
      { commandFor: (way) => `evenkeel ${way}` },
    );
    expect(stdout).to.match(/\nrecap\n.+\n.+ · interrupted · 0\.0 s\n\ncontinue with: evenkeel resume\n$/);
  });

  it('show the command that finishes a run whose end could not be recorded', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.runStarted(),
        make.playStarted(['lb1'], { tasks: 2 }),
        make.taskFinished('lb1', 'failed', { message: 'nothing was written' }),
        make.runFinished({ status: 'failed', exitCode: 2, reason: 'the disk is full', unkept: true }),
      ],
      { commandFor: (way) => `evenkeel ${way}` },
    );
    expect(stdout).to.include('\nended early: the disk is full\n\nrecap\n');
    expect(stdout).to.match(/\n\ncontinue with: evenkeel resume\n$/);
  });

  it('do not let text from controllers control the terminal', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { message: '\u001b]0;owned\u0007\u001b[2Jgone\r\nfor \u202egood' }),
    ]);
    expect(stdout.split('\n')[2]).to.equal('failed       lb1  Create the cloud: gone for good');
  });

  it('have colours only if requested', async () => {
    expect((await reported(small())).stdout).to.not.include('\u001b');
    const { stdout } = await reported(small(), { colour: true });
    expect(stdout).to.include('\u001b[33mchanged    \u001b[39m  lb1   \u001b[1mCreate the cloud\u001b[22m: created');
  });

  it('have no colours on stderr if that is redirected, and their order if both are one file', async () => {
    const make = new EventMaker();
    const events = [make.playStarted(['lb1']), make.warning('odd'), make.taskFinished('lb1', 'changed')];
    const coloured = await reported(events, { colour: true });
    expect(coloured.stderr).to.equal('\u001b[35mwarning:\u001b[39m odd\n');
    expect((await reported(events, { colour: true, stderrColour: false })).stderr).to.equal('warning: odd\n');
    const file = new PassThrough();
    const written = text(file);
    await reported(events, { stdout: file, stderr: file });
    file.end();
    expect(
      (await written)
        .trim()
        .split('\n')
        .map((line) => line.split(' ', 1)[0]),
    ).to.deep.equal(['play', 'warning:', 'changed']);
  });
});

describe('progress of lines', () => {
  function run(number: number, secondsEach: number): readonly Event[] {
    const make = new EventMaker();
    const names = controllerNames(number);
    const tasks = names.flatMap((name) => [
      make.taskStarted(name),
      make.pass(secondsEach).taskFinished(name, 'ok'),
      make.controllerFinished(name),
    ]);
    const ends = [make.batchFinished(), make.playFinished(), make.runFinished()];
    return [new EventMaker().playStarted(names, { tasks: 1 }), new EventMaker().batchStarted(names), ...tasks, ...ends];
  }

  it('is one line for each tenth, on stderr', async () => {
    const { stderr } = await reported(run(40, 1));
    expect(stderr.split('\n').slice(0, 2)).to.deep.equal([
      'progress 10 % · 4 of 40 controllers · 4.0 s',
      'progress 20 % · 8 of 40 controllers · 8.0 s',
    ]);
    expect(stderr.trimEnd().split('\n')).to.have.length(10);
  });

  it('is at most one line every 2 seconds', async () => {
    const { stderr } = await reported(run(40, 0.11));
    expect(stderr).to.equal(
      'progress 47 % · 19 of 40 controllers · 2.1 s\nprogress 95 % · 38 of 40 controllers · 4.2 s\n',
    );
    expect((await reported(run(40, 0.04))).stderr).to.equal('');
  });

  it('is one line every 30 seconds for few or slow controllers', async () => {
    const { stderr } = await reported(run(4, 20));
    expect(stderr).to.equal(
      'progress 50 % · 2 of 4 controllers · 40 s\nprogress 100 % · 4 of 4 controllers · 1 min 20 s\n',
    );
  });

  it('counts failures, and failed controllers as finished', async () => {
    const make = new EventMaker();
    const names = controllerNames(20);
    const { stderr } = await reported([
      make.playStarted(names),
      ...names
        .slice(0, 2)
        .flatMap((name) => [
          make.pass(1).taskFinished(name, 'unreachable', { message: 'no answer' }),
          make.controllerFinished(name),
        ]),
    ]);
    expect(stderr).to.equal('progress 10 % · 2 of 20 controllers · 2 unreachable · 2.0 s\n');
  });
});

describe('warnings of lines', () => {
  it('go to stderr: the first of equal ones, then the number of the others', async () => {
    const make = new EventMaker();
    const names = controllerNames(10);
    const { stderr } = await reported([
      ...names.map((name) =>
        make.warning(`the certificate of https://${name}:9443 is not verified`, { controller: name }),
      ),
      make.runFinished(),
    ]);
    expect(stderr).to.equal(`warning: lb01: the certificate of https://lb01:9443 is not verified
warning: lb02: the certificate of https://lb02:9443 is not verified
warning: lb03: the certificate of https://lb03:9443 is not verified
warning: 7 more warnings like: the certificate of https://lb01:9443 is not verified
`);
  });
});

describe('lines in GitHub Actions', () => {
  it('group plays and annotate the places of failures', async () => {
    const make = new EventMaker();
    const { stdout, stderr } = await reported(
      [
        make.playStarted(['lb1', 'lb2'], { tasks: 1 }),
        make.warning('100 % sure, or not'),
        ...['lb1', 'lb2'].map((name) =>
          make.taskFinished(name, 'failed', { task: 'A, B: C', message: 'answered 400\nno' }),
        ),
        make.taskFinished('lb1', 'ok', { spoken: true, message: 'x\n  ::error::fake\n##[group]fake' }),
        make.playFinished(),
        make.runFinished({ status: 'failed', exitCode: 2 }),
      ],
      { cwd: '/work/sub', github: { workspace: '/work' } },
    );
    expect(stdout).to.include(`::group::play Roll out · 2 controllers · 1 task
::warning::100 %25 sure, or not
failed       lb1  A, B: C: answered 400 no
failed       lb2  A, B: C: answered 400 no
ok           lb1  Create the cloud:
    x
      ::error::fake
    ##[group]fake
::endgroup::
::error file=sub/playbooks/rollout.yml,line=4,col=7,title=A%2C B%3A C::answered 400%0Ano (lb1, lb2)
`);
    expect(stderr).to.equal('');
  });
});

describe('a grouped log', () => {
  /** A run with one changing task per role; every controller of `failing` fails at a check. */
  function fleet(size: number, roles: number, failing: ReadonlyMap<number, number>): readonly Event[] {
    const make = new EventMaker();
    const names = controllerNames(size);
    const role = (line: number) => ({
      task: `role${line} : Create the pool`,
      source: { file: 'roles/pool/tasks/main.yml', line, column: 3 },
    });
    const finished = names.flatMap((name, index) => {
      const cause = failing.get(index);
      const change = {
        kind: 'create',
        object: `pool "web-${name}"`,
        before: null,
        after: { name: `web-${name}` },
      } as const;
      const changed = Array.from({ length: cause ?? roles }, (_, at) =>
        make.taskFinished(name, 'changed', { ...role(at + 1), change }),
      );
      const failed = { ...role((cause ?? 0) + 1), message: `cause ${cause}: ${name} is too ${'very '.repeat(30)}old` };
      return [...changed, ...(cause === undefined ? [] : [make.taskFinished(name, 'failed', failed)])];
    });
    return [
      make.runStarted(),
      make.playStarted(names, { tasks: roles }),
      make.batchStarted(names),
      ...finished,
      make.batchFinished(),
      make.playFinished(),
      make.runFinished({ exitCode: 2, status: 'failed' }),
    ];
  }

  async function grouped(
    events: readonly Event[],
    options: Parameters<typeof reported>[1] = {},
  ): Promise<readonly string[]> {
    const { stdout } = await reported(events, { output: 'grouped', ...options });
    const lines = stdout.trimEnd().split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).to.be.at.most(160);
    return lines;
  }

  const sizes = [
    { size: 300, roles: 12, failed: 10, most: 70 },
    { size: 3000, roles: 8, failed: 40, most: 120 },
  ];
  for (const { size, roles, failed, most } of sizes)
    it(`of ${size} controllers and ${roles} roles has at most ${most} lines, and names each failed controller once`, async () => {
      const failing = new Map(Array.from({ length: failed }, (_, index) => [index * 7, index % 5]));
      const lines = await grouped(fleet(size, roles, failing));
      expect(lines).to.have.length.at.most(most);
      expect(lines[1]).to.match(/^✖ Roll out · /);
      const statuses = lines.flatMap((line) => /^ {4}(\w+) {2}/.exec(line)?.[1] ?? []);
      expect(statuses).to.deep.equal([
        ...Array.from({ length: 5 }, () => 'failed'),
        ...Array.from({ length: roles }, () => 'changed'),
      ]);
      const names = controllerNames(size);
      for (const index of failing.keys())
        expect(lines.join('\n').split(new RegExp(`\\b${names[index] ?? ''}\\b`)), names[index]).to.have.length(2);
    });

  it('shows all causes, and cuts changes', async () => {
    const make = new EventMaker();
    const names = controllerNames(30);
    const at = (line: number) => ({ task: `Task ${line}`, source: { file: 'p.yml', line, column: 3 } });
    const lines = await grouped([
      make.playStarted(names),
      make.batchStarted(names),
      ...names.flatMap((name, index) => [
        make.taskFinished(name, 'changed', { ...at(index), message: 'one' }),
        make.taskFinished(name, 'changed', { ...at(index), message: 'two' }),
        make.taskFinished(name, 'failed', { ...at(99), message: `cause ${index}` }),
      ]),
      make.batchFinished(),
    ]);
    expect(lines.filter((line) => line.startsWith('    failed '))).to.have.length(30);
    expect(lines.filter((line) => line.startsWith('    changed '))).to.have.length(20);
    expect(lines).to.include('    changed      Task 0: one, and 1 other change (lb01)');
    expect(lines.at(-1)).to.equal('    and changes of 10 other tasks');
  });

  it('says every 30 seconds that the run goes on', async () => {
    const make = new EventMaker();
    const names = controllerNames(20);
    const { stderr } = await reported(
      [
        make.playStarted(names, { tasks: 1 }),
        make.batchStarted(names),
        ...names.flatMap((name) => [make.pass(4).taskFinished(name, 'ok'), make.controllerFinished(name)]),
      ],
      { output: 'grouped' },
    );
    expect(stderr.trimEnd().split('\n')).to.deep.equal([
      'progress 40 % · 8 of 20 controllers · 32 s',
      'progress 80 % · 16 of 20 controllers · 1 min 4 s',
    ]);
  });

  it('of a plan shows the first diffs in full, and of each other task a line', async () => {
    const make = new EventMaker();
    const names = controllerNames(300);
    const pool = (at: number) => ({
      task: `Pool ${at}`,
      source: { file: 'p.yml', line: at, column: 3 },
      diff: true,
      check: true,
      change: {
        kind: 'create',
        object: `pool "web${at}"`,
        before: null,
        after: { name: `web${at}`, port: at },
      } as const,
    });
    const lines = await grouped(
      [
        make.runStarted({ check: true }),
        make.playStarted(names),
        make.batchStarted(names),
        ...names.flatMap((name, index) => [
          ...Array.from({ length: 12 }, (_, at) => make.taskFinished(name, 'changed', pool(at + 1))),
          ...(index < 5 ? [make.taskFinished(name, 'failed', { message: `cause ${index}` })] : []),
        ]),
        make.batchFinished(),
        make.playFinished(),
        make.runFinished(),
      ],
      { plan: true, diff: 'outline' },
    );
    expect(lines).to.have.length.at.most(70);
    expect(lines.filter((line) => line.startsWith('diff of '))).to.have.length(6);
    expect(lines).to.include('Pool 7: pool "web7" (new) on 300 controllers: name, port');
    expect(lines).to.include('… --diff=fleet shows these in full');
  });

  it('of a plan has what would change, and no more', async () => {
    const make = new EventMaker();
    const names = controllerNames(12);
    const { stdout } = await reported(
      [
        make.runStarted({ check: true }),
        make.playStarted(names),
        make.batchStarted(names),
        ...names.map((name) => make.taskFinished(name, 'changed', { change: CREATED, diff: true, check: true })),
        make.batchFinished(),
        make.playFinished(),
        make.runFinished(),
      ],
      { output: 'grouped', plan: true, diff: 'fleet' },
    );
    expect(stdout).to.equal(`evenkeel 0.1.0 · playbooks/rollout.yml · check mode
diff of Create the cloud
  cloud "edge" (new) on 12 controllers: lb01, lb02, lb03, lb04, lb05 and 7 more
    + name: edge
    + mtu: 1500

12 controllers · 12 changed · 0.0 s
`);
  });
});
