import { expect } from 'chai';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import { absentMember, collectionMember, singleton } from '../../src/module/collection.js';
import type { DesiredMember } from '../../src/module/comparison/desired.js';
import type { Plan, Reader, Singleton, Writer } from '../../src/module/contract.js';

const PATH = '/api/pool/';
const nameIn = ({ name }: Mapping): string => (typeof name === 'string' ? name : '');
const desired = (fields: Mapping): DesiredMember => ({
  object: `pool "${nameIn(fields)}"`,
  path: PATH,
  name: nameIn(fields),
  fields,
  replace: false,
  secrets: 'on_create',
});

/** What is asked of a controller, in order; a write ends later. */
class Asked {
  readonly log: unknown[][] = [];
  readonly reader = {
    find: (...[path, name, scope, options]: Parameters<Reader['find']>) => {
      this.log.push(['find', path, name, scope?.key, options]);
      return Promise.resolve({ uuid: 'a b', name });
    },
    single: (path: string) => {
      this.log.push(['single', path]);
      return Promise.resolve({ status: 'found', object: {} });
    },
  } as unknown as Reader;
  readonly writer: Writer = {
    create: (...[path, name, body, scope]: Parameters<Writer['create']>) =>
      this.#later(['create', path, name, body, scope?.key]),
    replace: (path: string, body: Mapping) => this.#later(['replace', path, body]),
    remove: (path: string) => this.#later(['remove', path]),
  };

  async #later(entry: unknown[]): Promise<undefined> {
    await new Promise(setImmediate);
    this.log.push(entry);
    return undefined;
  }
}

const NONE: Plan = { change: { kind: 'none' } };

