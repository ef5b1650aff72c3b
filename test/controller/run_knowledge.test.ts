import { expect } from 'chai';
import { noticedDialect } from '../../src/controller/other_dialect.js';
import { RunKnowledge } from '../../src/controller/run_knowledge.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { settingsOf, through } from '../rig/controllers.js';

const dialect = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
const settings = (url: string, more: Partial<ConnectionSettings> = {}): ConnectionSettings =>
  settingsOf(`https://${url}`, undefined, { dialect, tenant: 'admin', ...more });

/** Of two controllers, tenants, headers and routes. */
const OTHERS = [
  settings('lb2'),
  settings('lb1', { tenant: 'blue' }),
  settings('lb1', { headers: { 'X-Site': 'b' } }),
  settings('lb1', { route: through('socks5://127.0.0.1:1081') }),
];
const ONE = settings('lb1');

describe('what a run knows about its controllers', () => {
  const run = (): RunKnowledge => new RunKnowledge(() => Promise.resolve(''), 5);

  it('is which objects they cannot show, and what it wrote there', () => {
    const known = run();
    known.wrote(ONE, '/api/system', { a: 1 });
    expect(known.unreadable(ONE, '/api/system')).to.equal(undefined);
    known.setUnreadable(ONE, '/api/system', 404);
    known.setUnreadable(ONE, '/api/other', 405);
    expect(known.unreadable(ONE, '/api/system')).to.deep.equal({ code: 404 });
    known.wrote(ONE, '/api/system', { a: 1 });
    known.wrote(ONE, '/api/system', { a: 2 });
    expect(known.unreadable(settings('lb1'), '/api/system')).to.deep.equal({ code: 404, written: { a: 2 } });
    expect(known.unreadable(ONE, '/api/other')).to.deep.equal({ code: 405 });
    for (const other of OTHERS) expect(known.unreadable(other, '/api/system')).to.equal(undefined);
    const user = settings('lb1', { username: 'ops' });
    expect(known.unreadable(user, '/api/system')?.written).to.deep.equal({ a: 2 });
    known.setUnreadable(ONE, '/api/useraccount', 403);
    expect(known.unreadable(user, '/api/useraccount')).to.equal(undefined);
    const plain = settings('lb1', { tenant: undefined });
    known.setUnreadable(plain, '/api/system', 501);
    expect([known.unreadable(plain, '/api/system')?.code, known.unreadable(ONE, '/api/system')?.code]).to.deep.equal([
      501, 404,
    ]);
  });

  it('is the objects of each tenant, where references can name them', () => {
    const known = run();
    expect(known.objects(settings('lb1', { dialect: DEFAULT_DIALECT }))).to.equal(undefined);
    const objects = known.objects(ONE);
    expect(known.objects(settings('lb1'))).to.equal(objects);
    for (const other of OTHERS) expect(known.objects(other)).not.to.equal(objects);
    objects?.expect('/api/cloud/', null, { name: 'new' });
    const blue = settings('lb1', { tenant: 'blue' });
    const expected = (of: ConnectionSettings, path: string, name: string) => known.isExpectedInUsual(of, path, name);
    expect([expected(blue, '/api/cloud/', 'new'), expected(ONE, '/api/cloud/', 'new')]).to.deep.equal([true, true]);
    expect([
      expected(blue, '/api/cloud/', 'other'),
      expected(blue, '/api/pool/', 'new'),
      expected(settings('lb2'), '/api/cloud/', 'new'),
    ]).to.deep.equal([false, false, false]);
  });

  it('is what a check would change, whatever tenant it was changed in', () => {
    const known = run();
    const [pools, web] = ['/api/pool/', { uuid: 'p-1', name: 'web' }];
    const blue = known.objects(settings('lb1', { tenant: 'blue' }));
    known.objects(ONE)?.expect(pools, web, { name: 'shop' });
    known.objects(ONE)?.expect(pools, { uuid: 'p-2', name: 'gone' }, null);
    for (const name of ['p-1', 'p-2']) blue?.note(pools, { uuid: name, name });
    expect(blue?.all(pools, true).map(({ name }) => name)).to.deep.equal(['shop']);
    expect(known.objects(settings('lb2'))?.find(pools, 'p-1', true)).to.equal(undefined);
    blue?.settle(pools, 'p-1');
    expect(known.objects(ONE)?.find(pools, 'p-1', true)).to.equal(undefined);
    expect(blue?.all(pools, true).map(({ name }) => name)).to.deep.equal(['p-1']);
  });

  it('is that there is now what a check expected', () => {
    const known = run();
    const [cloud, tenant] = ['/api/cloud/', '/api/tenant/'];
    const blue = settings('lb1', { tenant: 'blue' });
    for (const name of ['a', 'blue']) known.objects(ONE)?.expect(cloud, null, { name });
    for (const name of ['blue', 'red']) known.expectTenant(ONE, tenant, name);
    const expected = () => [
      ...['a', 'blue'].map((name) => known.isExpectedInUsual(blue, cloud, name)),
      ...['blue', 'red'].map((name) => known.isTenantExpected(settings('lb1', { tenant: name }))),
    ];
    known.created(ONE, cloud, 'blue');
    expect(expected()).to.deep.equal([true, false, true, true]);
    known.created(settings('lb2'), cloud, 'a');
    known.created(settings('lb2'), tenant, 'blue');
    expect(expected()).to.deep.equal([true, false, true, true]);
    known.created(ONE, tenant, 'blue');
    expect(expected()).to.deep.equal([true, false, false, true]);
    known.created(settings('lb1', { dialect: DEFAULT_DIALECT }), tenant, 'red');
    expect(expected()).to.deep.equal([true, false, false, true]);
  });

  it('is which tenants a check would create', () => {
    const known = run();
    known.expectTenant(ONE, '/api/tenant/', 'blue');
    known.expectTenant(ONE, '/api/cloud/', 'green');
    known.expectTenant(settings('lb1', { dialect: DEFAULT_DIALECT }), '/api/tenant/', 'red');
    const expected = (url: string, tenant?: string) => known.isTenantExpected(settings(url, { tenant }));
    expect([
      expected('lb1', 'blue'),
      expected('lb1', 'green'),
      expected('lb1', 'red'),
      expected('lb2', 'blue'),
      expected('lb1'),
      known.pages,
    ]).to.deep.equal([true, false, false, false, false, 5]);
  });
});

