import { expect } from 'chai';
import { userAccount } from '../../../modules/kinds/vendor_modules.js';
import { apiSession, apiVersion } from '../../../modules/kinds/vendor_session.js';
import type { Mapping, RawAnswer, RawRequest, Value } from '../../../src/module/contract.js';
import { act, type ActionOptions } from '../../rig/action_context.js';

const DONE: RawAnswer = { status: 200, body: {} };
const MISSING: RawAnswer = { status: 404, body: { error: 'no such object' }, says: 'no such object' };
const found = (...results: readonly Mapping[]): RawAnswer => ({
  status: 200,
  body: { count: results.length, results },
});

interface Sent {
  readonly requests: readonly string[];
  readonly bodies: readonly unknown[];
  readonly all: readonly RawRequest[];
}

/** `GET /api/pool?name=web` */
function text({ method, path, query = {} }: RawRequest): string {
  const parameters = new URLSearchParams(query).toString();
  return `${method} ${path}${parameters === '' ? '' : `?${parameters}`}`;
}

/** @param answers by `METHOD PATH?QUERY`; several of one are for the first and the later requests; else 200 with nothing */
async function session(
  args: Mapping,
  answers: Readonly<Record<string, RawAnswer | readonly RawAnswer[]>> = {},
  more: ActionOptions = {},
): Promise<Sent & Awaited<ReturnType<typeof act>>> {
  const all: RawRequest[] = [];
  const answer = (request: RawRequest): RawAnswer => {
    const given = [answers[text(request)] ?? DONE].flat();
    const earlier = all.filter((one) => text(one) === text(request)).length;
    all.push(request);
    return given[Math.min(earlier, given.length - 1)] ?? DONE;
  };
  const result = await act(apiSession, args, { answer, ...more });
  return {
    ...result,
    all,
    requests: all.map(text),
    bodies: all.flatMap(({ body }) => (body === undefined ? [] : [body])),
  };
}

