import { expect } from 'chai';
import type { RunTaskResult } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { NO_VARIABLES } from '../../../src/engine/controllers/controller_state.js';
import { loopResult, type LoopItem } from '../../../src/engine/task/loop_result.js';

const item = (label: string, result: RunTaskResult): LoopItem => ({
  outcome: {
    performed: { result },
    keptVariables: NO_VARIABLES,
    ignored: false,
    masked: false,
    check: false,
    diff: false,
  },
  variables: { item: label },
  label,
});
const OK: RunTaskResult = { status: 'ok', values: { a: 1 } };
const CHANGED: RunTaskResult = {
  status: 'changed',
  values: {},
  change: { kind: 'invoke', object: 'x', before: null, after: null },
};
const SKIPPED: RunTaskResult = { status: 'skipped', values: {}, message: 'not here' };
const failure = (message: string, more: object = {}, values: Mapping = {}): RunTaskResult => ({
  status: 'failed',
  values,
  failure: { message, ...more },
});
const AWAY: RunTaskResult = {
  status: 'unreachable',
  values: {},
  failure: { message: 'no answer', hint: 'wait', passing: true },
};

/** The result without the list of those of its items. */
function whole(...items: readonly LoopItem[]) {
  const { values, ...rest } = loopResult(items);
  const { results, ...others } = values;
  return { ...rest, values: others, count: Array.isArray(results) ? results.length : 0 };
}

describe('the result of a whole loop', () => {
  it('has what each item registers, with its variables', () => {
    expect(loopResult([item('a', OK), item('b', CHANGED)]).values['results']).to.deep.equal([
      { changed: false, failed: false, a: 1, item: 'a' },
      { changed: true, failed: false, item: 'b' },
    ]);
  });

  it('is that of its items: changed if one is, skipped only if all are', () => {
    const done = { skipped: false, msg: 'All items completed' };
    expect(whole(item('a', OK), item('b', CHANGED), item('c', SKIPPED))).to.deep.equal({
      status: 'changed',
      values: done,
      change: { kind: 'none' },
      count: 3,
    });
    expect(whole(item('a', SKIPPED), item('b', OK))).to.deep.equal({ status: 'ok', values: done, count: 2 });
    expect(whole(item('a', SKIPPED), item('b', SKIPPED))).to.deep.equal({
      status: 'skipped',
      message: 'All items skipped',
      values: { skipped: true, msg: 'All items skipped' },
      count: 2,
    });
  });

  it('is a failure with the message of the first item that failed, and whether an item changed something', () => {
    const msg = 'One or more items failed';
    expect(
      whole(item('a', OK), item('b', failure('no', { hint: 'do it' })), item('c', failure('never'))),
    ).to.deep.equal({
      status: 'failed',
      values: { skipped: false, changed: false, msg },
      failure: { message: '2 of 3 items failed; item b: no', hint: 'do it' },
      count: 3,
    });
    expect(whole(item('a', failure('no')))).to.deep.include({ failure: { message: 'item a: no' } });
    for (const other of [CHANGED, failure('no', {}, { changed: true })])
      expect(whole(item('a', failure('no')), item('b', other)).values).to.deep.equal({
        skipped: false,
        changed: true,
        msg,
      });
  });

  it('is stale with the message of the item that is', () => {
    expect(whole(item('a', failure('no')), item('b', failure('it has changed', { stale: true })))).to.deep.include({
      status: 'failed',
      failure: { message: '2 of 2 items failed; item b: it has changed', stale: true },
    });
  });

  it('is that of a controller that cannot be reached, unless an item failed', () => {
    expect(whole(item('a', OK), item('b', AWAY), item('c', CHANGED))).to.deep.equal({
      status: 'unreachable',
      values: { skipped: false, changed: true, msg: 'One or more items were unreachable' },
      failure: { message: '1 of 3 items unreachable; item b: no answer', hint: 'wait', passing: true },
      count: 3,
    });
    expect(whole(item('a', AWAY), item('b', failure('no')))).to.deep.include({
      status: 'failed',
      failure: { message: '1 of 2 items failed; item b: no' },
    });
  });

  it('is not that of an item whose failure is ignored, if that of another is not', () => {
    const ignored = ({ outcome, ...rest }: LoopItem): LoopItem => ({ ...rest, outcome: { ...outcome, ignored: true } });
    const statusOf = (...items: readonly LoopItem[]): string => loopResult(items).status;
    expect(statusOf(ignored(item('a', failure('no'))), item('b', AWAY))).to.equal('unreachable');
    expect(statusOf(item('a', failure('no')), ignored(item('b', AWAY)))).to.equal('failed');
    expect(statusOf(ignored(item('a', failure('no'))), ignored(item('b', AWAY)))).to.equal('failed');
  });
});
