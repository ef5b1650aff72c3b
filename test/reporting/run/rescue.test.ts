import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import type { Change } from '../../../src/core/model/run/result.js';
import { batchBlock } from '../../../src/reporting/reporters/batch_block.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const FAILURE = { message: 'answered 400', rescued: true } as const;

/** One controller with a rescued failure and one without, in a play of two tasks. */
function rescued(): readonly Event[] {
  const make = new EventMaker();
  return [
    make.playStarted(['lb1', 'lb2']),
    make.taskFinished('lb1', 'failed', FAILURE),
    make.taskFinished('lb1', 'ok', { task: 'Undo' }),
    make.controllerFinished('lb1'),
    make.taskFinished('lb2', 'ok'),
    make.controllerFinished('lb2'),
    make.batchFinished(),
    make.playFinished(),
    make.runFinished(),
  ];
}

describe('a rescued failure', () => {
  it('is reported as rescued, and is not a failure of the run', async () => {
    const { stdout } = await reported(rescued());
    expect(stdout).to.equal(`
play Roll out · 2 controllers · 2 tasks
failed       lb1  Create the cloud: answered 400 (rescued)

recap
lb1  ok=1   changed=0   unreachable=0   failed=0   skipped=0   rescued=1   ignored=0
lb2  ok=1   changed=0   unreachable=0   failed=0   skipped=0   rescued=0   ignored=0
2 controllers · 2 ok (1 rescued) · 0.0 s
`);
  });

  it('is counted in the totals of quiet output', async () => {
    const { stdout } = await reported(rescued(), { output: 'quiet' });
    expect(stdout).to.equal('2 controllers · 2 ok (1 rescued) · 0.0 s\n');
  });

  it('is a field of the JSON event', async () => {
    const { stdout } = await reported(rescued(), { output: 'json' });
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events[1]).to.include({ status: 'failed', rescued: true });
  });

  it('is not an error annotation in GitHub Actions', async () => {
    const { stdout } = await reported(rescued(), { github: { workspace: '/nowhere' } });
    expect(stdout)
      .to.include('failed       lb1  Create the cloud: answered 400 (rescued)\n')
      .and.to.not.include('::error');
  });

  it('makes it unknown how many tasks a later failure prevented', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.playStarted(['lb1'], { tasks: 5 }),
      make.taskFinished('lb1', 'failed', FAILURE),
      make.taskFinished('lb1', 'failed', { task: 'Undo', message: 'answered 500' }),
      make.playFinished(),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(stdout).to.include('failed: answered 500\n').and.to.not.include('not run:');
  });
});

describe('an ignored failure', () => {
  it('is shown once for equal causes after the batch, and counted', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.playStarted(['lb1', 'lb2', 'lb3']),
        make.batchStarted(['lb1', 'lb2', 'lb3']),
        make.taskFinished('lb1', 'failed', { message: 'lb1 answered 400', ignored: true }),
        make.taskFinished('lb2', 'failed', { message: 'lb2 answered 400', ignored: true }),
        make.taskFinished('lb3', 'failed', { message: 'answered 500', rescued: true }),
        ...['lb1', 'lb2', 'lb3'].map((name) => make.controllerFinished(name)),
        make.batchFinished(),
        make.playFinished(),
        make.runFinished(),
      ],
      { output: 'grouped' },
    );
    expect(stdout)
      .to.include('rescued      Create the cloud: answered 500 (lb3)\n')
      .and.to.include('ignored      2× Create the cloud: <controller> answered 400 (lb1, lb2)\n')
      .and.to.include('3 controllers · 3 ok (1 rescued, 2 ignored) · 0.0 s\n');
  });

  it('is shown with what it wrote, if it did, and its controller as changed, as one that is rescued', async () => {
    const make = new EventMaker();
    const wrote = (name: string, kind: 'create' | 'update', given: object): Event =>
      make.taskFinished(name, 'failed', {
        message: 'failed_when: true',
        change: { kind, object: 'cloud "a"', before: null, after: {} } as Change,
        ...given,
      });
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6'];
    const { stdout } = await reported(
      [
        make.playStarted(names),
        make.batchStarted(names),
        wrote('lb1', 'create', { rescued: true, changed: true }),
        wrote('lb2', 'create', { ignored: true, changed: true }),
        // What the controller did not show after the write: the message says so.
        wrote('lb3', 'update', { rescued: true, message: 'not converged' }),
        wrote('lb4', 'create', { ignored: true, changed: true, item: 'a' }),
        make.taskFinished('lb4', 'failed', { ignored: true, changed: true, message: 'item a: failed_when: true' }),
        wrote('lb6', 'update', { rescued: true, message: 'not converged', item: 'a' }),
        make.taskFinished('lb6', 'failed', { rescued: true, message: 'item a: not converged' }),
        ...names.map((name) => make.controllerFinished(name)),
        make.batchFinished(),
        make.playFinished(),
        make.runFinished(),
      ],
      { output: 'grouped' },
    );
    expect(stdout).to.include(`✔ Roll out · 6 controllers, 5 changed · 0.0 s
    rescued      Create the cloud: failed_when: true (lb1)
    rescued      Create the cloud: not converged (lb3)
    rescued      Create the cloud: item a: not converged (lb6)
    ignored      Create the cloud: failed_when: true (lb2)
    ignored      Create the cloud: item a: failed_when: true (lb4)
    changed      3× Create the cloud: created cloud "a" (lb1, lb2, lb4)
`);
    expect(stdout).to.include('sent, but not confirmed: cloud "a" on lb3, lb6\n');
  });
});

