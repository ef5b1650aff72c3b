import { expect } from 'chai';
import type { Scope } from '../../src/core/model/run/reference.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Reader } from '../../src/module/contract.js';
import { NewUuids, renewedIn } from '../../src/undo/renewal.js';
import type { Renewal, Undo } from '../../src/undo/undo.js';
import { reaching } from '../rig/kept.js';

const renewal = (kind: string, name: string, former: string, fields: Mapping = {}, now?: string): Renewal => ({
  collection: `/api/${kind}/`,
  name,
  formerUuid: former,
  newUuid: now,
  before: { uuid: former, name, ...fields },
});

const CLOUD = renewal('cloud', 'edge', 'cloud-1');
const POOL = renewal('pool', 'web', 'pool-1', { cloud_ref: '/api/cloud/cloud-1#edge' });

function undo(before: Mapping, renewals: readonly Renewal[], given: Partial<Undo> = {}): Undo {
  return {
    restorer: { target: 'lb1', reached: reaching('lb1') },
    object: 'virtualservice "shop"',
    path: '/api/virtualservice/vs-1',
    fields: [],
    before,
    masked: false,
    left: [{ object: { ...before, seen: true }, whole: true }],
    neverShown: [],
    renewals,
    ...given,
  };
}

interface Controller {
  readonly reader: Reader;
  readonly asked: string[];
}

/** A controller with these objects, by collection. */
function controller(objects: Readonly<Record<string, readonly Mapping[]>>): Controller {
  const asked: string[] = [];
  const reader = {
    find: async (collection: string, name: string, scope?: Scope) => {
      asked.push(`${collection}${name}`);
      const all = (objects[collection] ?? []).filter((object) => object['name'] === name);
      return ((await scope?.select(all, () => Promise.resolve(undefined))) ?? all)[0];
    },
  } as unknown as Reader;
  return { reader, asked };
}

const SHOP = {
  uuid: 'vs-1',
  name: 'shop',
  pool_ref: 'https://lb1/api/pool/pool-1#web',
  other_ref: '/api/pool/pool-2#other',
  text: 'pool-1 and more',
  bare: 'pool-1',
  deep: { list: [{ cloud_ref: '/api/cloud/cloud-1#edge' }] },
};

describe('the renewed objects that an object refers to', () => {
  it('are those in its references, paths and uuids, at any depth', () => {
    expect(renewedIn(SHOP, [CLOUD, POOL, renewal('pool', 'x', 'pool-9')])).to.deep.equal([CLOUD, POOL]);
    expect(renewedIn({ a: 'see /api/pool/pool-1' }, [POOL])).to.deep.equal([]);
    expect(renewedIn(SHOP, [])).to.deep.equal([]);
  });

  it('are not the object itself', () => {
    expect(renewedIn(POOL.before, [POOL, CLOUD])).to.deep.equal([CLOUD]);
  });
});

