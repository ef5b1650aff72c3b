import { expect } from 'chai';
import { DEFAULT_DIALECT, DIALECTS } from '../../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import type { WrittenBefore } from '../../../src/core/model/run/past.js';
import type { SeenObject } from '../../../src/core/model/run/plan.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { Connection } from '../../../src/engine/controllers/session_pool.js';
import type { IdentifiedObject } from '../../../src/engine/resource/observation.js';
import {
  isAsIntended,
  leftBefore,
  mayBeWritten,
  possiblyWritten,
  WrittenObjects,
} from '../../../src/engine/resource/written_objects.js';
import { Sealer } from '../../../src/record/journal/format/project_key.js';
import { settingsOf } from '../../rig/controllers.js';

const AVI = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
const sealer = new Sealer(Buffer.alloc(32), 'plan 1');
const digestOf = (state: string | null): string | null => (state === null ? null : sealer.digest(state));
const seen = (name: string, state: string | null): SeenObject => ({
  path: '/api/cloud/',
  name,
  digest: digestOf(state),
});

describe('written objects', () => {
  const written = new WrittenObjects();
  const write = (connection: string, name: string, state: string | null): void => {
    written.set(connection, seen(name, state), digestOf(state));
  };
  const compare = (connection: string, name: string, state: string | null) =>
    written.compare(connection, seen(name, state));

  it('are identified by connection and object', () => {
    write('lb1', 'edge', 'one');
    expect(compare('lb1', 'edge', 'one')).to.equal('as left');
    expect(compare('lb1', 'edge', 'two')).to.equal('changed');
    expect(compare('lb1', 'core', 'one')).to.equal(undefined);
    expect(compare('lb2', 'edge', 'one')).to.equal(undefined);
  });

  it('are the same for all users, and those that exist once in all tenants of a controller', () => {
    const identify = (url: string, tenant: string, more: Partial<ConnectionSettings> = {}): string => {
      const settings = settingsOf(url, undefined, { tenant, dialect: AVI, ...more });
      const connection = new Connection(settings, () => undefined, url, true, false, {
        overrides: () => undefined,
        declaredBy: () => undefined,
        digest: (value) => sealer.digest(value),
      });
      return written.identify(connection, (value) => sealer.digest(value));
    };
    const [red, blue] = [identify('https://lb1', 'red'), identify('https://lb1', 'blue')];
    expect(red).not.to.equal(blue);
    const once = (state: string): SeenObject => ({ path: '/api/systemconfiguration', digest: digestOf(state) });
    written.set(red, once('one'), digestOf('one'));
    write(red, 'edge', 'one');
    for (const connection of [red, blue])
      expect([written.compare(connection, once('one')), written.compare(connection, once('two'))]).to.deep.equal([
        'as left',
        'changed',
      ]);
    expect(compare(blue, 'edge', 'one')).to.equal(undefined);
    const tenant = { path: '/api/tenant/', name: 'green', digest: digestOf('one') };
    written.set(red, tenant, digestOf('one'));
    expect(written.compare(blue, tenant)).to.equal('as left');
    const ops = identify('https://lb1', 'red', { username: 'ops' });
    expect(compare(ops, 'edge', 'one')).to.equal('as left');
    const account = (state: string): SeenObject => ({ path: '/api/useraccount', digest: digestOf(state) });
    written.set(red, account('one'), digestOf('one'));
    expect([red, blue, ops].map((one) => written.compare(one, account('two')))).to.deep.equal([
      'changed',
      'changed',
      undefined,
    ]);
    for (const other of [
      identify('https://lb2', 'red'),
      identify('https://lb1', 'red', { headers: { 'x-site': 'b' } }),
    ])
      expect(written.compare(other, once('one'))).to.equal(undefined);
  });

  it('have the state of the last write', () => {
    for (const state of ['one', null, 'two']) write('lb3', 'edge', state);
    write('lb3', 'core', 'other');
    expect(compare('lb3', 'edge', 'two')).to.equal('as left');
    expect(compare('lb3', 'edge', 'one')).to.equal('changed');
    expect(compare('lb3', 'core', 'other')).to.equal('as left');
  });

  it('are kept apart, whatever the order in which they were written', () => {
    const names = ['a', 'b', 'c', 'd'];
    const [even, odd] = [names.filter((_, at) => at % 2 === 0), names.filter((_, at) => at % 2 === 1)];
    // Each connection gets one half of the objects first, each object twice, and only the last state counts.
    for (const name of [...even, ...names, ...even]) write('one', name, `${name} in one`);
    for (const name of [...odd, ...odd.toReversed()]) write('two', name, `${name} in two`);
    for (const name of names) {
      expect(compare('one', name, `${name} in one`), name).to.equal('as left');
      expect(compare('one', name, `${name} in two`), name).to.equal('changed');
      expect(compare('two', name, `${name} in two`), name).to.equal(odd.includes(name) ? 'as left' : undefined);
      expect(compare('two', name, `${name} in one`), name).to.equal(odd.includes(name) ? 'changed' : undefined);
    }
  });

  it('are as before a write that the controller refused', () => {
    const takeBack = (name: string): (() => void) => {
      const refused = written.setAll('lb5', [seen(name, 'one'), seen(name, 'two')]);
      expect(compare('lb5', name, 'any')).to.equal('as left');
      return refused;
    };
    takeBack('edge')();
    expect(compare('lb5', 'edge', 'any')).to.equal(undefined);
    write('lb5', 'edge', 'one');
    takeBack('edge')();
    expect([compare('lb5', 'edge', 'one'), compare('lb5', 'edge', 'any')]).to.deep.equal(['as left', 'changed']);
    written.setAll('lb5', possiblyWritten('/api/cloud', 'core'))();
    expect(compare('lb5', 'core', 'any')).to.equal(undefined);
  });

  it('can be absent, or in an unknown state', () => {
    write('lb4', 'edge', null);
    expect(compare('lb4', 'edge', null)).to.equal('as left');
    expect(compare('lb4', 'edge', 'one')).to.equal('changed');
    written.set('lb4', seen('edge', null), undefined);
    expect(compare('lb4', 'edge', 'one')).to.equal('as left');
    expect(compare('lb4', 'edge', null)).to.equal('as left');
  });

  /** The members of a collection, and an object that exists once, as they were before and as they are now. */
  const objects = {
    pool: { path: '/api/pool/', name: 'web', digest: digestOf('now'), aliases: ['pool-1', 'web'] },
    another: { path: '/api/pool/', name: 'db', digest: digestOf('now'), aliases: ['pool-2', 'db'] },
    created: { path: '/api/pool/', name: 'new', digest: digestOf('now'), aliases: ['pool-3', 'new'] },
    system: { path: '/api/systemconfiguration', digest: digestOf('now') },
  };
  for (const [path, name, own] of [
    ['/api/pool/pool-1', undefined, ['pool']],
    ['/api/pool/pool-1/', undefined, ['pool']],
    ['/api/pool/pool-1?skip_default=true', undefined, ['pool']],
    ['/api/pool/pool-1/scaleout', undefined, ['pool']],
    ['/api/pool', 'new', ['created']],
    ['/api/pool/', 'new', ['created']],
    ['/api/pool', undefined, []],
    ['/api/systemconfiguration', undefined, ['system']],
  ] as const)
    it(`are those at the path of a request to ${path}${name === undefined ? '' : `, of ${name}`}`, () => {
      const sent = new WrittenObjects();
      for (const object of Object.values(objects)) sent.set('lb1', object, digestOf('then'));
      sent.setAll('lb1', possiblyWritten(path, name));
      const left = Object.entries(objects).filter(([, object]) => sent.compare('lb1', object) === 'as left');
      // Of the created one only its name was known.
      expect(left.map(([key]) => key)).to.deep.equal(name === undefined ? own : []);
      const fresh = new WrittenObjects();
      fresh.setAll('lb1', possiblyWritten(path, name));
      const known = Object.entries(objects).filter(([, object]) => fresh.compare('lb1', object) !== undefined);
      expect(known.map(([key]) => key)).to.deep.equal(own);
      expect(Object.values(objects).map((object) => fresh.compare('lb2', object))).to.deep.equal([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    });

  it('of a request before the interrupt are in any state', () => {
    const write = { controller: 'lb1', tenant: 'admin', account: 'ann', outcome: 'applied' } as const;
    const seenIn = (tenant: string) => ({ settings: { tenant, dialect: AVI }, reached: { account: 'ann' } });
    const left = leftBefore([{ ...write, path: '/api/pool/pool-1' }], seenIn('admin'));
    expect([left.compare('', objects.pool), left.compare('', objects.another)]).to.deep.equal(['as left', undefined]);
    for (const [tenant, expected] of [
      ['admin', 'as left'],
      ['red', undefined],
    ] as const) {
      const created = leftBefore([{ ...write, path: '/api/pool', name: 'new' }], seenIn(tenant));
      expect(created.compare('', { path: '/api/pool/', name: 'new', digest: digestOf('one') })).to.equal(expected);
    }
  });
});

describe('a deleted object', () => {
  it('is what a plan saw, by whatever name it is looked for', () => {
    const [CLOUDS, one, two] = ['/api/cloud/', digestOf('one'), digestOf('two')];
    const written = new WrittenObjects();
    written.replace(
      'c',
      [
        { path: CLOUDS, name: 'edge', digest: one, aliases: ['u-1', 'edge'] },
        { path: CLOUDS, name: 'core', digest: two, aliases: ['u-2', 'core'] },
      ],
      [
        { path: CLOUDS, name: 'edge', digest: null, aliases: [] },
        { path: CLOUDS, name: 'core', digest: one, aliases: ['u-2', 'core'] },
      ],
    );
    const compare = (name: string, known?: string | null) =>
      written.compare('c', { path: CLOUDS, name, digest: null }, known);
    expect(compare('far', one)).to.equal('as left');
    expect(['u-1', 'edge'].map((name) => compare(name))).to.deep.equal(['as left', 'as left']);
    for (const known of [two, null, undefined]) expect(compare('far', known)).to.equal(undefined);
    expect(compare('core', two)).to.equal('changed');
    expect(written.compare('c', { path: CLOUDS, name: 'far', digest: two }, one)).to.equal(undefined);
    expect(written.compare('d', { path: CLOUDS, name: 'far', digest: null }, one)).to.equal(undefined);
  });
});

describe('writes before an interrupt', () => {
  const [CLOUDS, SYSTEM] = ['/api/cloud/', '/api/system'];
  const place = {
    settings: settingsOf('https://lb1', undefined, { tenant: 'blue', dialect: AVI }),
    reached: { account: 'ann' },
  };
  const renamed = { uuid: 'u-1', before: 'old', after: 'new' };

  function written(given: Partial<WrittenBefore> & { readonly state?: string | null }): WrittenBefore {
    const { state = 'one', ...more } = given;
    const seen = digestOf(state);
    return { controller: 'lb1', tenant: 'blue', account: 'ann', path: CLOUDS, outcome: 'applied', seen, ...more };
  }

  /** @param by the name or uuid that was looked for */
  function looked(by: string | undefined, state: string | null, uuid?: string, path = CLOUDS): IdentifiedObject {
    const name = by === undefined ? {} : { name: by };
    return { path, ...name, digest: digestOf(state), aliases: uuid === undefined ? [] : [uuid, by ?? ''] };
  }

  const left = (writes: readonly WrittenBefore[], look: IdentifiedObject) =>
    leftBefore(writes, place).compare('', look);

  it('left an object that exists once as it was read, of each path', () => {
    const writes = [written({ path: SYSTEM }), written({ path: '/api/other', state: 'two' })];
    expect(left(writes, looked(undefined, 'one', undefined, SYSTEM))).to.equal('as left');
    expect(left(writes, looked(undefined, 'two', undefined, SYSTEM))).to.equal('changed');
    expect(left(writes, looked(undefined, 'two', undefined, '/api/other'))).to.equal('as left');
    expect(left(writes, looked(undefined, 'one', undefined, '/api/more'))).to.equal(undefined);
  });

  it('left a member under its new name and its uuid, and nothing under its old name', () => {
    const writes = [
      written({ member: renamed }),
      written({ member: { uuid: 'u-2', before: 'gone', after: undefined }, seen: null }),
      written({ member: { uuid: undefined, before: 'made', after: 'made' }, seen: undefined }),
    ];
    expect(left(writes, looked('new', 'one', 'u-1'))).to.equal('as left');
    expect(left(writes, looked('new', 'two', 'u-1'))).to.equal('changed');
    expect(left(writes, looked('u-1', 'one'))).to.equal('as left');
    expect(left(writes, looked('u-1', null))).to.equal('changed');
    expect(left(writes, looked('new', 'one', 'u-9'))).to.equal('as left');
    expect(left(writes, looked('new', 'two', 'u-9'))).to.equal('another');
    expect(left(writes, looked('old', null))).to.equal('as left');
    expect(left(writes, looked('old', 'one', 'u-9'))).to.equal('another');
    expect(left(writes, looked('gone', null))).to.equal('as left');
    expect(left(writes, looked('u-2', null))).to.equal('as left');
    expect(left(writes, looked('gone', 'one', 'u-9'))).to.equal('another');
    expect(left(writes, looked('made', 'five', 'u-9'))).to.equal('as left');
    expect(left(writes, looked('other', 'one', 'u-9'))).to.equal(undefined);
  });

  it('left it as it was read for all users, but each their own account, and what exists once in all tenants', () => {
    const ops = { account: 'ops' };
    expect(left([written({ member: renamed, ...ops })], looked('new', 'five', 'u-1'))).to.equal('changed');
    const once = (path: string, elsewhere: object) =>
      left([written({ path, ...elsewhere })], looked(undefined, 'five', undefined, path));
    const account = '/api/useraccount';
    expect([
      once(SYSTEM, ops),
      once(SYSTEM, { tenant: 'red' }),
      once(account, { tenant: 'red' }),
      once(account, ops),
    ]).to.deep.equal(['changed', 'changed', 'changed', undefined]);
  });

  it('left it in any state if they are of another tenant, where names mean other objects', () => {
    const look = (by: IdentifiedObject) =>
      left([written({ member: renamed, tenant: 'red' }), written({ path: SYSTEM, tenant: 'red' })], by);
    expect(look(looked('new', 'five', 'u-1'))).to.equal('as left');
    expect(look(looked('new', 'one', 'u-9'))).to.equal(undefined);
    expect(look(looked('old', 'one', 'u-9'))).to.equal(undefined);
    expect(look(looked(undefined, 'five', undefined, SYSTEM))).to.equal('changed');
    const tenant = written({ path: '/api/tenant/', member: renamed, tenant: 'red' });
    expect(left([tenant], looked('new', 'five', 'u-1', '/api/tenant/'))).to.equal('changed');
    for (const outcome of ['unknown', 'refused'] as const)
      expect(left([written({ member: renamed, outcome })], looked('new', 'five', 'u-1'))).to.equal(undefined);
  });

  it('may have written what was found by any of its names, or was not found any more', () => {
    const may = (write: WrittenBefore, look: IdentifiedObject): boolean => mayBeWritten(write, look, place);
    const once = written({ path: SYSTEM, tenant: 'red', account: 'ops' });
    expect(may(once, looked(undefined, null, undefined, SYSTEM))).to.equal(true);
    expect(may(once, looked(undefined, null))).to.equal(false);
    const account = '/api/useraccount';
    for (const by of ['ann', 'ops'])
      expect(may(written({ path: account, account: by }), looked(undefined, null, undefined, account))).to.equal(
        by === 'ann',
      );
    const member = written({ member: renamed });
    for (const [look, expected, elsewhere] of [
      [looked('old', null), true, false],
      [looked('new', null), true, false],
      [looked('u-1', null), true, true],
      [looked('other', 'one', 'u-1'), true, true],
      [looked('other', 'one', 'u-9'), false, false],
      [looked(undefined, null), false, false],
      [looked('old', null, undefined, SYSTEM), false, false],
    ] as const) {
      expect(may(member, look), JSON.stringify(look)).to.equal(expected);
      // An object of that name in another tenant is another object.
      expect(may({ ...member, tenant: 'red' }, look), JSON.stringify(look)).to.equal(elsewhere);
    }
    const tenant = written({ path: '/api/tenant/', member: renamed, tenant: 'red' });
    expect(may(tenant, looked('new', 'five', 'u-9', '/api/tenant/'))).to.equal(true);
    const deleted = written({ member: { uuid: undefined, before: 'gone', after: undefined } });
    expect(may(deleted, looked(undefined, null))).to.equal(false);
    expect(may(deleted, looked('gone', null))).to.equal(true);
  });

  it('of unknown outcome left what they declare, or what only the controller adds to it', () => {
    const is = (write: Partial<WrittenBefore>, object: Mapping | undefined, by = 'new'): boolean =>
      isAsIntended(written(write), { ...looked(by, null), object });
    const intended = { uuid: 'u-1', name: 'new', pool_ref: '/api/pool/p', _last_modified: 1 };
    const shown = { ...intended, pool_ref: 'https://lb1/api/pool/p#web', _last_modified: 2 };
    const update = { member: renamed, intended };
    expect([is(update, shown), is(update, { ...shown, note: 1 }), is(update, undefined)]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect([is(update, undefined, 'old'), is({ ...update, intended: undefined }, shown)]).to.deep.equal([true, false]);
    const create = { member: { uuid: undefined, before: 'new', after: 'new' }, intended: { name: 'new', mtu: 1 } };
    expect([is(create, { uuid: 'u-1', name: 'new', mtu: 1, note: 1 }), is(create, undefined)]).to.deep.equal([
      true,
      false,
    ]);
    expect(is(create, { uuid: 'u-1', name: 'new', mtu: 2 })).to.equal(false);
    const remove = { member: { ...renamed, after: undefined } };
    expect([is(remove, undefined), is(remove, shown), is({ intended: { a: 1 } }, { a: 1 })]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });
});
