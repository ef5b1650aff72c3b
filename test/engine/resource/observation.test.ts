import { expect } from 'chai';
import type { Scope } from '../../../src/core/model/run/reference.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { comparable, Observation } from '../../../src/engine/resource/observation.js';
import type { Singleton } from '../../../src/module/contract.js';

const POOLS = '/api/pool/';
const WEB = { uuid: 'pool 1', name: 'web', _last_modified: '1', pool_ref: 'https://lb1:4443/api/cloud/c-1' };
const SYSTEM = { uuid: 'default', dns: 'a' };
const SCOPE: Scope = { key: 'k', ownOnly: false, select: (objects) => Promise.resolve(objects) };
const digest = (value: Value): string => JSON.stringify(value);

function observed(): { readonly observation: Observation; readonly asked: readonly unknown[] } {
  const asked: unknown[] = [];
  const objects: Readonly<Record<string, Mapping>> = { web: WEB, 'of core': { name: 'of core' } };
  const observation = new Observation({
    find: (...question) => {
      asked.push(question);
      return Promise.resolve(objects[question[1]]);
    },
    single: (path): Promise<Singleton> =>
      Promise.resolve(
        path === '/api/system' ? { status: 'found', object: SYSTEM } : { status: 'unreadable', code: 405 },
      ),
  });
  return { observation, asked };
}

describe('what a module reads', () => {
  it('is recorded in order: what was found, what was not, and what the controller does not show', async () => {
    const { observation, asked } = observed();
    expect([observation.last, observation.path]).to.deep.equal([null, '']);
    expect(await observation.find(POOLS, 'web', SCOPE)).to.equal(WEB);
    expect([observation.last, observation.path]).to.deep.equal([WEB, POOLS]);
    expect(await observation.single('/api/system')).to.deep.equal({ status: 'found', object: SYSTEM });
    expect([observation.last, observation.path]).to.deep.equal([SYSTEM, '/api/system']);
    expect(await observation.find(POOLS, 'none')).to.equal(undefined);
    expect(await observation.single('/api/hidden')).to.deep.equal({ status: 'unreadable', code: 405 });
    expect([observation.last, observation.path]).to.deep.equal([null, '/api/hidden']);
    expect(asked).to.deep.equal([
      [POOLS, 'web', SCOPE, undefined],
      [POOLS, 'none', undefined, undefined],
    ]);
    expect(observation.seen(digest)).to.deep.equal([
      { path: POOLS, name: 'web', digest: '{"uuid":"pool 1","name":"web","pool_ref":"/api/cloud/c-1"}' },
      { path: '/api/system', digest: '{"uuid":"default","dns":"a"}' },
      { path: POOLS, name: 'none', digest: null },
      { path: '/api/hidden', digest: null },
    ]);
  });

  it('has other ways to find it: the uuid and the name of a member', async () => {
    const { observation } = observed();
    await observation.find(POOLS, 'web', SCOPE);
    await observation.find(POOLS, 'of core');
    await observation.find(POOLS, 'none');
    await observation.single('/api/system');
    const others = observation.found(digest).map(({ path, name, scope, aliases }) => [path, name, scope, aliases]);
    expect(others).to.deep.equal([
      [POOLS, 'web', 'k', ['pool 1', 'web']],
      [POOLS, 'of core', undefined, []],
      [POOLS, 'none', undefined, []],
      ['/api/system', undefined, undefined, []],
    ]);
  });

  it('is the object of a write at its path, or of a create in its collection', async () => {
    const { observation } = observed();
    await observation.find(POOLS, 'web');
    await observation.find(POOLS, 'of core');
    await observation.single('/api/system');
    for (const [written, object] of [
      [{ path: `${POOLS}pool%201` }, WEB],
      [{ path: `${POOLS}pool 1` }, undefined],
      [{ path: POOLS, name: 'web' }, WEB],
      [{ path: POOLS, name: 'of core' }, { name: 'of core' }],
      [{ path: POOLS, name: 'other' }, undefined],
      [{ path: '/api/cloud/', name: 'web' }, undefined],
      [{ path: '/api/system' }, SYSTEM],
      [{ path: POOLS }, undefined],
    ] as const)
      expect(observation.objectAt(written), JSON.stringify(written)).to.deep.equal(object);
  });

  it('is compared without what every write changes, the address, and names that only some reads show', () => {
    expect(comparable({ _last_modified: 1, a: { _b: 2, a_ref: 'https://x/api/y/z#n' } })).to.deep.equal({
      a: { _b: 2, a_ref: '/api/y/z' },
    });
  });
});
