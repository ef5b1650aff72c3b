import { expect } from 'chai';
import type { Event, RunFinished } from '../../../src/core/model/run/event.js';
import type { RunPorts } from '../../../src/launch/load/ports.js';
import type { PreparedRun } from '../../../src/launch/load/prepared_run.js';
import { verifyIdempotent, type Idempotence } from '../../../src/launch/start/verify_idempotent.js';
import { EventMaker, masked } from '../../rig/events.js';

const RUN = {
  request: { command: { type: 'apply', file: '/p', plan: 'p' }, step: true, diff: 'host', verbosity: 3, forks: 7 },
  loaded: { target: 'target', plan: 'plan', playbooks: 'playbooks' },
  journalOptions: { invocation: 'i', fingerprint: 'f', playbooks: ['p'], kept: 'kept', undoes: 'u', unsettled: [] },
  label: 'label',
  selected: 'selected',
  confirmed: true,
} as unknown as PreparedRun;

interface Verified {
  readonly found: Idempotence;
  readonly again: PreparedRun;
  readonly ports: RunPorts;
}

async function verified(events: readonly Event[], end: Partial<RunFinished> | undefined): Promise<Verified> {
  let used: readonly [PreparedRun, RunPorts] | undefined;
  const said: unknown[] = [];
  const report = { warnings: () => said.push(1), notice: () => said.push(2), open: () => expect.fail('opened') };
  const ports = { cwd: '/here', report } as unknown as RunPorts;
  const found = await verifyIdempotent(RUN, ports, async (run, given) => {
    used = [run, given];
    given.report.warnings([], '/');
    given.report.notice('notice', 'always');
    const reporter = given.report.open(run, '1', '/');
    for (const event of events) reporter.handle(masked(event));
    await reporter.close();
    return { status: 'x', ...(end && { finished: end as RunFinished }) };
  });
  expect(said).to.deep.equal([]);
  if (used === undefined) return expect.fail('not started');
  return { found, again: used[0], ports: used[1] };
}

describe('a check right after a run', () => {
  const make = new EventMaker();

  it('names the tasks that would change something again, with their controllers in order', async () => {
    const { found } = await verified(
      [
        make.taskFinished('lb10', 'changed', { task: 'One' }),
        make.taskFinished('lb2', 'changed', { task: 'One' }),
        make.taskFinished('lb2', 'changed', { task: 'One' }),
        make.taskFinished('lb3', 'changed', { task: 'Loop', item: 'a' }),
        make.taskFinished('lb3', 'ok', { task: 'Fine' }),
        make.taskFinished('lb3', 'failed', { task: 'One', rescued: true, changed: true }),
        make.taskFinished('lb4', 'failed', { task: 'One', rescued: true }),
        make.taskFinished('lb1', 'changed', { task: 'Two' }),
      ],
      { status: 'ok' },
    );
    expect(found).to.deep.equal({
      status: 'changes',
      tasks: [
        { task: 'One', controllers: ['lb2', 'lb3', 'lb10'] },
        { task: 'Two', controllers: ['lb1'] },
      ],
    });
  });

  it('verifies a run after which nothing would change', async () => {
    const { found } = await verified([make.taskFinished('lb1', 'ok')], { status: 'ok' });
    expect(found).to.deep.equal({ status: 'verified' });
  });

  it('knows nothing if it does not complete, whatever it has found', async () => {
    const failed = { status: 'failed', exitCode: 2 } as const;
    const changed = [make.taskFinished('lb1', 'changed')];
    expect((await verified(changed, failed)).found).to.deep.equal({ status: 'unknown', finished: failed });
    expect((await verified([], undefined)).found).to.deep.equal({ status: 'unknown', finished: undefined });
  });

  it('repeats the run as a check without questions, diffs and plan', async () => {
    const { again, ports } = await verified([], { status: 'ok' });
    expect(again).to.deep.equal({
      ...RUN,
      request: { ...RUN.request, check: true, readOnly: true, step: undefined, diff: undefined, verbosity: 0 },
      loaded: { ...RUN.loaded, plan: undefined },
      journalOptions: { invocation: 'i', fingerprint: 'f', playbooks: ['p'] },
    });
    expect(ports.cwd).to.equal('/here');
  });
});
