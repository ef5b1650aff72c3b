import { expect } from 'chai';
import {
  declaredReferences,
  refersByName,
  targetKey,
  withNames,
  withReferencesIn,
} from '../../../src/module/comparison/scope.js';

const DIRECT = 'https://lb1.example.com/api/pool/pool-1';

describe('references by name', () => {
  const pools = [{ pool_ref: DIRECT }, { pool_ref: '/api/pool?name=web' }, { pool_ref: 'db' }];

  it('are found in any item of a list', () => {
    expect(refersByName({ pools })).to.equal(true);
    expect(refersByName({ pools: pools.slice(0, 1) })).to.equal(false);
    expect(refersByName({ pool_refs: [DIRECT, 'db'] })).to.equal(true);
    expect(refersByName({ name: 'db', pools: [] })).to.equal(false);
    expect(refersByName({ name: 'db', in: { name: 'a', pool_ref: 'db' } })).to.equal(true);
    for (const other of ['', DIRECT, 'a/b', 'a?b', 5, null, {}])
      expect([refersByName({ pool_ref: other }), declaredReferences({ pool_ref: other })]).to.deep.equal([false, []]);
    expect([refersByName('db'), declaredReferences('db'), declaredReferences(['db'])]).to.deep.equal([false, [], []]);
  });

  it('are listed in their order, with their places', () => {
    expect(declaredReferences({ pools }).map(({ path, text }) => [path, text])).to.deep.equal([
      [['pools', 1, 'pool_ref'], '/api/pool?name=web'],
      [['pools', 2, 'pool_ref'], 'db'],
    ]);
  });

  it('know their field and what they name, also in lists', () => {
    expect(declaredReferences({ a: [{ pool_refs: ['x', '/api/pool?name=y'] }], name: 'z' })).to.deep.equal([
      { path: ['a', 0, 'pool_refs', 0], text: 'x', field: 'pool_refs', named: undefined },
      {
        path: ['a', 0, 'pool_refs', 1],
        text: '/api/pool?name=y',
        field: 'pool_refs',
        named: { collection: '/api/pool/', name: 'y' },
      },
    ]);
  });

  it('are replaced by those of their objects, each in its field', () => {
    const targets = new Map([
      [targetKey('pool_ref', 'a'), '/api/pool/1'],
      [targetKey('vs_refs', 'a'), '/api/vs/2'],
    ]);
    expect(
      withReferencesIn({ pool_ref: 'a', vs_refs: ['a', 'b', 5], in: [{ pool_ref: 'a', name: 'a' }], n: null }, targets),
    ).to.deep.equal({
      pool_ref: '/api/pool/1',
      vs_refs: ['/api/vs/2', 'b', 5],
      in: [{ pool_ref: '/api/pool/1', name: 'a' }],
      n: null,
    });
  });

  it('are shown with the names of their objects', () => {
    const nameOf = (collection: string, uuid: string) => (uuid === 'x' ? undefined : `${collection}${uuid}`);
    const object = {
      pool_ref: '/api/pool/1',
      vs_refs: ['/api/vs/2', '/api/vs/x', '/api/vs/3#c', 'web', 5],
      in: [{ pool_ref: DIRECT }],
      name: '/api/pool/1',
    };
    expect(withNames(object, nameOf)).to.deep.equal({
      pool_ref: '/api/pool/1#/api/pool/1',
      vs_refs: ['/api/vs/2#/api/vs/2', '/api/vs/x', '/api/vs/3#c', 'web', 5],
      in: [{ pool_ref: `${DIRECT}#/api/pool/pool-1` }],
      name: '/api/pool/1',
    });
  });
});
