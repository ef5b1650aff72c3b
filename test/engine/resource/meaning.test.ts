import { expect } from 'chai';
import type { ReferenceLookup, ResolvedReference } from '../../../src/core/model/run/reference.js';
import type { Change } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { Observation } from '../../../src/engine/resource/observation.js';
import { resolveMeaning, withShownNames } from '../../../src/engine/resource/references.js';

type Task = Parameters<typeof resolveMeaning>[0];

const POOLS = '/api/pool/';
const CREATE: Change = { kind: 'create', object: 'pool "web"', before: null, after: {} };

async function observed(object: Mapping | null): Promise<Observation> {
  const observation = new Observation({
    find: () => Promise.resolve(object ?? undefined),
    single: () => Promise.reject(new Error('not read')),
  });
  await observation.find(POOLS, 'web');
  return observation;
}

interface Session {
  readonly asked: unknown[];
  readonly task: (args: Mapping, check?: boolean) => Task;
}

/** A session whose names resolve to that. */
function session(resolved: ResolvedReference, objects: readonly Mapping[] = []): Session {
  const asked: unknown[] = [];
  const lookup: Pick<ReferenceLookup, 'findCollection' | 'resolve' | 'knownName'> = {
    findCollection: (field, object) => {
      asked.push([field, object]);
      return Promise.resolve('/api/network/');
    },
    resolve: ({ collection, name, cloud }) => {
      asked.push([collection, name, cloud]);
      return Promise.resolve(resolved);
    },
    knownName: (_, uuid) => (uuid === 'known' ? 'Known' : undefined),
  };
  const list = (path: string, options: unknown): Promise<unknown> => {
    asked.push(['list', path, options]);
    return Promise.resolve({ objects });
  };
  const own = { references: () => Promise.resolve(lookup), list } as unknown as Task['session'];
  return { asked, task: (args, check = false) => ({ args, check, session: own }) };
}

async function outcome(
  resolved: ResolvedReference,
  args: Mapping,
  { check = false, plan = {}, last = null }: { check?: boolean; plan?: object; last?: Mapping | null } = {},
): Promise<unknown> {
  const { task } = session(resolved);
  try {
    const meaning = await resolveMeaning(task(args, check), { change: CREATE, ...plan }, await observed(last));
    return meaning?.args;
  } catch (error) {
    return [Reflect.get(error as object, 'message'), Reflect.get(error as object, 'hint')];
  }
}

describe('what a reference by name means', () => {
  const ARGS = { name: 'web', properties: { list: [{ network_ref: 'front' }] } };
  const what = 'properties.list[0].network_ref';

  it('is the path of the object, or what says why it has none', async () => {
    expect(await outcome({ type: 'found', path: '/api/network/n-1' }, ARGS)).to.deep.equal({
      name: 'web',
      properties: { list: [{ network_ref: '/api/network/n-1' }] },
    });
    expect(await outcome({ type: 'expected' }, ARGS, { check: true })).to.deep.equal({
      name: 'web',
      properties: { list: [{ network_ref: '/api/network/(known after apply)#front' }] },
    });
    const none = `${what} refers to the network "front", and the controller has none of that name`;
    expect(await outcome({ type: 'expected' }, ARGS)).to.deep.equal([`${none}; nothing was written`, undefined]);
    expect(await outcome({ type: 'missing', known: ['fronts', 'back'] }, ARGS)).to.deep.equal([
      `${none}; nothing was written`,
      'did you mean "fronts"?',
    ]);
    expect(await outcome({ type: 'ambiguous', objects: 'n-1, n-2', count: 2 }, ARGS)).to.deep.equal([
      `${what} refers to the network "front", and the controller has 2 of that name: n-1, n-2; nothing was written`,
      'name the cloud: /api/network?name=front&cloud=…, or declare the cloud_ref of the object',
    ]);
  });

  it('names the cloud that is missing, or of which there are several', async () => {
    const args = { name: 'web', network_ref: '/api/network?name=front&cloud=edge' };
    expect(await outcome({ type: 'missing', known: [] }, args)).to.deep.equal([
      'network_ref refers to the network "front", and the controller has none of that name in the cloud "edge"; nothing was written',
      undefined,
    ]);
    expect(await outcome({ type: 'no cloud', count: 0, known: ['edges'] }, args)).to.deep.equal([
      'network_ref names the cloud "edge", and the controller has none of that name; nothing was written',
      'did you mean "edges"?',
    ]);
    expect(await outcome({ type: 'no cloud', count: 2, known: ['edges'] }, args)).to.deep.equal([
      'network_ref names the cloud "edge", and the controller has 2 of that name; nothing was written',
      'name the cloud by its path: cloud=/api/cloud/UUID',
    ]);
  });

  it('is sought in the cloud of the object, as declared before as shown, and not of a reference that names its own', async () => {
    const found = { type: 'found', path: '/api/network/n-1' } as const;
    const clouds = async (args: Mapping, last: Mapping | null = null): Promise<unknown> => {
      const { asked, task } = session(found);
      await resolveMeaning(
        task({ name: 'web', network_ref: 'front', ...args }),
        { change: CREATE },
        await observed(last),
      );
      return asked.filter((one) => Array.isArray(one) && one.length === 3 && one[1] === 'front');
    };
    const shown = { cloud_ref: '/api/cloud/shown' };
    const path = '/api/network/';
    expect(await clouds({})).to.deep.equal([[path, 'front', undefined]]);
    expect(await clouds({}, shown)).to.deep.equal([[path, 'front', '/api/cloud/shown']]);
    expect(await clouds({ cloud_ref: '' }, shown)).to.deep.equal([[path, 'front', '/api/cloud/shown']]);
    expect(await clouds({ cloud_ref: '/api/cloud?name=my%20cloud#x' }, shown)).to.deep.equal([
      [path, 'front', 'my cloud'],
    ]);
    expect(await clouds({ properties: { cloud_ref: '/api/cloud/own' } }, shown)).to.deep.equal([
      [path, 'front', '/api/cloud/own'],
    ]);
  });

  it('need not exist in a list that only loses elements', async () => {
    const missing = { type: 'missing', known: [] } as const;
    const without = { name: 'web', without: { network_refs: ['front'] } };
    expect(await outcome(missing, without)).to.deep.equal(without);
    expect(await outcome(missing, { ...ARGS }, { plan: { takesAway: true, change: { kind: 'none' } } })).to.deep.equal(
      ARGS,
    );
    expect(await outcome(missing, ARGS, { plan: { change: { kind: 'none' } } })).to.equal(undefined);
  });
});

