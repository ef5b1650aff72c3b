import { expect } from 'chai';
import { placeIn, rollbackArea } from '../../src/core/model/playbook/step_place.js';
import { writesOfBatch } from '../../src/undo/object_writes.js';
import type { ObjectWrites, RecordedWrite } from '../../src/undo/object_writes.js';
import { EDGE, update, type WriteOptions } from './rig.js';

const task = (write: number, controller: string, forgottenAfter?: number): RecordedWrite => ({
  ...update(write, EDGE, EDGE, { controller }),
  ...(forgottenAfter !== undefined && { forgottenAfter }),
});
const restored = (write: number, outcome: WriteOptions['outcome'] = 'applied'): RecordedWrite =>
  update(write, EDGE, EDGE, { controller: 'lb9', place: placeIn(rollbackArea(0, 1), [0]), outcome });

describe('the writes that a rollback of a batch undoes', () => {
  const cases: readonly (readonly [string, readonly string[], ObjectWrites, readonly number[]])[] = [
    ['those of its controllers', ['lb1', 'lb3'], [task(1, 'lb1'), task(2, 'lb2'), task(3, 'lb3')], [1, 3]],
    ['none if only others were rolled back', ['lb1'], [task(1, 'lb2', 1), restored(2)], []],
    ['those since it was restored', ['lb1'], [task(1, 'lb1', 1), restored(2), task(3, 'lb1')], [3]],
    [
      'those since it was restored with others',
      ['lb1'],
      [task(1, 'lb2', 2), task(2, 'lb1', 2), restored(3), task(4, 'lb1')],
      [4],
    ],
    ['all if it may not be restored', ['lb1'], [task(1, 'lb1', 1), restored(2, 'unknown'), task(3, 'lb1')], [1, 2, 3]],
    [
      'all if it was restored for some',
      ['lb1', 'lb2'],
      [task(1, 'lb2', 2), task(2, 'lb1'), restored(3), task(4, 'lb2')],
      [1, 2, 3, 4],
    ],
    [
      'still those that were forgotten later',
      ['lb1'],
      [task(1, 'lb1', 4), task(2, 'lb2', 2), restored(3), task(4, 'lb1', 4)],
      [1, 4],
    ],
    [
      'those since a second rollback',
      ['lb1'],
      [task(1, 'lb1', 1), restored(2, 'unknown'), task(3, 'lb1', 3), restored(4), task(5, 'lb1')],
      [5],
    ],
  ];
  for (const [what, controllers, writes, expected] of cases)
    it(`are ${what}`, () => {
      const left = writesOfBatch(new Set(controllers))(writes);
      expect(left.map(({ intent }) => intent.write)).to.deep.equal(expected);
    });
});
