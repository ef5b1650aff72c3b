import { expect } from 'chai';
import { References } from '../../src/controller/references.js';
import { KnownObjects } from '../../src/controller/run_knowledge.js';
import { DIALECTS } from '../../src/core/model/dialect.js';
import { collectionNamed, type NamedReference, type ResolvedReference } from '../../src/core/model/run/reference.js';
import { WAIT_WITHOUT_FORKS } from '../../src/core/model/run/session.js';
import type { Mapping } from '../../src/core/model/values/value.js';

const object = (uuid: string, name: string, cloud?: string, tenant?: string): Mapping => ({
  uuid,
  name,
  ...(cloud !== undefined && { cloud_ref: `https://lb1/api/cloud/${cloud}` }),
  ...(tenant !== undefined && { tenant_ref: `https://lb1/api/tenant/${tenant}` }),
});
const OBJECTS: Readonly<Record<string, readonly Mapping[]>> = {
  '/api/cloud/': [object('cloud-1', 'Default-Cloud'), object('cloud-2', 'edge')].concat(
    ['cloud-3', 'cloud-4'].map((uuid) => object(uuid, 'twin')),
  ),
  '/api/tenant/': [object('tenant-1', 'admin'), object('tenant-2', 'blue')],
  '/api/pool/': [
    object('pool-1', 'web', 'cloud-1'),
    object('pool-2', 'web', 'cloud-2'),
    object('pool-3', 'api', 'cloud-2'),
    object('pool-4', 'db', 'cloud-2'),
    object('pool-5', 'db', 'cloud-2'),
  ],
  '/api/stringgroup/': [
    object('group-1', 'one'),
    object('group-2', 'two'),
    object('group-3', 'two'),
    object('group-4', 'group-1'),
    object('group-5', 'mine', undefined, 'tenant-1'),
    object('group-6', 'mine', undefined, 'tenant-2'),
    object('group-7', 'theirs', undefined, 'tenant-1'),
    object('group-8', 'shared', undefined, 'tenant-1'),
    object('group-9', 'shared', undefined, 'tenant-1'),
  ],
};

const noTenants = (): never => expect.fail('no reference names a tenant');