describe('special tasks', () => {
  it('are marked as handlers, with the delegate', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'changed', { task: 'web : Reload', handler: true }),
      make.taskFinished('lb1', 'changed', { task: 'Drain', delegatedTo: 'lb2' }),
      make.taskFinished('lb1', 'ok', { task: 'Sites', module: 'include_tasks' }),
    ]);
    expect(stdout).to.equal(`
play Roll out · 1 controller · 2 tasks
changed      lb1  web : Reload (handler)
changed      lb1 → lb2  Drain
`);
  });

  it('show with -v what they included', async () => {
    const make = new EventMaker();
    const include = { task: 'Sites', module: 'include_tasks', values: { include: 'tasks/x.yml' } };
    const role = { task: 'Web', module: 'include_role', values: { include_args: { name: 'web' } } };
    const { stdout } = await reported(
      [make.taskFinished('lb1', 'ok', include), make.taskFinished('lb1', 'ok', { ...role, item: 'a' })],
      { verbosity: 1 },
    );
    expect(stdout).to.equal(`ok           lb1  Sites: included: tasks/x.yml
ok           lb1  Web (a): included: role web
`);
  });

  it('count an always after a failure as run', async () => {
    const make = new EventMaker();
    const { stdout } = await reported([
      make.playStarted(['lb1'], { tasks: 4 }),
      make.taskFinished('lb1', 'failed', { message: 'answered 500' }),
      make.taskFinished('lb1', 'ok', { task: 'In any case' }),
      make.playFinished(),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(stdout).to.include('  = not run: 2 tasks after it\n');
  });
});

describe('a run that ended early', () => {
  it('reports why, and how to continue', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.playStarted(['lb1', 'lb2'], { tasks: 1 }),
        make.taskFinished('lb1', 'failed', { message: 'answered 500' }),
        make.runFinished({
          status: 'failed',
          exitCode: 2,
          unstarted: ['lb2'],
          cutOff: ['lb3'],
          reason: 'the only controller of batch 1 of 2 failed',
        }),
      ],
      { commandFor: (way) => `evenkeel ${way}` },
    );
    expect(stdout).to.include(`
ended early: the only controller of batch 1 of 2 failed

recap
`);
    expect(stdout).to.match(/\n\ncontinue with: evenkeel rerun\n$/);
  });
});

describe('a finished batch in a terminal', () => {
  function blockOf([started, ...events]: readonly Event[]): readonly string[] {
    if (started?.type !== 'play-started') throw new Error('a play begins with its start');
    const progress = new PlayProgress(started);
    const begun = new EventMaker().batchStarted(started.controllers);
    for (const event of [begun, ...events]) {
      progress.handle(event);
    }
    return batchBlock(progress, { now: Date.parse(started.time), columns: 80, palette: createPalette(false) });
  }

  it('keeps rescued failures, apart from failures', () => {
    expect(blockOf(rescued())).to.deep.equal([
      '✔ Roll out · 2 controllers, nothing changed · 0.0 s',
      '    rescued      Create the cloud: answered 400 (lb1)',
    ]);
  });

  it('cuts the name of a task before the cause', () => {
    const make = new EventMaker();
    const task = 'Create the cloud that all of the virtual services in Madrid need';
    expect(
      blockOf([
        make.playStarted(['lb1', 'lb2']),
        make.taskFinished('lb1', 'failed', { task, message: 'answered 400: the quota is exceeded' }),
        make.taskFinished('lb2', 'changed', { task, message: `created cloud "${'x'.repeat(60)}"` }),
        make.controllerFinished('lb2'),
      ]),
    ).to.deep.equal([
      '✖ Roll out · 2 controllers, 1 changed, 1 failed · 0.0 s',
      '    failed       Create the cloud that all…: answered 400: the quota is exceeded',
      `    changed      Create the cloud th…: created cloud "${'x'.repeat(25)}…`,
      '                 lb2',
    ]);
  });

  it('says behind which routes something went wrong', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3'];
    const events = [
      make.playStarted(names, { routes: { madrid: [0], paris: [1, 2] } }),
      make.taskFinished('lb1', 'changed', { message: 'created' }),
      make.controllerFinished('lb1'),
      make.taskFinished('lb2', 'failed', { message: 'answered 400' }),
      make.taskFinished('lb3', 'failed', { message: 'answered 400' }),
    ];
    expect(blockOf(events)).to.deep.equal([
      '✖ Roll out · 3 controllers, 1 changed, 2 failed · 0.0 s',
      '    failed       2× Create the cloud: answered 400 (via paris)',
      '    changed      Create the cloud: created (lb1)',
    ]);
  });
});
