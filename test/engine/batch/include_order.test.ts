import { expect } from 'chai';
import type { Included } from '../../../src/core/model/playbook/step.js';
import { IncludeOrder } from '../../../src/engine/batch/batch_state.js';
import type { IncludedRun } from '../../../src/engine/task/task_end.js';

const file = (title: string): Included => ({ title, key: title, steps: [], handlers: [], layers: [] });
const [A, B] = [file('a.yml'), file('b.yml')];

function run(included: Included, item?: string): IncludedRun {
  const layer = { level: 'include params', origin: 'loop', values: { item: item ?? '' } } as const;
  return { included, layers: item === undefined ? [] : [layer] };
}

describe('the files that controllers include at one step', () => {
  it('are ordered by controller, and the same file occurs once', () => {
    const order = new IncludeOrder(['one', 'two', 'three']);
    order.register('three', [4], [run(A)]);
    order.register('two', [4], [run(B)]);
    order.register('one', [4], [run(A)]);
    expect(['one', 'two', 'three'].map((name) => order.ordinals(name, [4]))).to.deep.equal([[0], [1], [0]]);
  });

  it('are ordered at each step on its own, also if controllers reach two steps in turn', () => {
    const order = new IncludeOrder(['one', 'two']);
    const steps = [[4], [4, 1], [5]];
    for (const step of steps) order.register('two', step, [run(A)]);
    for (const [at, step] of steps.entries()) order.register('one', step, at === 1 ? [run(A), run(B)] : [run(B)]);
    const ordinals = (name: string) => steps.map((step) => order.ordinals(name, step));
    expect(ordinals('one')).to.deep.equal([[0], [0, 1], [0]]);
    expect(ordinals('two')).to.deep.equal([[1], [0], [1]]);
    expect(ordinals('one')).to.deep.equal([[0], [0, 1], [0]]);
  });

  it('occur as often as one controller includes them, each time for all', () => {
    const order = new IncludeOrder(['one', 'two']);
    order.register('one', [0], [run(A), run(A), run(B), run(A)]);
    order.register('two', [0], [run(A), run(B), run(B), run(A)]);
    expect(order.ordinals('one', [0])).to.deep.equal([0, 1, 2, 3]);
    expect(order.ordinals('two', [0])).to.deep.equal([0, 2, 4, 1]);
  });

  it('are distinguished by their variables', () => {
    const order = new IncludeOrder(['one', 'two']);
    order.register('one', [0], [run(A, 'x'), run(A, 'y')]);
    order.register('two', [0], [run(A, 'y'), run(A, 'z')]);
    expect(order.ordinals('one', [0])).to.deep.equal([0, 1]);
    expect(order.ordinals('two', [0])).to.deep.equal([1, 2]);
  });

  it('occur twice if one controller includes the same file twice', () => {
    const order = new IncludeOrder(['one', 'two']);
    order.register('one', [0], [run(A), run(A)]);
    order.register('two', [0], [run(A), run(A)]);
    expect(order.ordinals('one', [0])).to.deep.equal([0, 1]);
    expect(order.ordinals('two', [0])).to.deep.equal([0, 1]);
  });
});