describe('an object of a collection', () => {
  const member = collectionMember(desired);
  const fields = { name: 'web', cloud_ref: 'edge', port: 1 };

  it('is found by its name in its scope', async () => {
    const asked = new Asked();
    expect(await member.read(fields, asked.reader)).to.deep.equal({ uuid: 'a b', name: 'web' });
    expect(asked.log).to.deep.equal([['find', PATH, 'web', '["edge",{}]', undefined]]);
    expect([member.object(fields), member.object({ name: 'db' })]).to.deep.equal(['pool "web"', 'pool "db"']);
  });

  it('is created, updated, or left as it is', async () => {
    const before = { ...fields, uuid: 'a b', port: 2 };
    const plans = [undefined, before, { ...before, port: 1 }].map((observed) => member.plan(fields, observed));
    expect(plans.map(({ change }) => change.kind)).to.deep.equal(['create', 'update', 'none']);
    const asked = new Asked();
    for (const [at, observed] of [undefined, before, before].entries())
      await member.apply(fields, plans[at] ?? NONE, observed, asked.writer).then(() => asked.log.push(['done']));
    expect(asked.log).to.deep.equal([
      ['create', PATH, 'web', fields, '["edge",{}]'],
      ['done'],
      ['replace', '/api/pool/a%20b', { ...before, port: 1 }],
      ['done'],
      ['done'],
    ]);
  });

  describe('that other fields must identify', () => {
    const created = (match: Mapping, more: Mapping = {}) => {
      const matched = collectionMember((all: Mapping) => ({
        ...desired(all),
        match,
        structure: () => builtInKinds().kind('pool')?.structure,
      }));
      return matched.plan({ ...fields, ...more }, undefined).refusal;
    };
    const refused = (field: string, way: string) =>
      `pool "web" with the fields of "match" does not exist, and a new one would not have this "${field}": ${way} "match" to create one`;

    for (const field of ['uuid', 'url', '_last_modified'])
      it(`is not created if they are chosen by the controller: ${field}`, () => {
        expect(created({ [field]: 'x' })).to.equal(refused(field, 'leave it out of'));
      });

    for (const [what, match, more] of [
      ['another value', { port: 2 }, {}],
      ['another name', { name: 'db' }, {}],
      ['a value that is not declared', { description: 'zz' }, {}],
      ['another default', { enabled: false }, {}],
      ['another object', { pool_ref: '/api/pool/pool-1' }, { pool_ref: '/api/pool/pool-2' }],
    ] as const)
      it(`is not created if a new one would not have them: ${what}`, () => {
        const [field = ''] = Object.keys(match);
        expect(created(match, more)).to.equal(refused(field, 'declare the same value as in'));
      });

    it('is created in the cloud and the tenant that they name, unless it declares another', () => {
      const after = (match: Mapping, more: Mapping = {}) =>
        collectionMember((all: Mapping) => ({ ...desired(all), match })).plan({ name: 'web', ...more }, undefined)
          .change;
      const [cloud_ref, tenant_ref] = ['edge', '/api/tenant/tenant-1'];
      expect(after({ cloud_ref, tenant_ref, name: 'web' })).to.have.deep.property('after', {
        cloud_ref,
        tenant_ref,
        name: 'web',
      });
      expect(after({ cloud_ref: null })).to.have.deep.property('after', { name: 'web' });
      expect(after({ cloud_ref }, { cloud_ref: 'far' })).to.have.deep.property('after', {
        name: 'web',
        cloud_ref: 'far',
      });
    });

    it('is created if it would have them, or may have them', () => {
      const matches: readonly Mapping[] = [
        { port: 1, name: 'web' },
        { enabled: true, description: null, servers: [] },
        { cloud_ref: 'edge', tenant_ref: '/api/tenant/tenant-1' },
        { cloud_ref: '/api/cloud/cloud-1' },
        { uuid: '(known after apply)' },
      ];
      for (const match of matches) expect(created(match), JSON.stringify(match)).to.equal(undefined);
      expect(created({ port: 2 }, { port: '(known after apply)' })).to.equal(undefined);
    });
  });

  it('is not updated if other fields would not identify it then', () => {
    const planned = (match: Mapping) =>
      collectionMember((all: Mapping) => ({ ...desired(all), match })).plan(fields, { ...fields, uuid: 'u', port: 2 });
    expect(
      [planned({ uuid: 'u', name: 'web', port: 1 }), planned({ label: null })].map(({ refusal }) => refusal),
    ).to.eql([undefined, undefined]);
    expect(planned({ port: 2 }).refusal).to.equal(
      'pool "web" has another "port" in "match" than is declared, so that no run would find it again: leave it out of "match"',
    );
  });

  it('is updated in its cloud and tenant, also if only a replaced or a future object does not say them', () => {
    const planned = (match: Mapping, before: Mapping, more: Partial<DesiredMember> = {}) =>
      collectionMember((all: Mapping) => ({ ...desired(all), match, ...more })).plan({ name: 'web', port: 1 }, before);
    const scope = { cloud_ref: 'https://lb1/api/cloud/c-1', tenant_ref: 'https://lb1/api/tenant/t-1' };
    const replaced = { before: { ...scope, uuid: 'u', name: 'web', port: 2, ratio: 3 }, more: { replace: true } };
    for (const match of [{ cloud_ref: '/api/cloud/c-1' }, { tenant_ref: '/api/tenant/t-1' }]) {
      const plan = planned(match, replaced.before, replaced.more);
      expect([plan.change.kind, plan.refusal]).to.deep.equal(['update', undefined]);
      expect(plan.change).to.have.property('after').that.does.not.have.any.keys('cloud_ref', 'tenant_ref', 'ratio');
      expect(planned(match, { name: 'web', port: 2 }).refusal).to.equal(undefined);
    }
    expect(planned({ ratio: 3 }, replaced.before, replaced.more).refusal).to.include('has another "ratio" in "match"');
    expect(planned({ port: 2 }, { name: 'web', port: 2 }).refusal).to.include('has another "port" in "match"');
  });

  for (const uuid of [undefined, '', 5] as readonly (Value | undefined)[])
    it(`cannot be written without a uuid: ${JSON.stringify(uuid)}`, async () => {
      const before: Mapping = { name: 'web', ...(uuid !== undefined && { uuid }) };
      const asked = new Asked();
      const said = await member
        .apply(fields, member.plan(fields, before), before, asked.writer)
        .catch((error: unknown) => String(error));
      expect(said).to.equal(`Error: the controller's answer for pool "web" has no "uuid", so it cannot be written`);
      expect(asked.log).to.deep.equal([]);
    });
});

