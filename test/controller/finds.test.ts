import { expect } from 'chai';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { Scope } from '../../src/core/model/run/reference.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { PlainServer } from '../rig/plain_server.js';

const AVI = DIALECTS.get('avi') ?? DEFAULT_DIALECT;

describe('an object of a name', () => {
  let server: PlainServer;
  const asked: string[] = [];
  const all = connections({ retry: { attempts: 1 } });
  before(async () => {
    server = await PlainServer.start();
  });
  after(async () => {
    await all.close();
    server.close();
  });

  const NAMED = '/api/pool?name=web&include_name';
  const pool = (uuid: string, tenant: string, more: Mapping = {}): Mapping => {
    return { uuid, name: 'web', tenant_ref: `https://lb1/api/tenant/t-${tenant}`, ...more };
  };
  const shown = (uuid: string, tenant: string): Mapping => {
    return { ...pool(uuid, tenant), tenant_ref: `https://lb1/api/tenant/t-${tenant}#${tenant}` };
  };
  const own = (select: Scope['select'] = (objects) => Promise.resolve(objects)): Scope => {
    return { key: 'x', ownOnly: true, select };
  };

  /** Finds `web` as a task in a tenant does, by what the controller shows without and with names. */
  function find(
    plain: readonly Mapping[] | undefined,
    named: readonly Mapping[] | undefined,
    tenant: string | undefined = 'blue',
    ...[scope, options]: readonly [scope?: Scope, options?: { readonly by?: 'uuid'; readonly names?: true }]
  ): Promise<Mapping | undefined> {
    asked.length = 0;
    server.answer = ({ url = '' }, response) => {
      asked.push(url);
      const results = url.includes('include_name') ? named : plain;
      response.writeHead(results === undefined ? 500 : 200).end(JSON.stringify({ results }));
    };
    const session = all.open(settingsOf(server.url, undefined, { patience: 0, dialect: AVI, tenant }));
    return session.find('/api/pool/', 'web', scope, options);
  }

  it('is the only one, or of several that of the own tenant, which needs names', async () => {
    const other = { uuid: 'x', name: 'webb' };
    expect(await find([other, pool('a', 'red')], undefined)).to.deep.equal(pool('a', 'red'));
    expect(asked).to.deep.equal(['/api/pool?name=web']);
    const both = [pool('a', 'red'), pool('b', 'blue')];
    expect(await find(both, [shown('a', 'red'), shown('b', 'blue')])).to.deep.equal(pool('b', 'blue'));
    expect(asked).to.deep.equal(['/api/pool?name=web', NAMED]);
    expect(await find([], undefined)).to.equal(undefined);
    // The scope of the object does not say that only its own tenant has it.
    const anywhere = { ...own(), ownOnly: false };
    expect(await find([pool('a', 'red')], undefined, 'blue', anywhere)).to.deep.equal(pool('a', 'red'));
  });

  it('is refused if there are several, and none is that of the tenant, or which is cannot be seen', async () => {
    const both = [pool('a', 'red'), pool('b', 'green')];
    const said = async (...given: Parameters<typeof find>) => {
      const { message, hint } = await errorOf(find(...given));
      return [message.replace(/^GET \S+: /, ''), hint];
    };
    const hint = 'declare what only one of them has: its cloud_ref, or fields such as uuid under "match"';
    const many = '2 objects are named "web":';
    const readable = [shown('a', 'red'), shown('b', 'green')];
    expect(await said(both, readable)).to.deep.equal([`${many} a in tenant "red", b in tenant "green"`, hint]);
    const unreadable = [`${many} a in tenant "t-red", b in tenant "t-green"`, hint];
    expect(await said(both, undefined)).to.deep.equal(unreadable);
    expect(await said(both, readable.slice(1))).to.deep.equal(unreadable);
    const mine = [shown('a', 'blue'), shown('b', 'green')];
    expect(await said(both, mine, '*')).to.deep.equal([`${many} a in tenant "blue", b in tenant "green"`, hint]);
    expect(await said([pool('', 'blue')], undefined)).to.deep.equal(['the object named "web" has no uuid', undefined]);
  });

  it('of the own tenant alone is asked for with names, and returned without them', async () => {
    const named = [shown('a', 'admin'), shown('b', 'blue')];
    expect(await find(undefined, named, 'blue', own())).to.deep.equal(pool('b', 'blue'));
    expect(asked).to.deep.equal([NAMED]);
    expect(await find(undefined, named.slice(0, 1), 'blue', own())).to.equal(undefined);
    expect(await find([pool('a', 'admin')], undefined, 'admin', own())).to.deep.equal(pool('a', 'admin'));
    const last = own((objects) => Promise.resolve(objects.slice(1)));
    expect(await find(undefined, [shown('a', 'blue'), shown('b', 'blue')], 'blue', last)).to.deep.equal(
      pool('b', 'blue'),
    );
    expect(asked).to.deep.equal([NAMED]);
  });

  it('may be asked for with its names, or by its uuid', async () => {
    const named = [shown('a', 'blue')];
    expect(await find(undefined, named, 'blue', undefined, { names: true })).to.deep.equal(named[0]);
    const byUuid = { uuid: 'web', name: 'other' };
    expect(
      await find([byUuid, { uuid: 'x', name: 'web' }], undefined, 'blue', undefined, { by: 'uuid' }),
    ).to.deep.equal(byUuid);
    expect(asked).to.deep.equal(['/api/pool?uuid=web']);
  });
});
