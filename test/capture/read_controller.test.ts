import { expect } from 'chai';
import type { FleetController, Reason } from '../../src/capture/fleet_collector.js';
import { readController, type WantedTenants } from '../../src/capture/read_controller.js';
import { ControllerError, type ErrorDetails } from '../../src/controller/exchange/call.js';
import { DIALECTS } from '../../src/core/model/dialect.js';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import { builtInKinds, type Structure } from '../../src/kinds/kind_table.js';

interface Given {
  readonly variables?: Readonly<Record<string, Value>>;
  /** The objects of a path, or why there are none. */
  readonly objects?: Readonly<Record<string, readonly Mapping[] | ErrorDetails>>;
  readonly kinds?: readonly string[];
  readonly tenants?: WantedTenants;
  readonly given?: string;
  readonly optional?: boolean;
  /** Whether tasks will declare what is read. */
  readonly declarable?: boolean;
  readonly layers?: readonly { readonly values: Mapping }[];
}

interface Found {
  readonly problem: string | undefined;
  readonly read: readonly (readonly [FleetController, readonly Reason[]])[];
  /** The lists that were read, with whether they have pages. */
  readonly asked: readonly string[];
}

/** What is read of the controller `lb1`, whose dialect has tenants unless its variables say otherwise. */
async function found({
  variables = {},
  objects = {},
  given,
  tenants,
  optional = false,
  ...rest
}: Given): Promise<Found> {
  const { kinds = ['pool'], layers = [], declarable = true } = rest;
  const [read, asked]: [[FleetController, readonly Reason[]][], string[]] = [[], []];
  const own: Readonly<Record<string, Value>> = { controller_dialect: 'avi', ...variables };
  const table = builtInKinds();
  const context = {
    controller: 'lb1',
    variable: (name: string) => {
      if (own[name] === 'broken') throw new Error('cannot be rendered');
      return own[name];
    },
    list: (path: string, { paged }: { readonly paged: boolean }) => {
      asked.push(`${path} ${paged}`);
      const list = objects[path] ?? [];
      if (Array.isArray(list)) return Promise.resolve({ objects: list });
      return Promise.reject(new ControllerError({ method: 'GET', path }, 'no', list as ErrorDetails));
    },
  };
  const options = {
    tenants,
    optional,
    kinds: kinds.map((name) => table.kind(name) ?? expect.fail(name)),
    target: { project: { dialects: DIALECTS }, inventory: { controllers: new Map([['lb1', { layers }]]) } },
    collector: { add: (one: FleetController, unread: readonly Reason[]) => read.push([one, unread]) },
    portable: {
      table,
      all: false,
      hide: () => 'hidden',
      isSecret: (value: Value) => value === 's3cret' || value === 4711,
      declarable,
    },
  };
  const { problem } = await readController(context as never, options as never, given);
  return { problem, read, asked };
}

const named = (name: string, tenant?: string): Mapping => ({
  uuid: `p-${name}`,
  name,
  ...(tenant !== undefined && { tenant_ref: `/api/tenant/${tenant}#${tenant}` }),
});
const POOL = '/api/pool/';

/** For each tenant that was read, the names of its objects. */
const byTenant = ({ read }: Found): readonly unknown[] =>
  read.map(([{ tenant, objects }]) => [tenant, objects.map(({ name }) => name)]);