describe('an object that must be absent', () => {
  const absent = absentMember((fields: Mapping) => ({ ...desired(fields), match: { label: 'x' } }));
  const before = { uuid: 'u/1', name: 'web' };

  it('is found with names of references, and deleted by its uuid', async () => {
    const asked = new Asked();
    await absent.read({ name: 'web', cloud_ref: 'edge' }, asked.reader);
    const gone = absent.plan({ name: 'web' }, undefined);
    const plan = absent.plan({ name: 'web' }, before);
    expect([gone, plan, absent.object({ name: 'web' })]).to.deep.equal([
      NONE,
      { change: { kind: 'delete', object: 'pool "web"', before, after: null } },
      'pool "web"',
    ]);
    await absent.apply({ name: 'web' }, gone, before, asked.writer);
    await absent.apply({ name: 'web' }, plan, undefined, asked.writer);
    await absent.apply({ name: 'web' }, plan, before, asked.writer).then(() => asked.log.push(['done']));
    expect(asked.log).to.deep.equal([
      ['find', PATH, 'web', '["edge",{"label":"x"}]', { names: true }],
      ['remove', '/api/pool/u%2F1'],
      ['done'],
    ]);
  });

  it('may be named without fields', async () => {
    const asked = new Asked();
    await absentMember((name: string) => ({ object: name, path: PATH, name })).read('web', asked.reader);
    expect(asked.log).to.deep.equal([['find', PATH, 'web', undefined, { names: true }]]);
  });
});

describe('an object that exists once', () => {
  const guarded: unknown[] = [];
  const single = singleton<Mapping>(
    (fields) => ({ object: 'the system', path: '/api/system', fields, replace: false, secrets: 'on_create' }),
    (args, before, after, { status }) => {
      guarded.push([args, before, after, status]);
      return { warnings: ['guard'], locksOut: true };
    },
  );
  const found = (object: Mapping): Singleton => ({ status: 'found', object });

  beforeEach(() => {
    guarded.length = 0;
  });

  it('is read, compared and replaced, and guarded where it changes', async () => {
    const asked = new Asked();
    await single.read({ a: 1 }, asked.reader);
    const plan = single.plan({ a: 1 }, found({ a: 2 }));
    expect(plan).to.deep.include({ locksOut: true, warnings: ['guard'] });
    expect(single.plan({ a: 1 }, found({ a: 1 }))).to.deep.equal(NONE);
    expect(single.plan({ a: '<sensitive>' }, found({ a: 2 }))).not.to.have.property('locksOut');
    expect(guarded).to.deep.equal([[{ a: 1 }, { a: 2 }, { a: 1 }, 'found']]);
    expect(single.plan({ a: 1 }, found({ a: 2, s: '<sensitive>' })).warnings).to.deep.equal([
      'the system: "s" cannot be read and is not declared, so it is not sent; declare it if the controller must keep it',
      'guard',
    ]);
    await single.apply({ a: 1 }, NONE, found({}), asked.writer);
    await single.apply({ a: 1 }, plan, found({}), asked.writer).then(() => asked.log.push(['done']));
    expect(asked.log).to.deep.equal([['single', '/api/system'], ['replace', '/api/system', { a: 1 }], ['done']]);
    expect(single.object({})).to.equal('the system');
  });

  it('keeps what this run wrote where it cannot be read', () => {
    const plan = single.plan({ a: 1 }, { status: 'unreadable', code: 404, written: { b: 2 } });
    expect(plan.change).to.have.deep.property('after', { b: 2, a: 1 });
    const plain = singleton<Mapping>(() => ({ ...desired({ name: 'x' }) })).plan({}, found({}));
    expect(plain).not.to.have.property('warnings');
  });
});
