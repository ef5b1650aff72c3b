import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import type { ReferenceLookup, ReferenceView, Scope } from '../../../src/core/model/run/reference.js';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import {
  Expectations,
  ExpectedObjects,
  type ExpectedObject,
} from '../../../src/engine/controllers/expected_objects.js';
import { reaching } from '../../rig/kept.js';

const POOLS = '/api/pool/';
const CLOUDS = '/api/cloud/';
const SYSTEM = '/api/systemconfiguration';
const [WEB, API] = [
  { uuid: 'p-1', name: 'web' },
  { uuid: 'p-2', name: 'api' },
];

const future = (after: Mapping): ExpectedObject => ({ uuid: undefined, base: undefined, after });
const changed = (base: Mapping, after: Mapping | null): ExpectedObject => ({ uuid: base['uuid'], base, after });

function expecting(...all: readonly ExpectedObject[]): ExpectedObjects {
  const expected = new ExpectedObjects();
  for (const one of all) expected.add({ path: POOLS, name: '' }, one);
  return expected;
}

function expectingOnce(...all: readonly ExpectedObject[]): ExpectedObjects {
  const expected = new ExpectedObjects();
  for (const one of all) expected.add({ path: SYSTEM }, one);
  return expected;
}

interface Look {
  readonly path?: string;
  readonly object?: Mapping;
  readonly scope?: Scope;
  readonly by?: 'uuid';
  readonly lookup?: Partial<ReferenceLookup>;
}

async function find(
  expected: ExpectedObjects,
  name: string,
  { path = POOLS, object, scope, by, lookup }: Look = {},
): Promise<ExpectedObject | undefined> {
  const asked: unknown[] = [];
  const references = ({ asExpected }: ReferenceView = {}): Promise<ReferenceLookup> => {
    asked.push(asExpected);
    return Promise.resolve(lookup as ReferenceLookup);
  };
  const found = await expected.find({ path, name, object }, lookup ? { references } : {}, scope, by);
  expect(asked.every((asExpected) => asExpected === true)).to.equal(true);
  return found;
}

/** Whether each of the futures is still expected. */
async function left(expected: ExpectedObjects, ...names: readonly string[]): Promise<readonly boolean[]> {
  return Promise.all(names.map(async (name) => (await find(expected, name)) !== undefined));
}

