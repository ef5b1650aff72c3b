import { expect } from 'chai';
import { SharedNames, WrittenNames } from '../../../src/reporting/run/failures/failure_log.js';

describe('names of written objects', () => {
  const written = (shared: SharedNames, names: readonly string[]): WrittenNames => {
    const all = new WrittenNames(shared);
    for (const name of names) all.add(name);
    return all;
  };

  it('are listed once, in the order of the first writes', () => {
    const shared = new SharedNames();
    expect(written(shared, ['b', 'a', 'b', '', 'c']).all).to.deep.equal(['b', 'a', 'c']);
    expect(written(shared, ['b', 'c', 'a']).all).to.deep.equal(['b', 'c', 'a']);
    expect(written(shared, []).all).to.deep.equal([]);
  });

  it('are one list for all controllers that wrote the same', () => {
    const shared = new SharedNames();
    expect(written(shared, ['a', 'b']).all).to.equal(written(shared, ['a', 'b']).all);
  });

  it('are complete on controllers that wrote more objects than others', () => {
    const shared = new SharedNames();
    const names = Array.from({ length: 120 }, (_, index) => `pool ${index}`);
    expect(written(shared, [...names, ...names]).all).to.deep.equal(names);
    for (let controller = 0; controller < 1500; controller++) {
      const own = [`pool of lb${controller}`, 'pool'];
      expect(written(shared, own).all).to.deep.equal(own);
    }
  });
});