describe('a dialect that no variable names', () => {
  const answer = (text: string, setCookies?: readonly string[]) => ({
    status: 200,
    text,
    contentType: undefined,
    location: undefined,
    retryAfter: undefined,
    ...(setCookies !== undefined && { setCookies }),
  });
  const never = () => Promise.reject(new Error('not asked'));

  it('is known by what controllers answer', async () => {
    for (const [given, name] of [
      [answer('{"tenant_ref": "https://lb1/api/tenant/1"}'), 'avi'],
      [answer('{}', ['other=1; Path=/', ' avi-sessionid=x; Path=/']), 'avi'],
      [answer('{}', ['csrftoken=x']), 'avi'],
      [answer('{}', ['sessionid=x']), 'avi'],
      [answer('{}', ['xsessionid=x', '=sessionid']), undefined],
      [answer('{}', ['other=sessionid']), undefined],
      [answer('{"tenant_ref": "/api/tenants"}', ['sessionidx=1']), undefined],
      [answer('{"name": "tenant"}'), undefined],
    ] as const)
      expect(await noticedDialect(given, never)).to.equal(name);
  });

  it('is asked for at the path of its version if there was no answer', async () => {
    const asked: string[] = [];
    const ask = (path: string): Promise<string> => {
      asked.push(path);
      return Promise.resolve('22.1.3');
    };
    expect([await noticedDialect(undefined, ask), asked]).to.deep.equal(['avi', ['/api/initial-data']]);
    expect(await noticedDialect(undefined, never)).to.equal(undefined);
  });
});
