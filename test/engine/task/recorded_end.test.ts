import { expect } from 'chai';
import type { StepSettled } from '../../../src/core/model/run/journal.js';
import { recordedResult } from '../../../src/engine/task/task_end.js';

describe('a recorded step', () => {
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