describe('the references of an object that is restored', () => {
  it('name the objects that are there now', async () => {
    const { reader, asked } = controller({
      '/api/cloud/': [{ uuid: 'cloud-7', name: 'edge' }],
      '/api/pool/': [
        { uuid: 'pool-7', name: 'web', cloud_ref: '/api/cloud/cloud-7' },
        { uuid: 'pool-6', name: 'web', cloud_ref: '/api/cloud/cloud-1' },
        { uuid: 'pool-2', name: 'other', cloud_ref: '/api/cloud/cloud-7' },
      ],
    });
    const uuids = new NewUuids();
    const current = await uuids.current(undo(SHOP, [CLOUD, POOL]), reader);
    const expected = {
      ...SHOP,
      pool_ref: 'https://lb1/api/pool/pool-7#web',
      bare: 'pool-7',
      deep: { list: [{ cloud_ref: '/api/cloud/cloud-7#edge' }] },
    };
    expect(current.before).to.deep.equal(expected);
    expect(current.left).to.deep.equal([{ object: { ...expected, seen: true }, whole: true }]);
    const { before: _, left: __, ...rest } = undo(SHOP, [CLOUD, POOL]);
    expect(current).to.deep.include(rest);
    expect(asked).to.have.members(['/api/cloud/edge', '/api/pool/web']);
    await uuids.current(undo(SHOP, [CLOUD, POOL]), reader);
    expect(asked, 'known objects').to.have.lengthOf(2);
  });

  it('are found also if two objects refer to each other', async () => {
    const one = renewal('pool', 'one', 'pool-1', { other_ref: '/api/pool/pool-2' });
    const two = renewal('pool', 'two', 'pool-2', { other_ref: '/api/pool/pool-1' });
    const { reader } = controller({
      '/api/pool/': [
        { uuid: 'pool-7', name: 'one', other_ref: '/api/pool/pool-8' },
        { uuid: 'pool-8', name: 'two', other_ref: '/api/pool/pool-1' },
      ],
    });
    const { before } = await new NewUuids().current(
      undo({ uuid: 'vs', refs: ['/api/pool/pool-1'] }, [one, two]),
      reader,
    );
    expect(before).to.deep.equal({ uuid: 'vs', refs: ['/api/pool/pool-7'] });
  });

  it('stay where nothing is renewed, found, or another', async () => {
    const { reader, asked } = controller({ '/api/pool/': [{ uuid: 'pool-1', name: 'web' }] });
    const own = undo(SHOP, []);
    expect(await new NewUuids().current(own, reader)).to.equal(own);
    expect(asked).to.deep.equal([]);
    const missing = undo(SHOP, [CLOUD]);
    expect(await new NewUuids().current(missing, reader)).to.equal(missing);
    const same = undo(SHOP, [renewal('pool', 'web', 'pool-1')]);
    expect(await new NewUuids().current(same, reader)).to.equal(same);
  });

  it('do not name another object of that name', async () => {
    const { reader } = controller({ '/api/pool/': [{ uuid: 'pool-8', name: 'web', port: 80 }] });
    const other = undo(SHOP, [renewal('pool', 'web', 'pool-1', { port: 443 })]);
    expect(await new NewUuids().current(other, reader)).to.equal(other);
    const kept = controller({ '/api/pool/': [{ uuid: 'pool-1', name: 'web', port: 80 }] });
    const uuids = new NewUuids();
    const changed = undo(SHOP, [renewal('pool', 'web', 'pool-1', { port: 443 })]);
    for (const _ of [1, 2]) expect(await uuids.current(changed, kept.reader)).to.equal(changed);
    expect(kept.asked, 'it is known to be there').to.have.lengthOf(1);
    const equal = undo(SHOP, [renewal('pool', 'web', 'pool-1', { port: 80 })]);
    expect((await new NewUuids().current(equal, reader)).before['pool_ref']).to.equal(
      'https://lb1/api/pool/pool-8#web',
    );
  });

  it('name what the run itself created instead, and what this rollback has restored', async () => {
    const { reader, asked } = controller({});
    const made = renewal('pool', 'web', 'pool-1', {}, 'pool-5');
    expect((await new NewUuids().current(undo(SHOP, [made]), reader)).before['bare']).to.equal('pool-5');
    const uuids = new NewUuids();
    const plain = renewal('pool', 'web', 'pool-1', { port: 80 });
    uuids.note(undo(plain.before, [], { renewal: plain }), { uuid: 'pool-4', name: 'web', port: 80 });
    uuids.note(undo(SHOP, []), { uuid: 'vs-9' });
    expect((await uuids.current(undo(SHOP, [plain]), reader)).before['bare']).to.equal('pool-4');
    expect(asked).to.deep.equal([]);
    uuids.note(undo(plain.before, [], { renewal: plain }), undefined);
    uuids.note(undo(plain.before, [], { renewal: plain }), { uuid: 7, name: 'web', port: 80 });
    uuids.note(undo(plain.before, [], { renewal: plain }), { uuid: 'pool-3', name: 'web', port: 81 });
    expect((await uuids.current(undo(SHOP, [plain]), reader)).before['bare']).to.equal('pool-4');
  });

  it('name the networks of the new cloud that have the names of the old ones', async () => {
    const { reader, asked } = controller({
      '/api/cloud/': [{ uuid: 'cloud-7', name: 'edge' }],
      '/api/network/': [
        { uuid: 'net-6', name: 'front', cloud_ref: '/api/cloud/cloud-2' },
        { uuid: 'net-7', name: 'front', cloud_ref: '/api/cloud/cloud-7' },
        { uuid: 'net-2', name: 'same', cloud_ref: '/api/cloud/cloud-7' },
      ],
    });
    const object = {
      uuid: 'pool-3',
      cloud_ref: '/api/cloud/cloud-1#edge',
      network_refs: ['/api/network/net-1#front', '/api/network/net-1#front', '/api/network/net-3#gone'],
      same_ref: '/api/network/net-2#same',
      unnamed_ref: '/api/network/net-1x',
    };
    const uuids = new NewUuids();
    const { before } = await uuids.current(undo(object, [CLOUD]), reader);
    expect(before).to.deep.equal({
      ...object,
      cloud_ref: '/api/cloud/cloud-7#edge',
      network_refs: ['/api/network/net-7#front', '/api/network/net-7#front', '/api/network/net-3#gone'],
    });
    const times = asked.length;
    await uuids.current(undo({ ...object, network_refs: ['/api/network/net-1#front'] }, [CLOUD]), reader);
    expect(asked.length, 'known networks').to.equal(times);
    const elsewhere = { ...object, cloud_ref: '/api/cloud/cloud-2#core', deep: '/api/cloud/cloud-1' };
    const others = await uuids.current(undo(elsewhere, [CLOUD]), reader);
    expect(others.before['network_refs']).to.deep.equal(object.network_refs);
  });
});
