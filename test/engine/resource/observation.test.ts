import { expect } from 'chai';
import type { ReferenceLookup, ReferenceView, Scope } from '../../../src/core/model/run/reference.js';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { ExpectedObjects } from '../../../src/engine/controllers/expected_objects.js';
import { Observation } from '../../../src/engine/resource/observation.js';
import { comparable } from '../../../src/module/comparison/comparison.js';
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

  it('is in a check each object as it would be: two members, and two that exist once', async () => {
    const API = { uuid: 'pool 2', name: 'api' };
    const [OTHER, HIDDEN] = [{ dns: 'b' }, { written: 1 }];
    const members: Readonly<Record<string, Mapping>> = { web: WEB, api: API };
    const once: Readonly<Record<string, Mapping>> = { '/api/system': { dns: 'a' }, '/api/other': OTHER };
    const expected = new ExpectedObjects();
    const observe = (): Observation =>
      new Observation(
        {
          find: (_, name) => Promise.resolve(members[name]),
          single: (path): Promise<Singleton> => {
            const object = once[path];
            return Promise.resolve(object ? { status: 'found', object } : { status: 'unreadable', code: 405 });
          },
        },
        expected,
      );
    const member = async (name: string) => {
      const own = observe();
      return [await own.find(POOLS, name), own.last, own.isFuture];
    };
    const change = (before: Mapping | null, after: Mapping | null) =>
      (before === null
        ? { kind: 'create', object: '', before, after }
        : { kind: after === null ? 'delete' : 'update', object: '', before, after }) as Change;

    const first = observe();
    for (const name of ['web', 'api']) await first.find(POOLS, name);
    for (const path of Object.keys(once)) await first.single(path);
    for (const [before, after] of [
      [{ ...WEB }, { ...WEB, port: 1 }],
      [API, null],
      [{ dns: 'a' }, { dns: 'c' }],
      [{ uuid: 'pool 3', name: 'more' }, { name: 'more' }],
    ] as const)
      first.expect(change(before, after));
    first.expect({ kind: 'none' });
    expect(await member('web')).to.deep.equal([{ ...WEB, port: 1 }, { ...WEB, port: 1 }, false]);
    expect(await member('api')).to.deep.equal([undefined, null, false]);
    expect(await member('more')).to.deep.equal([undefined, null, false]);
    expect(await observe().single('/api/system')).to.deep.equal({ status: 'found', object: { dns: 'c' } });
    expect(await observe().single('/api/other')).to.deep.equal({ status: 'found', object: OTHER });

    const second = observe();
    await second.find(POOLS, 'api');
    second.expect(change(null, { name: 'api', port: 2 }));
    expect(await member('api')).to.deep.equal([{ name: 'api', port: 2 }, { name: 'api', port: 2 }, true]);
    await second.single('/api/hidden');
    expect(second.isFuture).to.equal(false);
    second.expect({ kind: 'update', object: '', before: null, after: HIDDEN } as unknown as Change);
    expect(await observe().single('/api/hidden')).to.deep.equal({ status: 'unreadable', code: 405, written: HIDDEN });
    await second.single('/api/other');
    second.expect(change(OTHER, null));
    expect(await observe().single('/api/other')).to.deep.equal({ status: 'found', object: OTHER });

    const [one, two] = [{ equal: true }, { equal: true }];
    Object.assign(once, { '/api/one': one, '/api/two': two });
    const third = observe();
    for (const path of ['/api/one', '/api/two']) await third.single(path);
    third.expect(change(one, { equal: false }));
    expect(await observe().single('/api/one')).to.deep.equal({ status: 'found', object: { equal: false } });
    expect(await observe().single('/api/two')).to.deep.equal({ status: 'found', object: two });
  });

  it('is found in a check in scopes whose references lead to what earlier tasks would leave', async () => {
    const asked: unknown[] = [];
    const lookup = { tenant: undefined } as unknown as ReferenceLookup;
    const references = ({ asExpected }: ReferenceView = {}) => {
      asked.push(asExpected);
      return Promise.resolve(lookup);
    };
    const scope: Scope = {
      ...SCOPE,
      select: async (objects, given) => {
        asked.push(await given());
        return objects;
      },
    };
    const select = (_path: string, _name: string, own?: Scope): Promise<Mapping | undefined> =>
      own?.select([WEB], () => Promise.resolve(undefined)).then(([one]) => one) ?? Promise.resolve(undefined);
    const reader = { find: select, single: () => Promise.reject(new Error()) };
    expect(await new Observation({ ...reader, references }, new ExpectedObjects()).find(POOLS, 'web', scope)).to.equal(
      WEB,
    );
    expect(asked.splice(0)).to.deep.equal([true, lookup, undefined]);
    await new Observation(reader, new ExpectedObjects()).find(POOLS, 'web', scope);
    expect(asked.splice(0)).to.deep.equal([undefined, undefined]);
    await new Observation({ ...reader, references }).find(POOLS, 'web', scope);
    expect(asked).to.deep.equal([undefined]);
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