describe('what a check expects', () => {
  it('of a member is found by the name that it would have, in its collection', async () => {
    const [portal, shop] = [future({ name: 'portal' }), future({ name: 'shop' })];
    const expected = expecting(portal, shop);
    expect(await find(expected, 'portal')).to.equal(portal);
    expect(await find(expected, 'shop')).to.equal(shop);
    expect(await find(expected, 'web')).to.equal(undefined);
    expect(await find(expected, 'shop', { path: CLOUDS })).to.equal(undefined);
    expect(await find(new ExpectedObjects(), 'shop')).to.equal(undefined);
  });

  it('of a member is found by its uuid, whatever its name would be', async () => {
    const renamed = changed(WEB, { ...WEB, name: 'portal' });
    const expected = expecting(changed(API, { ...API, port: 1 }), renamed);
    expect(await find(expected, 'p-1', { by: 'uuid' })).to.equal(renamed);
    expect(await find(expected, 'portal')).to.equal(renamed);
    expect(await find(expected, 'portal', { by: 'uuid' })).to.equal(undefined);
    expect(await find(expected, 'p-1')).to.equal(undefined);
  });

  it('of a member that would be deleted or renamed is that the name is free', async () => {
    const gone = changed(WEB, null);
    const expected = expecting(gone, changed(API, { ...API, name: 'portal' }));
    expect(await find(expected, 'web', { object: WEB })).to.deep.equal({ uuid: undefined, base: WEB, after: null });
    const free = { uuid: undefined, base: API, after: null };
    expect(await find(expected, 'api', { object: API })).to.deep.equal(free);
    expect(await find(expected, 'web')).to.equal(undefined);
    const again = future({ name: 'web' });
    expected.add({ path: POOLS, name: 'web' }, again);
    expect(await find(expected, 'web', { object: WEB })).to.equal(again);
  });

  it('is outdated once something else has changed the object, and that of others is not', async () => {
    const [web, api] = [changed(WEB, { ...WEB, port: 1 }), changed(API, { ...API, port: 1 })];
    const expected = expecting(web, api);
    expect(await find(expected, 'web', { object: { ...WEB, _last_modified: 2 } })).to.equal(web);
    expect(await find(expected, 'web', { object: { ...WEB, port: 5 } })).to.equal(undefined);
    expect(await find(expected, 'web', { object: WEB })).to.equal(undefined);
    expect(await find(expected, 'api', { object: API })).to.equal(api);
  });

  it('is ambiguous if several would have the name, unless another tenant has one', async () => {
    const hint = 'declare what only one of them has: its cloud_ref, or fields under "match"';
    const refused = async (expected: ExpectedObjects, look: Look = {}): Promise<unknown> =>
      find(expected, 'web', look).then(
        () => undefined,
        (error: unknown) => error,
      );
    const ambiguous = (count: number) => ({ message: `${count} objects would be named "web"`, hint });
    const web = future({ name: 'web' });
    const [one, two] = [expecting(web), expecting(future({ name: 'web' }), future({ name: 'web' }))];
    expect(await refused(one, { object: WEB })).to.include(ambiguous(2));
    expect(await refused(two)).to.include(ambiguous(2));
    expect(await refused(two, { object: WEB })).to.include(ambiguous(3));
    expect(await refused(one, { object: WEB, lookup: {} })).to.include(ambiguous(2));
    const lookup = { tenant: { collection: '/api/tenant/', name: 'blue' } };
    expect(await find(one, 'web', { object: WEB, lookup })).to.equal(web);
    const own = changed(WEB, { ...WEB, port: 1 });
    expect(await find(expecting(own), 'web', { object: WEB })).to.equal(own);
  });

  it('is told apart by the scope, where what names no cloud is in the usual one', async () => {
    const [usual, edge] = [future({ name: 'web' }), future({ name: 'web', cloud_ref: 'edge' })];
    const expected = expecting(usual, edge);
    const inCloud = (cloud: string): Scope => ({
      key: cloud,
      ownOnly: false,
      select: async (objects, lookup) => {
        expect((await lookup())?.defaultCloud?.name).to.equal(objects.length === 0 ? undefined : 'Default');
        return objects.filter((object) => object['cloud_ref'] === cloud);
      },
    });
    const lookup = (found: boolean): Partial<ReferenceLookup> => ({
      defaultCloud: { collection: CLOUDS, name: 'Default' },
      resolve: () => Promise.resolve(found ? { type: 'found', path: 'usual' } : { type: 'expected' }),
    });
    expect(await find(expected, 'web', { scope: inCloud('usual'), lookup: lookup(true) })).to.equal(usual);
    expect(await find(expected, 'web', { scope: inCloud('edge'), lookup: lookup(true) })).to.equal(edge);
    expect(await find(expected, 'web', { scope: inCloud('usual'), lookup: lookup(false) })).to.equal(undefined);
    expect(await find(expected, 'none', { scope: inCloud('usual'), lookup: lookup(true) })).to.equal(undefined);
  });

  it('of an object that exists once is the same in all tenants, that of a member is not', async () => {
    const red = new ExpectedObjects();
    const blue = new ExpectedObjects(new Map(), red.once);
    const once = future({ dns: 'b' });
    for (const slash of ['', '/']) {
      red.add({ path: `/api/systemconfiguration${slash}` }, once);
      expect(blue.at({ path: `/api/systemconfiguration${slash}` })).to.equal(once);
      const portal = future({ name: 'portal' });
      red.add({ path: `/api/pool${slash}`, name: 'portal' }, portal);
      expect(await find(red, 'portal', { path: `/api/pool${slash}` })).to.equal(portal);
      expect(await find(blue, 'portal', { path: `/api/pool${slash}` })).to.equal(undefined);
    }
  });

  it('belongs to the controller, its tenant and its user, until the last task of the hosts that act on it', async () => {
    const run = new Expectations();
    const at = (
      host: string,
      {
        shared = false,
        tenant = 'red',
        user = 'ann',
        controller = host,
        isElsewhere = false,
        apiVersion = '22.1.3',
      } = {},
    ): ExpectedObjects => {
      const settings = { shared, tenant, controller, apiVersion, dialect: DIALECTS.get('avi') };
      return run.at({ reached: reaching('https://lb1', user), settings, isElsewhere } as never, host);
    };
    const [PORTAL, ACCOUNT] = [{ path: POOLS, name: 'portal' }, { path: '/api/useraccount' }];
    const TENANT = { path: '/api/tenant/', name: 'green' };
    for (const place of [PORTAL, { path: SYSTEM }, ACCOUNT]) at('lb1').add(place, future({ name: 'portal' }));
    at('lb1').add(TENANT, future({ name: 'green' }));
    expect(await at('lb1', { tenant: 'blue' }).find(TENANT, {}, undefined, undefined)).to.have.property('after');
    const seen = async (expected: ExpectedObjects): Promise<string> => {
      const all = [await find(expected, 'portal'), expected.at({ path: SYSTEM }), expected.at(ACCOUNT)];
      return all
        .map((one) => JSON.stringify(one?.after?.['name'] ?? '-'))
        .join(' ')
        .replaceAll('"', '');
    };
    expect(await seen(at('lb1'))).to.equal('portal portal portal');
    run.release('lb1');
    expect(await seen(at('lb1'))).to.equal('- - -');
    for (const place of [PORTAL, { path: SYSTEM }, ACCOUNT]) at('lb1').add(place, future({ name: 'portal' }));
    expect(await seen(at('lb2'))).to.equal('portal portal portal');
    expect(await seen(at('lb2', { tenant: 'blue' }))).to.equal('- portal portal');
    expect(await seen(at('lb2', { user: 'bob' }))).to.equal('portal portal -');
    // Other users and API versions may be shown other fields, which does not mean that somebody has changed it.
    at('lb1').add(PORTAL, changed(WEB, { ...WEB, name: 'site' }));
    const more = { ...WEB, more: 1 };
    for (const [view, object] of [
      [{ user: 'bob' }, more],
      [{ apiVersion: '30.1.1' }, more],
      [{}, WEB],
    ] as const)
      expect(await find(at('lb2', view), 'web', { object })).to.have.property('after', null);
    expect(await find(at('lb2'), 'web', { object: more })).to.equal(undefined);
    // Others may come back to it.
    for (const host of ['lb1', 'lb2']) run.release(host);
    expect(await seen(at('lb3'))).to.equal('portal portal portal');
  });

  it('stays where the address is not that of the host, because others may lead there, too', async () => {
    for (const elsewhere of [{ isElsewhere: true }, { controller: 'lb9' }]) {
      const run = new Expectations();
      const at = (host: string): ExpectedObjects => {
        const settings = { controller: host, dialect: {}, ...elsewhere };
        return run.at({ reached: reaching('https://lb1'), settings, isElsewhere: false, ...elsewhere } as never, host);
      };
      at('lb1').add({ path: POOLS, name: 'web' }, future({ name: 'web' }));
      run.release('lb1');
      expect(await find(at('lb2'), 'web')).to.have.property('after');
    }
  });

  it('of an object that exists once is what the last task would leave, until something else changes it', () => {
    const [base, first] = [{ dns: 'a' }, { uuid: undefined, base: { dns: 'a' }, after: { dns: 'b' } }];
    const last = { ...first, after: { dns: 'c' } };
    const expected = expectingOnce(first, last);
    expect(expected.at({ path: '/api/cluster', object: base })).to.equal(undefined);
    expect(expected.at({ path: SYSTEM, object: base })).to.equal(last);
    expect(expected.at({ path: SYSTEM })).to.equal(last);
    expect(expected.at({ path: SYSTEM, object: { dns: 'x' } })).to.equal(undefined);
    expect(expected.at({ path: SYSTEM, object: base })).to.equal(first);
    const unseen = expectingOnce({ uuid: undefined, base: undefined, after: { dns: 'b' } });
    expect(unseen.at({ path: SYSTEM, object: base })?.after).to.deep.equal({ dns: 'b' });
  });

  it('is forgotten of the object to which a task really writes, and of no other', async () => {
    const all = () =>
      expecting(future({ name: 'new' }), future({ name: 'more' }), changed(WEB, WEB), changed(API, API));
    const names = ['new', 'more', 'web', 'api'];
    const object = 'pool';
    for (const [change, kept] of [
      [{ kind: 'none' }, [true, true, true, true]],
      [{ kind: 'invoke', object, call: {} }, [true, true, true, true]],
      [{ kind: 'create', object, before: null, after: { name: 'new' } }, [false, true, true, true]],
      [{ kind: 'update', object, before: WEB, after: { ...WEB, port: 1 } }, [true, true, false, true]],
      [{ kind: 'update', object, before: API, after: { ...API, name: 'more' } }, [true, false, true, false]],
      [{ kind: 'update', object, before: { name: 'new' }, after: { name: 'portal' } }, [false, true, true, true]],
      [{ kind: 'delete', object, before: API, after: null }, [true, true, true, false]],
    ] as const) {
      const expected = all();
      expected.forget(POOLS, change as unknown as Change);
      expect(await left(expected, ...names), JSON.stringify(change)).to.deep.equal(kept);
    }
    const expected = all();
    expected.forget(CLOUDS, { kind: 'delete', object, before: WEB, after: null });
    expect(await left(expected, ...names)).to.deep.equal([true, true, true, true]);
  });
});