describe("a request in the style of the vendor's collection", () => {
  const api_context = { session: 'kept by the run' };

  const paths: readonly (readonly [path: string, request: string, params?: Mapping])[] = [
    ['pool', 'GET /api/pool'],
    ['/pool', 'GET /api/pool'],
    ['api/pool', 'GET /api/pool'],
    ['/api/pool/', 'GET /api/pool/'],
    ['pool/pool-1/runtime/', 'GET /api/pool/pool-1/runtime/'],
    ['pool?name=a&page=2', 'GET /api/pool?name=a&page=2'],
    [
      'pool?name=a&page=2',
      'GET /api/pool?name=b&page=2&all=true&limit=3&none=',
      { name: 'b', all: true, limit: 3, none: null },
    ],
    ['pool/a%20b~c:d-e.f', 'GET /api/pool/a%20b~c:d-e.f'],
  ];
  for (const [path, request, params] of paths)
    it(`asks for ${path}${params === undefined ? '' : ' with parameters'} below /api/`, async () => {
      const { requests } = await session({ http_method: 'get', path, ...(params && { params }) });
      expect(requests).to.deep.equal([request]);
    });

  for (const path of ['..', 'pool/..', 'pool//x', 'a b', 'pool/#x', './pool', 'api'])
    it(`sends nothing for "${path}"${path === 'api' ? ' below /api/' : ''}`, async () => {
      const { requests, status, message } = await session({ http_method: 'get', path });
      if (path === 'api') expect(requests).to.deep.equal(['GET /api/api']);
      else expect([requests, status, message]).to.deep.equal([[], 'failed', `"${path}" is not a path under /api/`]);
    });

  it('returns what was answered, and says so', async () => {
    const read = await session(
      { http_method: 'get', path: 'pool/1' },
      { 'GET /api/pool/1': { status: 203, body: [1] } },
    );
    expect([read.status, read.message, read.values]).to.deep.equal([
      'ok',
      'GET /api/pool/1 answered 203',
      { status: 203, obj: [1], old_obj: null, api_context },
    ]);
    const refused = { status: 403, body: null, says: 'not yours', hint: 'ask for it' };
    const failed = await session({ http_method: 'get', path: 'pool/1' }, { 'GET /api/pool/1': refused });
    expect([failed.status, failed.message, failed.values, 'hint' in failed && failed.hint]).to.deep.equal([
      'failed',
      'GET /api/pool/1 answered 403: not yours',
      { status: 403, obj: null, old_obj: null, api_context },
      'ask for it',
    ]);
    const silent = await session(
      { http_method: 'get', path: 'pool/1' },
      { 'GET /api/pool/1': { status: 500, body: '' } },
    );
    expect(silent.message).to.equal('GET /api/pool/1 answered 500');
  });

  for (const [status, denied, expected] of [
    [199, false, 'failed'],
    [200, false, 'ok'],
    [299, false, 'ok'],
    [300, false, 'failed'],
    [200, true, 'failed'],
  ] as const)
    it(`is ${expected} if a read is answered ${status}${denied ? ' with an error' : ''}`, async () => {
      const answer = { status, denied, body: null };
      expect((await session({ http_method: 'get', path: 'x/1' }, { 'GET /api/x/1': answer })).status).to.equal(
        expected,
      );
    });

  const removals: readonly (readonly [RawAnswer, string, string, Value])[] = [
    [{ status: 204, body: null }, 'changed', 'DELETE /api/pool/1 answered 204', null],
    [{ status: 200, body: { uuid: '1' } }, 'changed', 'DELETE /api/pool/1 answered 200', { uuid: '1' }],
    [MISSING, 'ok', 'DELETE /api/pool/1 answered 404', null],
    [{ status: 409, body: {}, says: 'in use' }, 'failed', 'DELETE /api/pool/1 answered 409: in use', {}],
  ];
  for (const [answer, status, message, obj] of removals)
    it(`is ${status} by a DELETE that is answered ${answer.status}`, async () => {
      const { requests, ...result } = await session(
        { http_method: 'delete', path: 'pool/1', params: { a: 1 } },
        {
          'DELETE /api/pool/1?a=1': answer,
        },
      );
      expect(requests).to.deep.equal(['DELETE /api/pool/1?a=1']);
      expect([result.status, result.message, result.values]).to.deep.equal([
        status,
        message,
        { status: answer.status, obj, old_obj: null, api_context },
      ]);
      const change = { kind: 'invoke', object: 'DELETE /api/pool/1', before: null, after: null };
      expect('change' in result ? result.change : undefined).to.deep.equal(status === 'changed' ? change : undefined);
    });

  describe('with PATCH', () => {
    const one = (more: Mapping = {}, status = 200): RawAnswer => ({
      status,
      body: { uuid: '1', _last_modified: '5', ...more },
    });
    const cases: readonly (readonly [string, RawAnswer, RawAnswer, string])[] = [
      ['nothing differs', one(), one(), 'ok'],
      ['only the time of the last write differs', one(), one({ _last_modified: '6' }), 'ok'],
      ['a field is new', one(), one({ a: 1 }), 'changed'],
      ['a field is gone', one({ a: 1 }), one(), 'changed'],
      ['it could not be read before', one({}, 500), one(), 'changed'],
      ['it cannot be read afterwards', one(), one({}, 500), 'changed'],
      ['no object is shown before', { status: 200, body: 'text' }, one(), 'changed'],
      ['no object is shown afterwards', one(), { status: 200, body: 'text' }, 'changed'],
    ];
    for (const [title, before, after, status] of cases)
      it(`is ${status} if ${title}`, async () => {
        const result = await session(
          { http_method: 'patch', path: 'pool/1', params: { x: 2 }, data: { replace: { a: 1 } } },
          {
            'GET /api/pool/1': [before, after],
            'PATCH /api/pool/1?x=2': { status: 202, body: { done: true } },
          },
        );
        expect(result.requests).to.deep.equal(['GET /api/pool/1', 'PATCH /api/pool/1?x=2', 'GET /api/pool/1']);
        expect([result.status, result.message]).to.deep.equal([status, 'PATCH /api/pool/1 answered 202']);
        expect(result.values).to.deep.include({ status: 202, obj: { done: true } });
      });

    it('is failed if it is refused, and not looked at again', async () => {
      const answers = { 'PATCH /api/pool/1': { status: 400, body: null, says: 'no' } };
      const result = await session({ http_method: 'patch', path: 'pool/1' }, answers);
      expect([result.status, result.message]).to.deep.equal(['failed', 'PATCH /api/pool/1 answered 400: no']);
      expect([result.requests.length, result.bodies]).to.deep.equal([2, [{}]]);
    });

    it('leaves out what the controller sets, outside and in each operation', async () => {
      const stale = { _last_modified: '1', uuid: 'x', url: 'y' };
      const data = { ...stale, add: { ...stale, a: 1 }, replace: { ...stale, b: [2] }, delete: 'c' };
      expect((await session({ http_method: 'patch', path: 'pool/1', data })).bodies).to.deep.equal([
        { add: { a: 1 }, replace: { b: [2] }, delete: 'c' },
      ]);
      expect((await session({ http_method: 'patch', path: 'pool/1', data: [stale] })).bodies).to.deep.equal([[stale]]);
    });
  });

  describe('with POST and PUT', () => {
    const web = { uuid: 'p/1', name: 'web', _last_modified: '5', size: 1 };
    const named = 'GET /api/pool?name=web';

    it('sends a POST without a name, below an object or to what exists once as it is', async () => {
      for (const [path, data] of [
        ['pool', { size: 1, uuid: 'kept' }],
        ['pool', { name: 7 }],
        ['pool', [{ name: 'web' }]],
        ['pool/pool-1', { name: 'web' }],
        ['pool/pool-1/scaleout', { name: 'web' }],
        ['cluster', { name: 'web' }],
        ['systemconfiguration/', { name: 'web' }],
        ['useraccount', { name: 'web' }],
      ] as const) {
        const sent = await session({ http_method: 'post', path, data });
        expect([sent.requests, sent.bodies, sent.status], path).to.deep.equal([
          [`POST /api/${path}`],
          [data],
          'changed',
        ]);
      }
      expect((await session({ http_method: 'post', path: 'pool' })).bodies).to.deep.equal([{}]);
    });

    it('creates what is missing, without what the controller sets but with the uuid', async () => {
      const data = { name: 'web', uuid: 'mine', url: 'x', _last_modified: '1', size: 2 };
      for (const http_method of ['post', 'put']) {
        const list = (): readonly Mapping[] => [{ name: 'web2' }];
        const sent = await session({ http_method, path: 'pool', data }, { [named]: found({ name: 'web2' }) }, { list });
        expect([sent.requests, sent.bodies]).to.deep.equal([
          [named, 'POST /api/pool'],
          [{ name: 'web', uuid: 'mine', size: 2 }],
        ]);
        expect(sent.all[1]?.creates).to.deep.equal({ name: 'web', scope: undefined });
      }
      const put = await session(
        { http_method: 'put', path: 'pool/1', data, params: { a: 1 } },
        { 'GET /api/pool/1?a=1': MISSING },
      );
      expect(put.requests).to.deep.equal(['GET /api/pool/1?a=1', 'POST /api/pool/1?a=1']);
      expect([put.all[1]?.creates, put.bodies]).to.deep.equal([undefined, [{ name: 'web', uuid: 'mine', size: 2 }]]);
    });

    it('looks a created object up only if the request has no parameters', async () => {
      const data = { name: 'web' };
      const answers = { 'GET /api/pool?a=1&name=web': found() };
      const list = (): readonly Mapping[] => [];
      const sent = await session({ http_method: 'post', path: 'pool', params: { a: 1 }, data }, answers, { list });
      expect(sent.requests).to.deep.equal(['GET /api/pool?a=1&name=web', 'POST /api/pool?a=1']);
      expect(sent.all[1]?.creates).to.equal(undefined);
    });

    it('is failed if the look is refused, at a collection also if it is missing', async () => {
      const denied = { status: 200, denied: true, body: null, says: 'no' };
      const one = await session({ http_method: 'put', path: 'pool/1', data: {} }, { 'GET /api/pool/1': denied });
      expect([one.status, one.message, one.requests.length]).to.deep.equal([
        'failed',
        'GET /api/pool/1 answered 200: no',
        1,
      ]);
      const all = await session({ http_method: 'put', path: 'pool', data: { name: 'web' } }, { [named]: MISSING });
      expect([all.status, all.message]).to.deep.equal(['failed', 'GET /api/pool answered 404: no such object']);
      expect(all.requests).to.deep.equal([named]);
    });

    it('updates what differs with all that the object has, below its own path', async () => {
      const answers = {
        [named]: found({ ...web, name: 'other' }, web),
        'PUT /api/pool/p%2F1': { status: 201, body: { ok: 1 } },
      };
      const sent = await session(
        { http_method: 'post', path: 'pool', data: { name: 'web', size: 2, url: 'theirs' } },
        answers,
      );
      expect([sent.requests, sent.bodies]).to.deep.equal([[named, 'PUT /api/pool/p%2F1'], [{ ...web, size: 2 }]]);
      expect([sent.status, sent.message, sent.all[1]?.keepsSecrets, sent.all[1]?.creates]).to.deep.equal([
        'changed',
        'PUT /api/pool/p%2F1 answered 201',
        true,
        undefined,
      ]);
      const slash = await session(
        { http_method: 'put', path: 'pool/', data: { name: 'web', size: 2 } },
        {
          'GET /api/pool/?name=web': found(web),
        },
      );
      expect(slash.requests[1]).to.equal('PUT /api/pool/p%2F1');
      const own = await session(
        { http_method: 'put', path: 'pool/p1', params: { b: 2 }, data: { name: 'new' } },
        {
          'GET /api/pool/p1?b=2': { status: 200, body: web },
        },
      );
      expect([own.requests[1], own.bodies]).to.deep.equal(['PUT /api/pool/p1?b=2', [{ ...web, name: 'new' }]]);
    });

    it('writes no data with a placeholder', async () => {
      const data = { name: 'web', password: '<sensitive>', size: 2 };
      for (const more of [{}, { password: '<sensitive>' }]) {
        const answers = { [named]: found({ ...web, ...more }) };
        const sent = await session({ http_method: 'put', path: 'pool', data }, answers);
        expect([sent.status, sent.requests]).to.deep.equal(['failed', [named]]);
        expect(sent.message).to.match(/^"password" is declared as "<sensitive>"/);
      }
    });

    it('keeps hidden secrets, and warns of those in elements of lists that change or move', async () => {
      const [key, warned]: [Mapping, string[]] = [{ id: 1, key: '<sensitive>' }, []];
      const answers = { [named]: found({ ...web, password: '<sensitive>', keys: [key] }) };
      const put = { http_method: 'put', path: 'pool' };
      const kept = await session({ ...put, data: { name: 'web', size: 2 } }, answers, { warned });
      expect(kept.bodies).to.deep.equal([{ ...web, size: 2, password: '<sensitive>', keys: [key] }]);
      const grown = await session({ ...put, data: { name: 'web', keys: [{ id: 1 }, { id: 2 }] } }, answers, { warned });
      expect(grown.bodies).to.deep.equal([{ ...web, password: '<sensitive>', keys: [key, { id: 2 }] }]);
      expect(warned).to.deep.equal([]);
      const data = { name: 'web', keys: [{ id: 2 }, { id: 1 }] };
      const moved = await session({ ...put, data }, answers, { warned });
      expect(moved.bodies).to.deep.equal([{ ...web, password: '<sensitive>', keys: data.keys }]);
      expect(warned).to.deep.equal([
        '/api/pool: "keys[1].key" cannot be read and is not declared, so it is not sent; declare it if the controller must keep it',
      ]);
    });

    it('sends nothing if the object is as declared, and returns the object', async () => {
      const data = { name: 'web', size: 1, _last_modified: 'old' };
      const sent = await session({ http_method: 'put', path: 'pool', data }, { [named]: found(web) });
      expect([sent.status, sent.message, sent.requests]).to.deep.equal(['ok', '/api/pool is as declared', [named]]);
      expect(sent.values).to.deep.equal({ status: 200, obj: web, old_obj: null, api_context });
    });

    it('sends data that are no object as they are, and replaces nothing that is none', async () => {
      const text = await session(
        { http_method: 'put', path: 'x/1', data: { a: 1 } },
        { 'GET /api/x/1': { status: 200, body: 'x' } },
      );
      const list = await session(
        { http_method: 'put', path: 'x/1', data: [1] },
        { 'GET /api/x/1': { status: 200, body: {} } },
      );
      expect([text.status, text.message, text.requests]).to.deep.equal([
        'failed',
        'GET /api/x/1 answered 200, but not with an object',
        ['GET /api/x/1'],
      ]);
      expect([list.requests, list.bodies]).to.deep.equal([['PUT /api/x/1'], [[1]]]);
    });

    it('counts the answer of the write', async () => {
      const answers = { [named]: found(web), 'PUT /api/pool/p%2F1': { status: 412, body: null, says: 'too late' } };
      const sent = await session({ http_method: 'put', path: 'pool', data: { name: 'web', size: 2 } }, answers);
      expect([sent.status, sent.message]).to.deep.equal(['failed', 'PUT /api/pool/p%2F1 answered 412: too late']);
    });

    describe('of an object whose name several have', () => {
      const red = { uuid: 'p-1', name: 'web', cloud_ref: 'https://lb/api/cloud/c-1#red' };
      const blue = { uuid: 'p-2', name: 'web', cloud_ref: 'https://lb/api/cloud/c-2#blue' };
      const bare = [red, blue].map((one) => ({ ...one, cloud_ref: one.cloud_ref.split('#')[0] ?? '' }));
      const asked: string[] = [];
      const list = (path: string): readonly Mapping[] => {
        asked.push(path);
        return [{ ...red, uuid: 'p-0', name: 'web2' }, red, blue];
      };
      const put = (data: Mapping) => {
        asked.length = 0;
        return session(
          { http_method: 'put', path: 'pool', params: { a: 1 }, data: { name: 'web', size: 2, ...data } },
          {
            'GET /api/pool?a=1&name=web': found(...bare),
          },
          { list },
        );
      };

      it('writes the one that the data mean, as it was without names of references', async () => {
        for (const data of [{ cloud_ref: '/api/cloud?name=blue' }, { uuid: 'p-2' }]) {
          const sent = await put(data);
          expect(asked).to.deep.equal(['/api/pool?a=1&name=web']);
          expect(sent.requests[1]).to.equal('PUT /api/pool/p-2?a=1');
          expect(sent.bodies).to.deep.equal([{ ...bare[1], size: 2 }]);
        }
      });

      it('refuses to choose, or to create another uuid', async () => {
        const several = await put({});
        expect([several.status, several.requests.length]).to.deep.equal(['failed', 1]);
        expect(several.message).to.match(
          /^\/api\/pool: 2 objects are named "web": .*; give the cloud_ref or uuid of one of them in "data"$/,
        );
        const wrong = await put({ uuid: 'p-9' });
        expect([wrong.status, wrong.message, wrong.requests.length]).to.deep.equal([
          'failed',
          '/api/pool: an object named "web" exists, but not with the uuid in "data"; leave the uuid out',
          1,
        ]);
        const third = await put({ cloud_ref: '/api/cloud?name=green', uuid: null });
        expect([third.status, third.requests[1]]).to.deep.equal(['changed', 'POST /api/pool?a=1']);
      });
    });
  });
});

