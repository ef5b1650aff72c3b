import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const UPDATED = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1500 }, after: { mtu: 9000 } } as const;

function run(make: EventMaker, given: object, tasks: readonly Event[]): readonly Event[] {
  return [
    make.runStarted(given),
    make.playStarted(['lb1', 'lb2']),
    make.batchStarted(['lb1', 'lb2']),
    ...tasks,
    make.runFinished(),
  ];
}

describe('the output of a follow-up', () => {
  it('of a resume says which run it resumes, and how interrupted writes were resolved', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      run(make, { resumed: true }, [
        make.taskFinished('lb1', 'changed', { change: UPDATED, resumed: 'found' }),
        make.taskFinished('lb2', 'changed', { change: UPDATED, resumed: 'repeated' }),
      ]),
    );
    expect(stdout).to.match(/^evenkeel 0\.1\.0 · playbooks\/rollout\.yml · resume of 20250301-120000-abcd\n/);
    expect(stdout).to.include('updated cloud "edge": mtu; the interrupted write had taken effect\n');
    expect(stdout).to.include('updated cloud "edge": mtu; repeated: the interrupted write had no effect\n');
    expect(stdout).to.include('\nrecap · 1 interrupted write had taken effect · 1 interrupted write repeated\n');
  });

  it('of a rollback says what it restored', async () => {
    const make = new EventMaker();
    const task = { task: 'Restore', module: 'rollback' };
    const tasks = [
      make.taskFinished('lb1', 'changed', { ...task, item: 'cloud "edge": mtu', change: UPDATED }),
      make.taskFinished('lb1', 'ok', { ...task, item: 'cloud "core": mtu' }),
      make.taskFinished('lb1', 'changed', { ...task, item: 'cloud "west": mtu', change: UPDATED }),
      make.taskFinished('lb1', 'changed', task),
    ];
    const { stdout } = await reported(run(make, {}, tasks));
    expect(stdout).to.include('\nrecap · restored 2 objects · 1 already as before\n');
    const check = await reported(run(make, { check: true }, tasks));
    expect(check.stdout).to.include(' · would restore 2 objects · 1 already as before\n');
  });

  it('says what the second interrupt aborts', async () => {
    const make = new EventMaker();
    const { stderr } = await reported(
      run(make, {}, [
        make.taskStarted('lb2'),
        make.taskStarted('lb1'),
        make.warning('interrupted'),
        { ...make.warning('interrupted again'), givesUp: true } as Event,
      ]),
    );
    expect(stderr).to.equal(
      'warning: interrupted\nwarning: interrupted again\nwarning: aborted: Create the cloud on lb1, lb2\n',
    );
  });
});
