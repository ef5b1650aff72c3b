import { expect } from 'chai';
import type { Scope } from '../../../src/core/model/run/reference.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { comparable, ExpectedObjects } from '../../../src/engine/controllers/expected_objects.js';
import { Observation } from '../../../src/engine/resource/observation.js';
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

  it('is in a check what earlier tasks would leave, also of a copy, until something else changes the object', async () => {
    const expected = new ExpectedObjects();
    let object: Mapping | undefined = WEB;
    const look = async () => {
      const observation = new Observation(
        { find: () => Promise.resolve(object), single: () => Promise.reject(new Error()) },
        expected,
      );
      return { observation, seen: await observation.find(POOLS, 'web') };
    };
    const change = async (fields: Mapping) => {
      const { observation, seen } = await look();
      const before = { ...seen };
      observation.expect(
        seen === undefined
          ? { kind: 'create', object: 'pool', before: null, after: fields }
          : { kind: 'update', object: 'pool', before, after: { ...before, ...fields } },
      );
      return (await look()).seen;
    };
    expect(await change({ port: 1 })).to.deep.equal({ ...WEB, port: 1 });
    expect(await change({ port: 2 })).to.deep.equal({ ...WEB, port: 2 });
    object = { ...WEB, _last_modified: '2' };
    expect((await look()).seen).to.deep.equal({ ...WEB, port: 2 });
    object = { ...WEB, ratio: 1 };
    expect((await look()).seen).to.equal(object);
    object = undefined;
    expect(await change({ name: 'web' })).to.deep.equal({ name: 'web' });
    expect(await change({ port: 3 })).to.deep.equal({ name: 'web', port: 3 });
    expected.forget(POOLS, { kind: 'create', object: 'pool', before: null, after: { name: 'web' } });
    expect((await look()).seen).to.equal(undefined);
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
