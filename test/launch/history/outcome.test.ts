import { expect } from 'chai';
import { RERUN_STATES } from '../../../src/core/model/run/choices.js';
import type { Event } from '../../../src/core/model/run/event.js';
import { emptyStats } from '../../../src/core/model/run/result.js';
import { KeptOutcome } from '../../../src/launch/history/outcome.js';
import { EventMaker } from '../../rig/events.js';

const make = new EventMaker();

function outcome(...events: readonly Event[]) {
  const kept = new KeptOutcome();
  for (const event of events) kept.handle(event);
  return {
    plays: kept.begunPlays,
    finished: kept.finished,
    ...Object.fromEntries(RERUN_STATES.map((one) => [one, kept.inState(one)])),
  };
}

describe('the outcome of an earlier run', () => {
  it('has each controller that failed or was unreachable, but for items, gates and failures that do not count', () => {
    expect(
      outcome(
        make.taskFinished('lb1', 'failed'),
        make.taskFinished('lb2', 'failed', { item: 'a' }),
        make.taskFinished('lb3', 'failed', { round: 1 }),
        make.taskFinished('lb4', 'failed', { ignored: true }),
        make.taskFinished('lb5', 'failed', { rescued: true }),
        make.taskFinished('lb6', 'unreachable'),
        make.taskFinished('lb7', 'unreachable', { ignored: true }),
        make.taskFinished('lb8', 'changed'),
        make.taskFinished('lb9', 'failed'),
      ),
    ).to.deep.equal({
      plays: 0,
      finished: undefined,
      failed: ['lb1', 'lb9'],
      unreachable: ['lb6'],
      unstarted: undefined,
    });
  });

  it('has none that succeeded when a resume ran its tasks again', () => {
    const stats = { lb1: emptyStats(), lb2: { ...emptyStats(), failed: 1 }, lb3: { ...emptyStats(), unreachable: 1 } };
    const before = [
      make.taskFinished('lb1', 'failed'),
      make.taskFinished('lb2', 'failed'),
      // A resume after a change of the inventory no longer has it.
      make.taskFinished('gone', 'failed'),
      ...['lb1', 'lb2', 'lb3'].map((name) => make.taskFinished(name, 'unreachable')),
      make.runFinished({ status: 'failed', exitCode: 6 }),
      make.runStarted({ resumed: true }),
    ];
    expect(outcome(...before)).to.deep.include({ failed: ['lb1', 'lb2', 'gone'], unreachable: ['lb1', 'lb2', 'lb3'] });
    expect(outcome(...before, make.runFinished({ stats }))).to.deep.include({ failed: ['lb2'], unreachable: ['lb3'] });
  });

  it('has controllers that did not start, were cut off, or whose batch failed its last gate', () => {
    const end = make.runFinished({ unstarted: ['lb8'], cutOff: ['lb9'] });
    expect(
      outcome(
        make.gateStarted(['lb1', 'lb2']),
        make.gateFinished('stop', 'failed'),
        make.gateStarted(['lb3']),
        make.gateFinished('continue'),
        make.gateStarted(['lb4']),
        make.gateFinished('rollback', 'failed'),
        make.gateStarted(['lb2', 'lb4']),
        make.gateFinished('continue', 'failed'),
        end,
      ),
    )
      .to.include({ finished: end })
      .and.to.deep.include({ unstarted: ['lb8', 'lb9', 'lb1'] });
    expect(outcome(make.runFinished({ unstarted: ['lb2'] }))).to.deep.include({ unstarted: ['lb2'] });
  });

  it('counts the plays that had begun, in whichever of its resumes, without rollbacks of batches', () => {
    const [play, rollback] = [make.playStarted(['lb1']), make.playStarted(['lb1'], { rollback: true })];
    const end = make.runFinished();
    expect(outcome(make.runStarted(), play, rollback, play)).to.include({ plays: 2 });
    expect(outcome(make.runStarted(), play, play, end, make.runStarted(), play)).to.include({
      plays: 2,
      finished: undefined,
    });
    expect(outcome(make.runStarted(), play, make.runStarted(), play, play, end)).to.include({
      plays: 2,
      finished: end,
    });
  });

  it('holds back the controllers of a gate that did not let them pass, until one does', () => {
    const end = make.runFinished({ unstarted: ['lb9'] });
    const gates = (...actions: readonly ('continue' | 'stop')[]): readonly Event[] =>
      actions.flatMap((action, at) => [
        make.gateStarted(at === 0 ? ['lb1', 'lb2'] : ['lb2', 'lb3']),
        make.gateChecked(),
        make.gateFinished(action, action === 'continue' ? 'passed' : 'failed'),
      ]);
    expect(outcome(...gates('stop', 'stop'), end)).to.deep.include({ unstarted: ['lb9', 'lb1', 'lb2', 'lb3'] });
    expect(outcome(...gates('stop', 'continue'), end)).to.deep.include({ unstarted: ['lb9', 'lb1'] });
    expect(outcome(...gates('continue', 'stop'), end)).to.deep.include({ unstarted: ['lb9', 'lb2', 'lb3'] });
    expect(outcome(...gates('continue', 'continue'), end)).to.deep.include({ unstarted: ['lb9'] });
  });
});
