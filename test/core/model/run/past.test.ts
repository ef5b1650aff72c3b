import { expect } from 'chai';
import type { WriteIntended } from '../../../../src/core/model/run/journal.js';
import { addressedObject, findWritten, objectKey } from '../../../../src/core/model/run/past.js';
import { describeDistinctions } from '../../../../src/core/model/run/reference.js';
import type { Change } from '../../../../src/core/model/run/result.js';

function write(change: Change, path: string, name?: string): WriteIntended {
  const task = { controller: 'lb1', place: '0:0', play: 'p', task: 't', module: 'm' };
  const source = { file: 'site.yml', line: 1, column: 1 };
  const reached = { url: 'https://lb1', controller: 'c', account: 'a' };
  const sent = { write: 1, target: 'lb1', reached, object: 'pool "web"', method: 'PUT', body: null };
  return { type: 'write-intended', ...task, ...sent, source, change, path, name };
}

const update = (before: { uuid?: string; name?: string } | null): Change => ({
  kind: 'update',
  object: 'pool "web"',
  before,
  after: { uuid: 'other', name: 'other' },
});

describe('the object of a write', () => {
  const web = { uuid: 'pool/1', name: 'web' };
  const member = { type: 'member', collection: '/api/pool/', name: 'web' } as const;
  const create: Change = { kind: 'create', object: 'pool "web"', before: null, after: web };
  for (const [what, given, place, key] of [
    ['a create', write(create, '/api/pool/', 'web'), { ...member, uuid: undefined }, '/api/pool/ web'],
    ['a create without a name', write(create, '/api/x'), { type: 'single', path: '/api/x' }, '/api/x'],
    ['an update', write(update(web), '/api/pool/pool%2F1'), { ...member, uuid: 'pool/1' }, '/api/pool/ web'],
    [
      'a delete',
      write({ kind: 'delete', object: 'pool "web"', before: web, after: null }, '/api/pool/pool%2F1'),
      { ...member, uuid: 'pool/1' },
      '/api/pool/ web',
    ],
    [
      'an update of another path',
      write(update(web), '/api/pool/x'),
      { type: 'single', path: '/api/pool/x' },
      '/api/pool/x',
    ],
    [
      'an update of what is not shown',
      write(update(null), '/api/a/b'),
      { type: 'single', path: '/api/a/b' },
      '/api/a/b',
    ],
    [
      'an update of what has no name',
      write(update({ uuid: 'b' }), '/api/a/b'),
      { type: 'single', path: '/api/a/b' },
      '/api/a/b',
    ],
    [
      'an update of what has no uuid',
      write(update({ uuid: '', name: 'web' }), '/api/a/'),
      { type: 'single', path: '/api/a/' },
      '/api/a/',
    ],
    [
      'a raw request',
      write({ kind: 'invoke', object: 'x', before: null, after: null }, '/api/a/b', 'web'),
      { type: 'single', path: '/api/a/b' },
      '/api/a/b',
    ],
  ] as const)
    it(`is the same for all writes to it: ${what}`, () => {
      expect([addressedObject(given), objectKey(addressedObject(given))]).to.deep.equal([place, key]);
    });
});

describe('what was written', () => {
  const web = { uuid: 'pool/1', name: 'web' };
  const own = '/api/pool/pool%2F1';
  const member = (uuid: string | undefined, before: string, after: string | undefined) => ({
    path: '/api/pool/',
    member: { uuid, before, after },
  });
  const create: Change = { kind: 'create', object: 'pool "web"', before: null, after: { name: 'web' } };
  const rename: Change = { kind: 'update', object: 'pool "web"', before: web, after: { ...web, name: 'new' } };
  const gone: Change = { kind: 'delete', object: 'pool "web"', before: web, after: null };

  for (const [what, given, shown, expected] of [
    ['one that exists once', write(update(null), '/api/system'), { a: 1 }, { path: '/api/system' }],
    ['a new one', write(create, '/api/pool/', 'web'), { uuid: 'u-1', name: 'web' }, member('u-1', 'web', 'web')],
    ['a new one that was not read', write(create, '/api/pool/', 'web'), undefined, member(undefined, 'web', 'web')],
    [
      'a new one with a name of its own',
      write(create, '/api/pool/', 'web'),
      { name: 'x' },
      member(undefined, 'web', 'x'),
    ],
    [
      'a new one without texts',
      write(create, '/api/pool/', 'web'),
      { uuid: 5, name: 5 },
      member(undefined, 'web', 'web'),
    ],
    ['a renamed one', write(rename, own), undefined, member('pool/1', 'web', 'new')],
    ['a renamed one as it was read', write(rename, own), { ...web, name: 'newer' }, member('pool/1', 'web', 'newer')],
    ['a deleted one', write(gone, own), undefined, member('pool/1', 'web', undefined)],
    [
      'what a request may have created',
      { ...write({ kind: 'invoke', object: 'POST /api/pool', before: null, after: null }, '/api/pool'), body: web },
      undefined,
      { path: '/api/pool', name: 'web' },
    ],
    ['a deleted one, whatever is there now', write(gone, own), { name: 'web' }, member('pool/1', 'web', undefined)],
  ] as const)
    it(`is found by its names: ${what}`, () => {
      expect(findWritten(given, shown)).to.deep.equal(expected);
    });
});

describe('objects of one name', () => {
  it('are told apart by what differs, if they have it', () => {
    const cloud_ref = 'https://lb1/api/cloud/cloud-1#edge';
    expect(
      describeDistinctions([
        { uuid: 'a', cloud_ref, tenant_ref: '/api/tenant/admin' },
        { cloud_ref, tenant_ref: '/api/tenant/ops' },
        { uuid: 'c', cloud_ref },
      ]),
    ).to.equal('a in tenant "admin", no uuid in tenant "ops", c');
  });
});
