import { expect } from 'chai';
import { chooseRestorers } from '../../src/undo/choose_restorers.js';

describe('the name under which a controller is put back', () => {
  const places: Readonly<Record<string, string>> = { lb1: 'A', one: 'A', uno: 'A', lb2: 'B', two: 'B' };
  const writes = ['lb1', 'lb2', 'one', 'two', 'uno'].map((target, write) => ({ intent: { target, write } }) as never);
  const chosen = (...preferences: readonly ((target: string) => boolean)[]) => {
    const choose = chooseRestorers(writes, {
      findPlace: (target) => places[target] ?? target,
      preferences: preferences.map(
        (one) =>
          ({ controller }) =>
            one(controller),
      ),
    });
    const write = (target: string) => ({ intent: { target, path: '/api/cloud/1' } }) as never;
    return ['lb1', 'one', 'lb2', 'elsewhere'].map((target) => choose([write(target)]).controller);
  };

  it('is the one that wrote last, or the one that is preferred', () => {
    expect(chosen()).to.deep.equal(['uno', 'uno', 'two', 'elsewhere']);
    expect(chosen((one) => one.startsWith('lb'))).to.deep.equal(['lb1', 'lb1', 'lb2', 'elsewhere']);
    expect(
      chosen(
        (one) => one === 'lb2',
        (one) => one !== 'uno',
      ),
    ).to.deep.equal(['one', 'one', 'lb2', 'elsewhere']);
    expect(chosen(() => false)).to.deep.equal(['uno', 'uno', 'two', 'elsewhere']);
  });
});