describe('avi_api_version', () => {
  const ask = (answer: RawAnswer) =>
    act(apiVersion, {}, { answer: (request) => (text(request) === 'GET /api/cluster/version' ? answer : DONE) });

  it('returns the version in fields in lower case', async () => {
    const { status, message, values } = await ask({ status: 200, body: { Version: '22.1.3', Tag: 'x' } });
    expect([status, message]).to.deep.equal(['ok', 'GET /api/cluster/version answered 200']);
    expect(values).to.deep.equal({
      obj: { version: '22.1.3', tag: 'x' },
      old_obj: null,
      api_context: { session: 'kept by the run' },
    });
  });

  it('fails as the controller says', async () => {
    const { status, message } = await ask({ status: 503, body: null, says: 'starting' });
    expect([status, message]).to.deep.equal(['failed', 'GET /api/cluster/version answered 503: starting']);
    for (const answer of [
      { status: 200, body: 'text' },
      { status: 202, body: {} },
    ])
      expect((await ask(answer)).status).to.equal('failed');
  });
});

describe('avi_useraccount', () => {
  const ACCOUNT = { username: 'alice', full_name: 'Alice', email: 'a@b.c', other: 1 };
  /** @param good the passwords that the controller accepts; a change makes it accept the new one only */
  async function account(args: Mapping, good: string, more: ActionOptions & { readonly shown?: RawAnswer } = {}) {
    const sent: (readonly [string, unknown])[] = [];
    let accepted = good;
    const result = await act(
      userAccount,
      { old_password: 'old', ...args },
      {
        answer: (request) => {
          sent.push([text(request), request.body]);
          if (request.method === 'PUT' && accepted === 'old') accepted = 'new';
          return request.method === 'GET'
            ? (more.shown ?? { status: 200, body: ACCOUNT })
            : { status: 201, body: ACCOUNT };
        },
        signIn: (password) => password === accepted,
        ...more,
      },
    );
    return { ...result, sent };
  }
  const get = ['GET /api/useraccount', undefined];
  const put = (body: Mapping) => ['PUT /api/useraccount', body];

  it('sends the other fields with a new password', async () => {
    const args = { username: 'bob', password: 'new', full_name: 'Bob', email: 'b@b.c' };
    const { status, sent } = await account(args, 'old');
    expect(status).to.equal('changed');
    expect(sent).to.deep.equal([
      put({ full_name: 'Bob', email: 'b@b.c', username: 'bob', password: 'new', old_password: 'old' }),
    ]);
  });

  it('sends a field that differs with the password that is set', async () => {
    for (const [field, value] of [
      ['full_name', 'A. B.'],
      ['email', 'x@y.z'],
    ] as const) {
      const { status, sent, message } = await account({ password: 'new', [field]: value }, 'new');
      expect([status, message]).to.deep.equal(['changed', 'PUT /api/useraccount answered 201']);
      expect(sent).to.deep.equal([
        get,
        put({ username: 'alice', [field]: value, password: 'new', old_password: 'new' }),
      ]);
    }
    const nameless = await account({ password: 'new', email: 'x' }, 'new', { shown: { status: 200, body: {} } });
    expect(nameless.sent[1]).to.deep.equal(put({ username: null, email: 'x', password: 'new', old_password: 'new' }));
  });

  it('sends nothing if no field differs, or is given, or can be read', async () => {
    const same = await account({ password: 'new', full_name: 'Alice', email: 'a@b.c' }, 'new');
    expect([same.status, same.sent]).to.deep.equal(['ok', [get]]);
    const none = await account({ password: 'new' }, 'new');
    expect([none.status, none.sent]).to.deep.equal(['ok', []]);
    for (const shown of [MISSING, { status: 200, body: 'text' }]) {
      const unread = await account({ password: 'new', email: 'x' }, 'new', { shown });
      expect([unread.status, unread.sent]).to.deep.equal(['ok', [get]]);
    }
    for (const shown of [
      { status: 503, body: null },
      { status: 202, body: ACCOUNT },
    ]) {
      const unread = await account({ password: 'new', email: 'x' }, 'new', { shown });
      expect([unread.status, unread.message]).to.deep.equal([
        'failed',
        `GET /api/useraccount answered ${shown.status}`,
      ]);
    }
  });

  it('only says in check mode that a field would be sent', async () => {
    const { status, sent, message } = await account({ password: 'new', email: 'x' }, 'new', { checkMode: true });
    expect([status, sent, message]).to.deep.equal(['changed', [get], 'PUT /api/useraccount answered 200']);
  });

  it('takes the new password from the task, its credentials or the variables', async () => {
    const signedIn: string[] = [];
    const signIn = (password: string): boolean => signedIn.push(password) > 0;
    const variables = { controller_password: 'variable' };
    await account({ password: 'own', avi_credentials: { password: 'theirs' } }, '', { signIn, variables });
    await account({ avi_credentials: { password: 'theirs' } }, '', { signIn, variables });
    await account({}, '', { signIn, variables });
    expect(signedIn).to.deep.equal(['own', 'theirs', 'variable']);
    for (const wrong of [{}, { controller_password: '' }, { controller_password: 7 }]) {
      const { status, message } = await account({}, '', { signIn, variables: wrong });
      expect([status, message]).to.deep.equal([
        'failed',
        'there is no new password: give "password", or "password" in avi_credentials',
      ]);
    }
    expect(signedIn).to.have.length(3);
  });

  it('names the user of the task, and advises a session only for Basic authentication', async () => {
    const refused = 'the controller refuses both passwords of';
    const hint = '; if Basic authentication is off at the controller, set controller_auth: session';
    const none = { signIn: () => false };
    const own = await account({ username: 'bob', password: 'x' }, '', none);
    expect(own.message).to.equal(`${refused} "bob"; neither is tried again in this run${hint}`);
    const away = await account({ controller: 'lb1', username: 'bob', password: 'x' }, '', none);
    expect(away.message).to.equal(`${refused} "bob"; neither is tried again in this run`);
    const variables = { controller_username: 'eve', controller_auth: 'session' };
    const usual = await account({ password: 'x' }, '', { ...none, variables });
    expect(usual.message).to.equal(`${refused} "eve"; neither is tried again in this run`);
  });
});
