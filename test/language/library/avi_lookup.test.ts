import { expect } from 'chai';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { aviLookups } from '../../../src/language/library/lookups/avi.js';
import { answer, answered, broken, json, type Answers } from './answered_lookups.js';

describe('the lookup vmware.alb.avi, request by request', () => {
  const credentials = { controller: 'lb1.invalid', username: 'admin', password: 'Blue-Whale-42' };
  const avi = (options: Readonly<Record<string, Value>>, answers: Answers, scope: Mapping = {}) =>
    answered(aviLookups['vmware.alb.avi'], answers, { options: { avi_credentials: credentials, ...options }, scope });

  it('signs in as the credentials say, and reads all pages of the controller', () => {
    const to = 'https://lb1.invalid/api/pool?page_size=200';
    const { found, requests, learned } = avi(
      { obj_type: 'pool' },
      {
        [to]: json({ results: [{ name: 'a' }, { name: 'b' }], next: `${to}&page=2` }),
        [`${to}&page=2`]: json({ results: [{ name: 'c' }] }),
      },
    );
    expect([found, learned]).to.deep.equal([[{ name: 'a' }, { name: 'b' }, { name: 'c' }], ['Blue-Whale-42']]);
    expect(requests.map(({ url }) => url)).to.deep.equal([to, `${to}&page=2`]);
    expect(requests[1]).to.deep.include({
      headers: { 'user-agent': 'evenkeel', 'x-avi-tenant': 'admin', accept: 'application/json' },
      insecure: false,
      session: {
        login: 'https://lb1.invalid/login',
        logout: 'https://lb1.invalid/logout',
        body: '{"username":"admin","password":"Blue-Whale-42"}',
      },
    });
  });

  it('asks for a name, a uuid or parameters, in a tenant and a version', () => {
    const cases: readonly (readonly [options: Readonly<Record<string, Value>>, url: string, headers: Mapping])[] = [
      [{ obj_name: 'a b' }, '/api/pool?page_size=200&name=a+b', { 'x-avi-tenant': 'admin' }],
      [{ obj_uuid: 'p/1' }, '/api/pool/p%2F1?page_size=200', { 'x-avi-tenant': 'admin' }],
      [{ obj_name: 'a', obj_uuid: 'p' }, '/api/pool?page_size=200&name=a', { 'x-avi-tenant': 'admin' }],
      [{ params: { page_size: 5, x: true } }, '/api/pool?page_size=5&x=True', { 'x-avi-tenant': 'admin' }],
      [{ tenant: 'blue' }, '/api/pool?page_size=200', { 'x-avi-tenant': 'blue' }],
      [{ tenant: true }, '/api/pool?page_size=200', { 'x-avi-tenant': 'true' }],
      [{ tenant_uuid: 't-1' }, '/api/pool?page_size=200', { 'x-avi-tenant-uuid': 't-1' }],
      [
        { api_version: '22.1.3', avi_credentials: { ...credentials, port: 8443, tenant_uuid: 't-2' } },
        ':8443/api/pool?page_size=200',
        { 'x-avi-tenant-uuid': 't-2', 'x-avi-version': '22.1.3' },
      ],
      [
        { tenant: 'blue', avi_credentials: { ...credentials, tenant_uuid: 't-2', api_version: '1' } },
        '/api/pool?page_size=200',
        { 'x-avi-tenant': 'blue', 'x-avi-version': '1' },
      ],
    ];
    for (const [options, url, headers] of cases) {
      const { requests } = avi({ obj_type: 'pool', ...options }, {});
      expect(requests.map((one) => [one.url, one.headers])).to.deep.equal([
        [`https://lb1.invalid${url}`, { 'user-agent': 'evenkeel', accept: 'application/json', ...headers }],
      ]);
    }
    const token = { controller: 'https://lb1.invalid', username: 'me', token: 'Red-Fox-43' };
    const one = avi({ obj_type: 'pool', avi_credentials: token }, {}, { controller_verify_tls: false });
    expect([one.learned, one.requests[0]?.session?.body, one.requests[0]?.insecure]).to.deep.equal([
      ['Red-Fox-43'],
      '{"username":"me","token":"Red-Fox-43"}',
      true,
    ]);
  });

  it('returns one object of a name, what is no list as it is, and nothing if there is none', () => {
    const named = 'https://lb1.invalid/api/pool?page_size=200&name=a';
    const both = json({ results: [{ uuid: '1' }, { uuid: '2' }] });
    expect(avi({ obj_type: 'pool', obj_name: 'a' }, { [named]: both }).found).to.deep.equal([{ uuid: '1' }]);
    const all = 'https://lb1.invalid/api/pool?page_size=200';
    for (const [given, found] of [
      [both, [{ uuid: '1' }, { uuid: '2' }]],
      [json({ name: 'x' }), [{ name: 'x' }]],
      [json({ results: 5 }), [{ results: 5 }]],
      [json([1]), [[1]]],
      [answer(404), []],
      [
        answer(401),
        'lookup: https://lb1.invalid/api/pool answered 401 — check the user and password in avi_credentials',
      ],
      [
        answer(403),
        'lookup: https://lb1.invalid/api/pool answered 403 — check the user and password in avi_credentials',
      ],
      [answer(500), 'lookup: https://lb1.invalid/api/pool answered 500'],
      [
        broken('ENOTFOUND'),
        'lookup: no connection to https://lb1.invalid: the name is unknown (ENOTFOUND) — check the host in the URL',
      ],
    ] as const)
      expect(avi({ obj_type: 'pool' }, { [all]: given }).found).to.deep.equal(found);
  });

  it('refuses what names no controller or no kind', () => {
    const needed = 'lookup: obj_type and avi_credentials with a controller are needed';
    for (const [options, message] of [
      [{}, needed],
      [{ obj_type: 'pool', avi_credentials: 'x' }, needed],
      [{ obj_type: 'pool', avi_credentials: { controller: null } }, needed],
      [{ obj_type: 'pool', params: 'x' }, 'lookup: params must be a mapping'],
      [
        { obj_type: 'pool', avi_credentials: { controller: 'a b' } },
        'lookup: "a b" is not the address of a controller',
      ],
      [{ obj_type: ['pool'] }, 'lookup: "obj_type" must be a text'],
    ] as const)
      expect(avi(options, {})).to.deep.equal({ found: message, requests: [], learned: [] });
  });
});
