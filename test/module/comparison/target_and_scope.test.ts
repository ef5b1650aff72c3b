import { expect } from 'chai';
import {
  collectionNamed,
  describeDistinctions,
  directReference,
  queriedReference,
  shownName,
  withoutNames,
  withoutOrigins,
  type NamedReference,
  type ReferenceLookup,
} from '../../../src/core/model/run/reference.js';
import { Unsafe, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import { structureSchema } from '../../../src/module/arguments/kind_schema.js';
import { declaredTenants, namedTenant, wrongTenants } from '../../../src/module/comparison/desired.js';
import {
  chooseNamesake,
  collectionPath,
  isCollection,
  knownKindFields,
  namedIn,
  objectsPath,
} from '../../../src/module/comparison/object_arguments.js';
import { createdBy, declaredScope, scopeOfObject } from '../../../src/module/comparison/scope.js';
import { catalogue } from '../../rig/loaded.js';

const POOL = '/api/pool/';

/** As on a controller whose objects are where their names say: `a` is `/api/KIND/a`. */
function lookup(given: Partial<ReferenceLookup> = {}): () => Promise<ReferenceLookup> {
  const resolve = ({ collection, name }: NamedReference) =>
    Promise.resolve(
      name === 'nowhere'
        ? ({ type: 'missing', known: [] } as const)
        : ({ type: 'found', path: collection + name } as const),
    );
  return () =>
    Promise.resolve({
      resolve,
      findCollection: (field) => Promise.resolve(collectionNamed(field)),
      defaultCloud: undefined,
      tenant: undefined,
      knownName: () => undefined,
      expect: () => undefined,
      ...given,
    });
}

const OBJECTS: readonly Mapping[] = [
  { uuid: '1', cloud_ref: '/api/cloud/a', label: 'x' },
  { uuid: '2', cloud_ref: '/api/cloud/b', label: 'x' },
  { uuid: '3', label: 'y' },
];

describe('the scope of an object', () => {
  const selected = async (fields: Mapping, match?: Mapping, objects = OBJECTS, given: Partial<ReferenceLookup> = {}) =>
    (await declaredScope(POOL, { fields, match, tenant: undefined })?.select(objects, lookup(given)))?.map(
      ({ uuid }) => uuid,
    );

  it('is its cloud, if several have the name or names are unique in clouds', async () => {
    expect(await selected({})).to.equal(undefined);
    expect(await selected({ cloud_ref: '' })).to.equal(undefined);
    expect(await selected({ cloud_ref: 'b' })).to.deep.equal(['2']);
    expect(await selected({ cloud_ref: 'b' }, undefined, OBJECTS.slice(0, 1))).to.deep.equal(['1']);
    const scoped = { defaultCloud: { collection: '/api/cloud/', name: 'Default-Cloud' } };
    expect(await selected({ cloud_ref: 'b' }, undefined, OBJECTS.slice(0, 1), scoped)).to.deep.equal([]);
    expect(await selected({ cloud_ref: 'b' }, undefined, OBJECTS.slice(2), scoped)).to.deep.equal(['3']);
    expect(await selected({ cloud_ref: 'b' }, undefined, OBJECTS.slice(1), scoped)).to.deep.equal(['2']);
    expect(await selected({ cloud_ref: 'nowhere' })).to.deep.equal([]);
    expect(await selected({ cloud_ref: 'b' }, undefined, [])).to.deep.equal([]);
  });

  it('is what "match" says, with its cloud', async () => {
    expect(await selected({}, { label: 'x' })).to.deep.equal(['1', '2']);
    expect(await selected({}, { label: 'y', uuid: '3' })).to.deep.equal(['3']);
    expect(await selected({ cloud_ref: 'b' }, { label: 'x' })).to.deep.equal(['2']);
    expect(await selected({ cloud_ref: 'b' }, { uuid: '1' })).to.deep.equal(['1']);
    expect(await selected({}, { cloud_ref: 'a' })).to.deep.equal(['1']);
    expect(await selected({}, { cloud_ref: '/api/cloud/?name=b', label: 'x' })).to.deep.equal(['2']);
    expect(await selected({}, { label: 'x', uuid: '3' })).to.deep.equal([]);
    const unresolved = declaredScope(POOL, { fields: {}, match: { label: 'y' }, tenant: undefined });
    expect((await unresolved?.select(OBJECTS, () => Promise.resolve(undefined)))?.length).to.equal(1);
    const plain = declaredScope(POOL, { fields: {}, match: undefined, tenant: 'blue' });
    const unopened = () => Promise.reject(new Error('nothing is looked up'));
    expect(await plain?.select(OBJECTS, unopened)).to.equal(OBJECTS);
    expect(await declaredScope(POOL, { fields: {}, match: { a: 1 }, tenant: undefined })?.select([], unopened)).to.eql(
      [],
    );
    const asked: string[] = [];
    const findCollection = (field: string, collection: string) => {
      asked.push(`${field} ${collection}`);
      return Promise.resolve('/api/cloud/');
    };
    expect(await selected({}, { cloud_ref: 'b' }, OBJECTS, { findCollection })).to.deep.equal(['2']);
    expect(asked).to.deep.equal([`cloud_ref ${POOL}`]);
    expect(await selected({}, { cloud_ref: 'nowhere' })).to.deep.equal([]);
    const found = OBJECTS.concat({ uuid: '4', cloud_ref: '/api/cloud/nowhere' });
    expect(await selected({}, { cloud_ref: 'nowhere' }, found)).to.deep.equal([]);
  });

  it('is of a cloud that an earlier task of a check would create, by its name', async () => {
    const resolve = () => Promise.resolve({ type: 'expected' } as const);
    const later = ['edge', 'far'].map((name) => ({ uuid: name, cloud_ref: `/api/cloud/(known after apply)#${name}` }));
    expect(await selected({ cloud_ref: 'edge' }, undefined, later, { resolve })).to.deep.equal(['edge']);
    expect(await selected({}, { cloud_ref: '/api/cloud/?name=far' }, later, { resolve })).to.deep.equal(['far']);
  });

  it('has a key of its own, and is of its tenant if the task names one', () => {
    const scope = (fields: Mapping, match?: Mapping, tenant?: string) => {
      const { key, ownOnly } = declaredScope(POOL, { fields, match, tenant }) ?? {};
      return [key, ownOnly];
    };
    expect(scope({}, undefined, 'blue')).to.deep.equal(['[null,{}]', true]);
    expect(scope({ tenant_ref: 'blue' })).to.deep.equal(['[null,{}]', true]);
    expect(scope({ tenant_ref: '' })).to.deep.equal([undefined, undefined]);
    expect(scope({}, { tenant_ref: 'blue' })).to.deep.equal(['[null,{"tenant_ref":"blue"}]', true]);
    expect(scope({ cloud_ref: 'a' }, { x: 1 })).to.deep.equal(['["a",{"x":1}]', false]);
  });

  it('finds an object again as it was read or sent', () => {
    const key = (object: Mapping) => [scopeOfObject(POOL, object)?.key, scopeOfObject(POOL, object)?.ownOnly];
    expect(key({ cloud_ref: '/api/cloud/a' })).to.deep.equal(['["/api/cloud/a",{}]', false]);
    expect(key({ cloud_ref: 'a', tenant_ref: 'b' })).to.deep.equal(['[null,{}]', true]);
    expect(key({ cloud_ref: 'a' })).to.deep.equal([undefined, undefined]);
    const created = (method: string, path: string, body?: Value) => {
      const { name, scope } = createdBy(method, path, body, undefined) ?? {};
      return [name, scope?.key];
    };
    expect(created('POST', '/api/pool', { name: 'web', cloud_ref: 'a' })).to.deep.equal(['web', '["a",{}]']);
    expect(created('POST', '/api/pool/', { name: 'web' })).to.deep.equal(['web', undefined]);
    const inTenant = createdBy('POST', '/api/pool', { name: 'web' }, 'blue');
    expect([inTenant?.scope?.key, inTenant?.scope?.ownOnly]).to.deep.equal(['[null,{}]', true]);
    for (const [method, path, body] of [
      ['PUT', '/api/pool', { name: 'web' }],
      ['POST', '/api/pool/1', { name: 'web' }],
      ['POST', '/api/pool?x=1', { name: 'web' }],
      ['POST', '/api/pool', { name: 5 }],
      ['POST', '/api/pool', ['name']],
    ] as const)
      expect(created(method, path, body), path).to.deep.equal([undefined, undefined]);
  });
});

describe('the objects of a task', () => {
  const kinds = builtInKinds;

  it('are at the path of their kind', () => {
    expect(['/api/pool', '/api/pool/'].map(collectionPath)).to.deep.equal([POOL, POOL]);
    const paths = [{ path: '/api/x' }, { kind: 'pool' }, { kind: 'systemconfiguration' }, { kind: 'own' }];
    expect(paths.map((one) => objectsPath(one, kinds))).to.deep.equal([
      '/api/x',
      POOL,
      '/api/systemconfiguration',
      '/api/own/',
    ]);
    expect(paths.map((one) => isCollection(one, kinds))).to.deep.equal([true, true, false, true]);
    expect(['/api/pool/1', '/api/a/b/'].map((path) => isCollection({ path }, kinds))).to.deep.equal([false, false]);
  });

  it('have a kind that is close to a known one by mistake only', () => {
    expect(knownKindFields({ kind: 'pooll' }, kinds))
      .to.have.nested.property('[0].properties.kind.enum')
      .that.deep.equals(['pool']);
    expect(knownKindFields({ kind: 'pooll' }, kinds)).to.deep.equal([
      {
        type: 'object',
        structure: 'kinds',
        properties: { kind: { type: 'string', enum: ['pool'], expects: 'a known kind' } },
      },
    ]);
    expect([{ kind: 'pool' }, { kind: 'zzz' }, {}].map((one) => knownKindFields(one, kinds))).to.deep.equal([
      [],
      [],
      [],
    ]);
  });

  it('have the fields of their kind in "match", strictly where it is named', () => {
    const match = { enabled: true };
    const structure = builtInKinds().kind('pool')?.structure;
    if (structure === undefined) throw new Error('no pool');
    const knownFields = (rigour: 'strict' | 'lenient') => [
      { type: 'object', properties: { match: structureSchema(structure, rigour) } },
    ];
    expect(knownKindFields({ kind: 'pool', match }, kinds)).to.deep.equal(knownFields('strict'));
    expect(knownKindFields({ path: '/api/pool', match }, kinds)).to.deep.equal(knownFields('lenient'));
    expect(knownKindFields({ path: '/api/pool', kind: 'pooll', match }, kinds)).to.deep.equal(knownFields('lenient'));
    for (const args of [{ path: '/api/zzz', match }, { kind: 'zzz', match }, { path: '/api/pool' }])
      expect(knownKindFields(args, kinds)).to.deep.equal([]);
  });

  it('are those of exactly the name, and of what "match" says', () => {
    const [a, b] = [
      { name: 'web', uuid: '1', cloud_ref: '/api/cloud/1#edge' },
      { name: 'web', uuid: '2', cloud_ref: '/api/cloud/2#core' },
    ];
    expect(namedIn({ results: [a, { name: 'other' }, 'web', b] }, 'web')).to.deep.equal([a, b]);
    expect([{ results: a }, [a], null].map((body) => namedIn(body, 'web'))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(chooseNamesake([a, b], 'web', { cloud_ref: 'core' })).to.deep.equal({ type: 'one', object: b });
    expect(chooseNamesake([a, b], 'web', { cloud_ref: '/api/cloud/1' })).to.deep.equal({ type: 'one', object: a });
    expect(chooseNamesake([a, b], 'web', { cloud_ref: '/api/cloud/?name=core' })).to.deep.equal({
      type: 'one',
      object: b,
    });
    expect(chooseNamesake([a, b], 'web', { uuid: '2', cloud_ref: 'core' })).to.deep.equal({ type: 'one', object: b });
    expect(chooseNamesake([{ name: 'web' }, b], 'web', { cloud_ref: 'core' })).to.deep.equal({
      type: 'one',
      object: b,
    });
    expect(chooseNamesake([{ cloud_ref: 5 }], 'web', { cloud_ref: 5 }).type).to.equal('one');
    expect(chooseNamesake([a, b], 'web', { cloud_ref: 'ge' })).to.deep.equal({ type: 'none' });
    expect(chooseNamesake([a, b], 'web')).to.deep.equal({
      type: 'several',
      message: '2 objects are named "web": 1 in cloud "edge", 2 in cloud "core"',
    });
    expect(describeDistinctions([{ tenant_ref: '/api/tenant/7' }, { uuid: 'u', tenant_ref: 'x' }])).to.equal(
      'no uuid in tenant "7", u in tenant "x"',
    );
    expect(
      describeDistinctions([
        { uuid: '1', cloud_ref: 'x' },
        { uuid: '2', cloud_ref: 'x' },
      ]),
    ).to.equal('1, 2');
  });
});

describe('the tenant of a task', () => {
  it('is declared with the fields of the object, or where a module brings its connection', async () => {
    const [resource, action, vendor] = await Promise.all(
      ['pool_present', 'debug', 'avi_pool'].map((name) => catalogue.load(name)),
    );
    if (resource === undefined || action === undefined || vendor === undefined) throw new Error('no module');
    const args = { tenant_ref: 'a', match: { tenant_ref: 'b' }, properties: { tenant_ref: '' }, tenant_uuid: 'c d' };
    const own = ['tenant_ref: a', 'match.tenant_ref: b'];
    const shown = (of: typeof resource) =>
      declaredTenants(of, args).map(({ path, text }) => `${path.join('.')}: ${text}`);
    expect(shown(resource)).to.deep.equal(own);
    expect(shown(action)).to.deep.equal([]);
    expect(shown(vendor)).to.deep.equal([...own, 'tenant_uuid: /api/tenant/c%20d']);
    expect(declaredTenants(vendor, { avi_credentials: { tenant_uuid: 'x' } })[0]?.text).to.equal('/api/tenant/x');
    const wrong = (value: Value) => wrongTenants(resource, { tenant_ref: value }).map(({ message }) => message);
    const said = (given: string) => [`"tenant_ref" must be the name of a tenant, not ${given}`];
    expect([['a'], { a: 1 }, '', true].map((one) => wrong(one))).to.deep.equal([
      said('a list'),
      said('a mapping'),
      said('""'),
      said('true'),
    ]);
    expect(['blue', null, 5].map((one) => wrong(one))).to.deep.equal([[], [], []]);
    expect(wrongTenants(resource, { match: { tenant_ref: [] } })).to.deep.equal([
      { path: ['match', 'tenant_ref'], message: '"match.tenant_ref" must be the name of a tenant, not a list' },
    ]);
    expect(wrongTenants(resource, { tenant_ref: new Unsafe('a') })).to.deep.equal([]);
    expect(wrongTenants(action, { tenant_ref: [] })).to.deep.equal([]);
    const sending = { ...action, fieldsIn: 'data' };
    expect(wrongTenants(sending, { tenant_ref: [], data: { tenant_ref: true } })).to.deep.equal([
      { path: ['data', 'tenant_ref'], message: '"data.tenant_ref" must be the name of a tenant, not true' },
    ]);
    expect(declaredTenants(sending, { tenant_ref: 'a', data: { tenant_ref: 'b' } })).to.deep.equal([
      { path: ['data', 'tenant_ref'], text: 'b' },
    ]);
    expect(declaredTenants(vendor, { tenant_uuid: '', avi_credentials: { tenant_uuid: 5 } })).to.deep.equal([]);
  });

  const UUID = 'tenant-0f9d5b1c-aaaa-bbbb-cccc-0123456789ab';
  for (const [text, tenant] of [
    ['blue', { name: 'blue' }],
    [UUID, { uuid: UUID }],
    ['/api/tenant/?name=blue', { name: 'blue' }],
    ['https://lb1/api/tenant/7#blue', { uuid: '7' }],
    ['/api/pool/?name=blue', undefined],
    ['/api/pool/7', undefined],
    ['a/b', undefined],
    ['a?b', undefined],
  ] as const)
    it(`is named by "${text}"`, () => {
      expect(namedTenant(text, '/api/tenant/')).to.deep.equal(tenant);
    });
});

describe('a reference', () => {
  it('is by uuid or by name', () => {
    expect(directReference('https://lb1:1/base/api/a/b/c%20d#n')).to.deep.equal({
      collection: '/api/a/b/',
      uuid: 'c d',
    });
    expect(['/api/pool', '/api/pool/?name=x', 'x', '/api/'].map(directReference)).to.deep.equal(
      Array(4).fill(undefined),
    );
    expect(queriedReference('https://lb1/api/pool/?name=a&cloud=b#x')).to.deep.equal({
      collection: POOL,
      name: 'a',
      cloud: 'b',
      isCloudNamed: true,
    });
    expect(queriedReference('/api/pool?name=a')).to.deep.equal({ collection: POOL, name: 'a' });
    expect(['/api/pool?x=a', '/api/pool/1'].map(queriedReference)).to.deep.equal([undefined, undefined]);
    expect(['health_monitor_refs', 'pool_ref'].map(collectionNamed)).to.deep.equal(['/api/healthmonitor/', POOL]);
    expect(['a#b#c', 'a', 'a#'].map(shownName)).to.deep.equal(['b#c', undefined, '']);
  });

  it('is sent without names, and kept without the address of the controller', () => {
    const object = {
      url: 'https://a/api/x/1#n',
      pool_refs: ['https://a/api/pool/1#w', 'w#x'],
      in: { x_ref: '/api/x/2#m' },
      name: '/api/x/1#k',
    };
    expect(withoutNames(object)).to.deep.equal({
      url: 'https://a/api/x/1',
      pool_refs: ['https://a/api/pool/1', 'w#x'],
      in: { x_ref: '/api/x/2' },
      name: '/api/x/1#k',
    });
    expect(withoutOrigins(object)).to.deep.include({ url: '/api/x/1#n', pool_refs: ['/api/pool/1#w', 'w#x'] });
  });
});