describe('a controller that is read', () => {
  it('has the kinds that it shows, and a reason for each other, unless it may lack them', async () => {
    const kinds = ['pool', 'cloud', 'systemconfiguration'];
    const objects = { [POOL]: [named('a'), named('b')], '/api/cloud/': { status: 404 } };
    const some = await found({ kinds, objects });
    expect(some.read.map(([one, unread]) => [[...one.kinds], unread])).to.deep.equal([
      [
        ['pool', 'systemconfiguration'],
        [{ controller: 'lb1', tenant: undefined, kind: 'cloud', message: 'GET /api/cloud/: no' }],
      ],
    ]);
    expect(some.asked).to.deep.equal(['/api/pool/ true', '/api/cloud/ true', '/api/systemconfiguration false']);
    expect((await found({ kinds, objects, optional: true })).read[0]?.[1]).to.deep.equal([]);
    const forbidden = { [POOL]: { status: 403 } };
    expect((await found({ objects: forbidden, optional: true })).read[0]?.[1]).to.have.length(1);
    for (const details of [{ outcome: 'unreachable' }, { status: 503, givenUp: true }] as const) {
      const error: unknown = await found({ objects: { [POOL]: details } }).catch((one: unknown) => one);
      expect(error).to.be.instanceOf(ControllerError);
    }
  });

  it('has a reason for each object that no task can identify, beside those for kinds', async () => {
    const objects = { [POOL]: [named('a'), { uuid: 'p-1' }], '/api/cloud/': { status: 500 } };
    const both = { kinds: ['cloud', 'pool'], objects };
    const reasons = async (given: Given): Promise<unknown> =>
      (await found(given)).read.map(([, unread]) => unread.map(({ kind }) => kind));
    expect(await reasons(both)).to.deep.equal([['cloud', 'pool']]);
    expect(await reasons({ ...both, tenants: { all: false, names: ['blue'] }, given: 'blue' })).to.deep.equal([
      ['cloud', 'pool'],
    ]);
  });

  it('has references of every kind into the cloud of an object that is not read, or else paths', async () => {
    const table = builtInKinds();
    const shown = (kind: string): string => `https://lb1/api/${kind}/u-1#web`;
    /** A value for each reference to an object in a cloud, with the path of its list or mapping. */
    const into = ({ fields }: Structure, depth = 0): Mapping =>
      Object.fromEntries(
        [...fields.values()].flatMap(({ name, list, structure, refers }): readonly (readonly [string, Value])[] => {
          const inner = structure === undefined || depth > 3 ? {} : into(structure, depth + 1);
          const isCloud = refers !== undefined && table.kind(refers)?.scope === 'cloud';
          const value = isCloud ? shown(refers) : Object.keys(inner).length > 0 ? inner : undefined;
          return value === undefined ? [] : [[name, list ? [value] : value]];
        }),
      );
    const inEdge = [{ uuid: 'u-1', name: 'web', cloud_ref: 'https://lb1/api/cloud/c-1#edge' }];
    const readable = Object.fromEntries(table.names.map((kind) => [`/api/${kind}/u-1`, inEdge]));
    let count = 0;
    for (const name of table.names) {
      const kind = table.kind(name);
      if (kind === undefined || kind.scope === 'cloud') continue;
      const references = into(kind.structure);
      if (Object.keys(references).length === 0) continue;
      const captured = async (others: Given['objects']): Promise<string> => {
        const objects = { [kind.path]: [{ uuid: 'o-1', name: 'one', ...references }], ...others };
        return JSON.stringify((await found({ kinds: [name], objects })).read[0]?.[0].objects[0]?.fields);
      };
      const replaced = (reference: string): string =>
        JSON.stringify({ name: 'one', ...references }).replaceAll(/https:..lb1.api.(\w+).u-1#web/g, reference);
      const sorted = (text: string): readonly string[] => text.split(/[^\w/?=&-]+/).toSorted();
      const [named, asPaths] = [await captured(readable), await captured({})];
      expect(sorted(named), name).to.include.members(sorted(replaced('/api/$1?name=web&cloud=edge')));
      expect(sorted(asPaths), name).to.include.members(sorted(replaced('/api/$1/u-1')));
      count += 1;
    }
    expect(count).to.be.greaterThan(5);
  });

  it('has references by the name of their object where tasks can have them, and tenants where they are named', async () => {
    const shown = async (tenant: string, given: Given): Promise<unknown> => {
      const object = { ...named('a', tenant), health_monitor_refs: ['/api/healthmonitor/h-1#web'] };
      const [one] = (await found({ objects: { [POOL]: [object] }, ...given })).read[0]?.[0].objects ?? [];
      return [one?.tenant, one?.fields['health_monitor_refs'], one?.fields['tenant_ref']];
    };
    const tenants = { all: false, names: ['blue'] };
    const variables = { controller_dialect: 'generic' };
    expect(await shown('blue', { variables: { controller_tenant: 'blue' } })).to.deep.equal([
      undefined,
      ['web'],
      'blue',
    ]);
    expect(await shown('admin', {})).to.deep.equal([undefined, ['web'], undefined]);
    expect(await shown('blue', { tenants, given: 'blue' })).to.deep.equal(['blue', ['web'], 'blue']);
    expect(await shown('blue', { tenants, given: 'blue', declarable: false })).to.deep.equal([
      'blue',
      ['web'],
      undefined,
    ]);
    const byName = [undefined, ['/api/healthmonitor/?name=web'], '/api/tenant/?name=blue'];
    expect(await shown('blue', { variables })).to.deep.equal(byName);
    expect(await shown('blue', { variables, declarable: false })).to.deep.equal([undefined, ['web'], 'blue']);
  });

  it('has its place, without headers that may be secret', async () => {
    const place = async (variables: Readonly<Record<string, Value>>, more: Given = {}): Promise<unknown> =>
      (await found({ variables, ...more })).read[0]?.[0].place;
    expect(await place({})).to.deep.equal({
      controller_dialect: 'avi',
      controller_tenant: 'admin',
      controller_headers: null,
    });
    const headers = { 'X-Site': 'a', 'X-Other': 'b' };
    expect(await place({ controller_tenant: 'blue', controller_headers: headers }, { given: 'red' })).to.deep.equal({
      controller_dialect: 'avi',
      controller_tenant: 'red',
      controller_headers: headers,
    });
    expect(await place({ controller_tenant: 'blue' })).to.include({ controller_tenant: 'blue' });
    expect(await place({ controller_dialect: 'generic', controller_tenant: 'blue' })).to.deep.equal({
      controller_dialect: 'generic',
      controller_tenant: null,
      controller_headers: null,
    });
    for (const secret of [
      { 'X-Site': 'a', password: 'b' },
      { 'X-Site': 'a', 'X-Other': 's3cret' },
      { 'X-Site': 'a', 'X-Other': 4711 },
    ])
      expect(await place({ controller_headers: secret })).to.include({ controller_headers: '<sensitive>' });
  });

  it('has the text variables of its inventory, but none of its connection and no secrets', async () => {
    const variables = {
      zone: 'lan',
      port: 80,
      controller_url: 'https://x',
      api_token: 'x',
      other: 'broken',
      site: 'a',
    };
    const [{ variables: texts } = expect.fail('nothing')] =
      (await found({ variables, layers: [{ values: { zone: '', site: '' } }, { values: variables }] })).read[0] ?? [];
    expect([...texts]).to.deep.equal([
      ['site', 'a'],
      ['zone', 'lan'],
    ]);
  });

  it('has the objects of one tenant, or of each that is named, with what has no tenant in the default one', async () => {
    const objects = { [POOL]: [named('mine', 'blue'), named('other', 'red'), named('common')] };
    const blue = { controller_tenant: 'blue' };
    expect(byTenant(await found({ objects, variables: blue }))).to.deep.equal([[undefined, ['mine', 'common']]]);
    const tenants = { all: false, names: ['blue', 'red'] };
    expect(byTenant(await found({ objects, tenants, given: 'blue' }))).to.deep.equal([['blue', ['mine', 'common']]]);
    expect(byTenant(await found({ objects, tenants, given: 'red' }))).to.deep.equal([['red', ['other']]]);
    const withDefault = { all: false, names: ['blue', 'admin'] };
    expect(byTenant(await found({ objects, tenants: withDefault, given: 'blue' }))).to.deep.equal([['blue', ['mine']]]);
  });

  it('has the objects of all its tenants, the default one first', async () => {
    const tenants = { all: true, names: ['*'] };
    const objects = {
      '/api/tenant/': [named('blue'), named('admin')],
      [POOL]: [named('mine', 'blue'), named('common'), named('own', 'admin')],
    };
    const all = await found({ kinds: ['tenant', 'pool'], objects, tenants, given: '*' });
    expect(byTenant(all)).to.deep.equal([
      ['admin', ['blue', 'admin', 'common', 'own']],
      ['blue', ['mine']],
    ]);
    expect((await found({ tenants, given: 'admin' })).read).to.deep.equal([]);
    const unlisted = { ...objects, '/api/tenant/': { status: 403 } };
    const some = await found({ kinds: ['tenant', 'pool'], objects: unlisted, tenants, given: '*' });
    expect(some.read).to.deep.equal([]);
    expect(some.problem).to.match(/^cannot list its tenants \(GET .+\): name them with --tenant$/);
    const empty = await found({
      kinds: ['tenant', 'pool'],
      objects: { ...objects, '/api/tenant/': [] },
      tenants,
      given: '*',
    });
    expect([empty.read, empty.problem]).to.deep.equal([[], 'cannot list its tenants: name them with --tenant']);
    const generic = { controller_dialect: 'generic' };
    expect((await found({ variables: generic, tenants, given: '*' })).problem).to.equal(
      '--tenant all is not possible with the dialect "generic", which has no tenants',
    );
  });

  it('is not read in all tenants at once, nor in one that it lacks', async () => {
    expect((await found({ variables: { controller_tenant: '*' } })).problem).to.equal(
      'controller_tenant is "*", and only the objects of one tenant can be read: name the tenant',
    );
    const tenants = { all: false, names: ['blue'] };
    const lacks = await found({ objects: { '/api/tenant/': { status: 404 } }, tenants, given: 'blue' });
    expect(lacks.read.map(([one, unread]) => [one.kinds.size, unread])).to.deep.equal([
      [0, [{ controller: 'lb1', tenant: 'blue', message: 'GET /api/tenant/: no' }]],
    ]);
    expect(lacks.asked).to.deep.equal(['/api/tenant/ true']);
    for (const details of [{ outcome: 'unreachable' }, { status: 503, givenUp: true }] as const) {
      const lost = found({ objects: { '/api/tenant/': details }, tenants, given: 'blue' });
      expect(await lost.catch((one: unknown) => one)).to.be.instanceOf(ControllerError);
    }
    const unlisted = await found({ objects: { '/api/tenant/': { status: 403 } }, tenants, given: 'blue' });
    expect(unlisted.read.map(([one, unread]) => [one.kinds.size, unread])).to.deep.equal([[1, []]]);
  });
});
