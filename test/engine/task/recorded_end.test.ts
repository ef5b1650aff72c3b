import { expect } from 'chai';
import type { StepSettled } from '../../../src/core/model/run/journal.js';
import type { TaskRun } from '../../../src/engine/context/task_run.js';
import { isSameStep, recordedResult } from '../../../src/engine/task/recorded_end.js';
import { aStep } from '../../rig/kept.js';

/** A `debug` with that title now. */
const now = (title: string, name?: string): TaskRun =>
  ({ title, task: { module: 'debug', ...(name !== undefined && { name: { value: name } }) } }) as TaskRun;

describe('a recorded step', () => {
  it('is the same one if its key is, or its module and title are, unless a template makes the title', () => {
    for (const [run, settled, expected] of [
      [now('Other'), { key: 'k', module: 'fail' }, true],
      [now('Say'), {}, true],
      [now('Say'), { module: 'fail' }, false],
      [now('Other'), {}, false],
      [now('Other', 'Other'), {}, false],
      [now('Other', '{{ name }}'), {}, true],
      [now('Other', '{{ name }}'), { module: 'fail' }, false],
    ] as const)
      expect(isSameStep(run, aStep(settled))).to.equal(expected);
  });

  it('has the result that was recorded, else only its status', () => {
    const result = { status: 'ok', values: { a: 1 } } as const;
    expect(recordedResult({ status: 'failed' }, { result })).to.equal(result);
    const counted = (status: StepSettled['counted']['status']) => recordedResult({ status }, {});
    expect(counted('ok')).to.deep.equal({ status: 'ok', values: {} });
    expect(counted('changed')).to.deep.equal({ status: 'changed', values: {}, change: { kind: 'none' } });
    for (const status of ['skipped', 'interrupted'] as const)
      expect(counted(status)).to.deep.equal({ status, values: {}, message: '' });
    for (const status of ['failed', 'unreachable'] as const)
      expect(counted(status)).to.deep.equal({ status, values: {}, failure: { message: 'before the run was cut off' } });
  });
});