describe('the names of objects that a check shows', () => {
  const OTHER = 'https://lb1/api/network/other';
  const before = {
    network_ref: '/api/network/other',
    same_ref: '/api/network/same',
    servers: [{ pool_ref: '/api/pool/known' }],
  };
  const change: Change = {
    kind: 'update',
    object: 'pool "web"',
    before,
    after: { ...before, network_ref: 'x', servers: [] },
  };
  const SHOWN = [
    {
      name: 'web',
      network_ref: `${OTHER}#Other`,
      deep: [{ list: { same_ref: '/api/network/same#Same' } }, 5, '/api/x/plain'],
    },
  ];
  const last = { name: 'web', network_ref: '/api/network/other' };

  async function names(more: { check?: boolean; change?: Change; last?: Mapping | null } = {}): Promise<unknown> {
    const { asked, task } = session({ type: 'expected' }, SHOWN);
    const observation = await observed('last' in more ? (more.last ?? null) : last);
    const meaning = await withShownNames(
      task({ name: 'web' }, more.check ?? true),
      more.change ?? change,
      undefined,
      observation,
    );
    return [asked, meaning && ['other', 'same', 'none'].map((uuid) => meaning.nameOf('/api/network/', uuid))];
  }

  it('are read again once, if the object has references without a name where it would change', async () => {
    expect(await names()).to.deep.equal([
      [['list', POOLS, { query: { name: 'web' }, paged: false }]],
      ['Other', 'Same', undefined],
    ]);
  });

  it('are not read if nothing is checked, changed or unnamed', async () => {
    const none = [[], undefined];
    expect(await names({ check: false })).to.deep.equal(none);
    expect(await names({ change: CREATE })).to.deep.equal(none);
    expect(await names({ last: null })).to.deep.equal(none);
    expect(await names({ change: { ...change, before: null } })).to.deep.equal(none);
    expect(await names({ change: { ...change, after: before } })).to.deep.equal(none);
    expect(await names({ change: { ...change, before: { a_ref: '/api/x/1#Named' }, after: {} } })).to.deep.equal(none);
  });

  it('add to those that the task knows', async () => {
    const { asked, task } = session({ type: 'found', path: '/api/network/known' }, SHOWN);
    const meaning = await resolveMeaning(task({ network_ref: 'x' }), { change }, await observed(last));
    const named = await withShownNames(task({ network_ref: 'x' }, true), change, meaning, await observed(last));
    expect(named?.args).to.deep.equal({ network_ref: '/api/network/known' });
    expect(['known', 'other'].map((uuid) => named?.nameOf('/api/network/', uuid))).to.deep.equal(['Known', 'Other']);
    expect(asked.at(-1)).to.deep.equal(['list', POOLS, { query: { name: 'web' }, paged: false }]);
    const known: Change = { ...change, before: { pool_ref: '/api/pool/known' }, after: {} };
    const length = asked.length;
    expect(await withShownNames(task({}, true), known, meaning, await observed(last))).to.equal(meaning);
    expect(asked).to.have.length(length);
  });
});
