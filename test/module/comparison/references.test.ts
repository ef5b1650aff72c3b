import { expect } from 'chai';
import { declaredReferences, refersByName } from '../../../src/module/comparison/references.js';

const DIRECT = 'https://lb1.example.com/api/pool/pool-1';

describe('references by name', () => {
  const pools = [{ pool_ref: DIRECT }, { pool_ref: '/api/pool?name=web' }, { pool_ref: 'db' }];

  it('are found in any item of a list', () => {
    expect(refersByName({ pools })).to.equal(true);
    expect(refersByName({ pools: pools.slice(0, 1) })).to.equal(false);
    expect(refersByName({ pool_refs: [DIRECT, 'db'] })).to.equal(true);
    expect(refersByName({ name: 'db', pools: [] })).to.equal(false);
  });

  it('are listed in their order, with their places', () => {
    expect(declaredReferences({ pools }).map(({ path, text }) => [path, text])).to.deep.equal([
      [['pools', 1, 'pool_ref'], '/api/pool?name=web'],
      [['pools', 2, 'pool_ref'], 'db'],
    ]);
  });
});