describe('references by name', () => {
  /** What is known beforehand; a reference is looked up in `blue`. */
  function lookup(...noted: readonly (readonly [collection: string, object: Mapping])[]) {
    const [known, listed, expected] = [new KnownObjects(), new Array<string>(), new Array<string>()];
    for (const [collection, one] of noted) known.note(collection, one);
    const list = (collection: string) => {
      listed.push(collection);
      return Promise.resolve(OBJECTS[collection] ?? []);
    };
    const view = {
      asExpected: true,
      tenant: { collection: '/api/tenant/', name: 'blue' },
      isExpected: false,
      isExpectedInUsual: (_: string, name: string) => name === 'usual',
      expect: (collection: string, name: string) => {
        expected.push(`${collection}${name}`);
      },
    };
    const findCollection = (field: string) => Promise.resolve(collectionNamed(field));
    const references = new References(
      known,
      DIALECTS.get('avi')?.cloudScope,
      list,
      view,
      findCollection,
      WAIT_WITHOUT_FORKS,
      noTenants,
    );
    return { references, listed, known, expected };
  }

  const pool = (name: string, fields: Partial<NamedReference> = {}) => ({ collection: '/api/pool/', name, ...fields });
  const group = (name: string) => ({ collection: '/api/stringgroup/', name });
  const at = (path: string): ResolvedReference => ({ type: 'found', path });
  const named = (cloud: string) => ({ cloud, isCloudNamed: true });

  const table: readonly (readonly [what: string, NamedReference, ResolvedReference])[] = [
    ['the one in the default cloud', pool('web'), at('/api/pool/pool-1')],
    ['the one in the cloud of the task', pool('web', { cloud: 'edge' }), at('/api/pool/pool-2')],
    ['the one in a cloud given by its path', pool('web', { cloud: '/api/cloud/cloud-2' }), at('/api/pool/pool-2')],
    ['the only one, whatever its cloud', pool('api'), at('/api/pool/pool-3')],
    ['the only one in the cloud that is named', pool('api', named('edge')), at('/api/pool/pool-3')],
    [
      'none in another cloud that is named',
      pool('api', named('Default-Cloud')),
      { type: 'missing', known: ['web', 'api', 'db'] },
    ],
    ['two in one cloud', pool('db', { cloud: 'edge' }), { type: 'ambiguous', objects: 'pool-4, pool-5', count: 2 }],
    [
      'a cloud that does not exist',
      pool('web', named('nope')),
      { type: 'no cloud', count: 0, known: ['Default-Cloud', 'edge', 'twin'] },
    ],
    ['two clouds of that name', pool('web', named('twin')), { type: 'no cloud', count: 2, known: [] }],
    ['the only one without a cloud', group('one'), at('/api/stringgroup/group-1')],
    ['one by its uuid', group('group-2'), at('/api/stringgroup/group-2')],
    ['one whose name is the uuid of another', group('group-1'), at('/api/stringgroup/group-4')],
    ['two without a cloud', group('two'), { type: 'ambiguous', objects: 'group-2, group-3', count: 2 }],
    ['the one of the own tenant', group('mine'), at('/api/stringgroup/group-6')],
    ['the only one, of another tenant', group('theirs'), at('/api/stringgroup/group-7')],
    ['two of another tenant', group('shared'), { type: 'ambiguous', objects: 'group-8, group-9', count: 2 }],
    ['one that a check would create in the usual tenant', group('usual'), { type: 'expected' }],
  ];
  for (const [what, reference, expected] of table) {
    it(`find ${what}`, async () => {
      expect(await lookup().references.resolve(reference)).to.deep.equal(expected);
    });
  }

  it('need no list for the only known object of a name that has no cloud', async () => {
    const one = ['/api/stringgroup/', object('group-1', 'one')] as const;
    const other = ['/api/stringgroup/', object('group-9', 'two')] as const;
    const { references, listed } = lookup(one, other);
    expect(await references.resolve(group('one'))).to.deep.equal(at('/api/stringgroup/group-1'));
    expect(await references.resolve(group('two'))).to.deep.equal(at('/api/stringgroup/group-9'));
    expect(listed).to.deep.equal([]);
  });

  it('need one list where several of a name are known, or one that has a cloud', async () => {
    const twins = [object('group-2', 'two'), object('group-3', 'two')].map(
      (one) => ['/api/stringgroup/', one] as const,
    );
    const groups = lookup(...twins);
    for (const name of ['two', 'two']) expect(await groups.references.resolve(group(name))).to.include({ count: 2 });
    expect(groups.listed).to.deep.equal(['/api/stringgroup/', '/api/tenant/']);
    const pools = lookup(['/api/pool/', object('pool-2', 'web', 'cloud-2')]);
    expect(await pools.references.resolve(pool('web'))).to.deep.equal(at('/api/pool/pool-1'));
    expect(pools.listed).to.deep.equal(['/api/pool/', '/api/cloud/']);
  });

  it('keep the names of what was seen, until it is deleted or something unknown happens', () => {
    const groups = ['group-1', 'group-2'].map((uuid) => ['/api/stringgroup/', object(uuid, uuid)] as const);
    const { references, known } = lookup(...groups, ['/api/pool/', object('pool-9', 'nine')]);
    const names = () =>
      ['/api/stringgroup/ group-1', '/api/stringgroup/ group-2', '/api/pool/ pool-9'].map((one) => {
        const [collection = '', uuid = ''] = one.split(' ');
        return references.knownName(collection, uuid);
      });
    expect(names()).to.deep.equal(['group-1', 'group-2', 'nine']);
    known.forget('/api/stringgroup/', 'group-1');
    known.forget('/api/vrf/', 'group-2');
    expect(names()).to.deep.equal([undefined, 'group-2', 'nine']);
    known.forgetCollection('/api/pool/');
    expect(names()).to.deep.equal([undefined, 'group-2', undefined]);
    known.forgetAll();
    expect(names()).to.deep.equal([undefined, undefined, undefined]);
    known.note('/api/pool/', { name: 'no uuid' });
    known.note('/api/pool/', { uuid: 'no name' });
    expect(known.collection('/api/pool/').objects.size).to.equal(0);
  });

  it('find what a check would create, in any collection', async () => {
    const { references, expected } = lookup();
    references.expect('/api/stringgroup/', null, { name: 'new' });
    references.expect('/api/stringgroup/', null, { name: 5 });
    expect(await references.resolve(group('new'))).to.deep.equal({ type: 'expected' });
    expect(await references.resolve(group('none'))).to.deep.include({ type: 'missing' });
    expect(await references.resolve({ collection: '/api/cloud/', name: 'new' })).to.deep.include({ type: 'missing' });
    expect(expected).to.deep.equal(['/api/stringgroup/new']);
    references.expect('/api/cloud/', null, { name: 'new' });
    expect(await references.resolve(pool('web', named('new')))).to.deep.equal({ type: 'expected' });
  });

  it('mean objects as a check would leave them, or as they are', async () => {
    const [known, groups] = [new KnownObjects(), '/api/stringgroup/'];
    const seeing = (asExpected: boolean, isExpected = false) => {
      const view = {
        asExpected,
        tenant: undefined,
        isExpected,
        isExpectedInUsual: (_: string, name: string) => name === 'usual',
        expect: () => undefined,
      };
      const list = () => Promise.resolve(['one', 'two', 'three', 'four'].map((name) => object(`u-${name}`, name)));
      return new References(known, undefined, list, view, () => Promise.resolve(''), WAIT_WITHOUT_FORKS, noTenants);
    };
    const meant = async (asExpected: boolean, ...names: readonly string[]): Promise<readonly string[]> => {
      const all = await Promise.all(names.map((name) => seeing(asExpected).resolve(group(name))));
      return all.map((one) => (one.type === 'found' ? one.path.slice(groups.length) : one.type));
    };
    const names = ['one', 'first', 'two', 'u-two', 'three', 'fresh', 'usual'];
    expect(await meant(true, ...names)).to.deep.equal([
      ...['u-one', 'missing', 'u-two', 'u-two', 'u-three', 'missing', 'expected'],
    ]);
    known.expect(groups, object('u-one', 'one'), { name: 'first' });
    known.expect(groups, object('u-two', 'two'), null);
    known.expect(groups, null, { name: 'fresh' });
    known.expect(groups, null, { name: 'brief' });
    known.expect(groups, { name: 'brief' }, null);
    known.expect(groups, { name: 'fresh' }, { name: 'fresher' });
    expect(await meant(true, ...names, 'brief', 'fresher')).to.deep.equal([
      ...['missing', 'u-one', 'missing', 'missing', 'u-three', 'missing', 'expected', 'missing', 'expected'],
    ]);
    expect(await meant(false, ...names, 'fresher')).to.deep.equal([
      ...['u-one', 'missing', 'u-two', 'u-two', 'u-three', 'missing', 'missing', 'missing'],
    ]);
    const known4 = { true: ['first', 'three', 'four'], false: ['one', 'two', 'three', 'four'] };
    for (const asExpected of [true, false])
      expect(await seeing(asExpected).resolve(group('none'))).to.deep.equal({
        type: 'missing',
        known: known4[`${asExpected}`],
      });
    const namesNow = (asExpected: boolean) =>
      ['u-one', 'u-two', 'u-three'].map((uuid) => seeing(asExpected).knownName(groups, uuid));
    expect(namesNow(true)).to.deep.equal(['first', undefined, 'three']);
    expect(namesNow(false)).to.deep.equal(['one', 'two', 'three']);
    known.settle(groups, 'u-one');
    known.settle('/api/vrf/', 'u-two');
    expect(namesNow(true)).to.deep.equal(['one', undefined, 'three']);
    known.forget(groups, 'u-two');
    known.note(groups, object('u-two', 'again'));
    expect(namesNow(true)).to.deep.equal(['one', 'again', 'three']);
    expect(await seeing(true, true).resolve(group('one'))).to.deep.equal({ type: 'expected' });
    expect(await seeing(false, true).resolve(group('one'))).to.deep.equal(at(`${groups}u-one`));
  });

  it('list a collection again, once, for a name that it lacks, which may be new', async () => {
    const [known, names, listed] = [new KnownObjects(), ['one'], new Array<string>()];
    const list = (collection: string) => {
      listed.push(collection);
      return Promise.resolve(names.map((name) => object(`u-${name}`, name)));
    };
    const rest = { tenant: undefined, isExpected: false, isExpectedInUsual: () => false, expect: () => undefined };
    const view = { asExpected: true, ...rest };
    const references = new References(
      known,
      undefined,
      list,
      view,
      () => Promise.resolve(''),
      WAIT_WITHOUT_FORKS,
      noTenants,
    );
    const meant = async (...asked: readonly string[]) => {
      const found: string[] = [];
      for (const name of asked) found.push((await references.resolve(group(name))).type);
      return [...found, listed.length];
    };
    expect(await meant('one', 'two')).to.deep.equal(['found', 'missing', 2]);
    expect(await meant('two', 'one')).to.deep.equal(['missing', 'found', 3]);
    names.push('two');
    expect(await meant('two', 'two', 'one')).to.deep.equal(['found', 'found', 'found', 4]);
    known.expect('/api/stringgroup/', null, { name: 'three' });
    known.expect('/api/stringgroup/', object('u-one', 'one'), { name: 'first' });
    expect(await meant('three', 'first')).to.deep.equal(['expected', 'found', 4]);
    expect(await meant('one', 'three', 'first')).to.deep.equal(['missing', 'expected', 'found', 5]);
    const none = await Promise.all(['x', 'y', 'z'].map((name) => references.resolve(group(name))));
    expect([...none.map(({ type }) => type), listed.length]).to.deep.equal(['missing', 'missing', 'missing', 6]);
  });

  it('rely on nothing that a list shows which began before a change', async () => {
    const [known, groups, knownThen] = [new KnownObjects(), '/api/stringgroup/', new Array<number>()];
    const list = async () => {
      knownThen.push(known.all(groups, false).length);
      await new Promise(setImmediate);
      if (knownThen.length === 1) known.forgetCollection(groups);
      return [object('a', 'one')];
    };
    const rest = { tenant: undefined, isExpected: false, isExpectedInUsual: () => false, expect: () => undefined };
    const view = { asExpected: false, ...rest };
    const references = new References(
      known,
      undefined,
      list,
      view,
      () => Promise.resolve(''),
      WAIT_WITHOUT_FORKS,
      noTenants,
    );
    expect(await references.resolve(group('one'))).to.deep.equal(at(`${groups}a`));
    expect([knownThen, known.all(groups, false).length]).to.deep.equal([[0, 0], 1]);
  });

  it('list a collection once for two tasks at a time, and again after a failure or a change meanwhile', async () => {
    const known = new KnownObjects();
    const listed: string[] = [];
    let during: () => void = () => undefined;
    const list = async (collection: string) => {
      listed.push(collection);
      await new Promise(setImmediate);
      const now = during;
      during = () => undefined;
      now();
      return [object('a', 'one'), object('b', 'two')];
    };
    const view = {
      asExpected: true,
      tenant: undefined,
      isExpected: false,
      isExpectedInUsual: () => false,
      expect: () => undefined,
    };
    let rests = 0;
    const rest = <T>(work: () => Promise<T>): Promise<T> => {
      rests += 1;
      return work();
    };
    const references = new References(known, undefined, list, view, () => Promise.resolve(''), rest, noTenants);
    expect([references.defaultCloud, references.tenant]).to.deep.equal([undefined, undefined]);
    const both = await Promise.all(['one', 'two'].map((name) => references.resolve(group(name))));
    expect(both).to.deep.equal([at('/api/stringgroup/a'), at('/api/stringgroup/b')]);
    expect([listed.length, rests]).to.deep.equal([1, 1]);
    known.forgetAll();
    during = () => {
      known.forgetAll();
    };
    expect(await references.resolve(group('one'))).to.deep.equal(at('/api/stringgroup/a'));
    expect(listed.length).to.equal(3);
    known.forgetAll();
    during = () => {
      throw new Error('down');
    };
    const failed = await references.resolve(group('one')).catch((error: unknown) => String(error));
    expect([failed, await references.resolve(group('one')), listed.length]).to.deep.equal([
      'Error: down',
      at('/api/stringgroup/a'),
      5,
    ]);
    const unknown = new References(
      known,
      undefined,
      list,
      { ...view, isExpected: true },
      () => Promise.resolve(''),
      rest,
      noTenants,
    );
    expect(await unknown.resolve(group('one'))).to.deep.equal({ type: 'expected' });
  });
});
