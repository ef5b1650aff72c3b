import { expect } from 'chai';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { RawRequest } from '../../src/core/model/run/session.js';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { errorOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';

const AVI = { ...(DIALECTS.get('avi') ?? DEFAULT_DIALECT), session: undefined, versionPath: undefined };
const OUTCOME_UNKNOWN =
  'it is not sent again, because nothing shows whether it took effect: look at the controller, then run again if it did not';

describe('a raw write whose answer is lost or 503', () => {
  const lb1 = new OneController();
  const { behave, wire } = lb1;
  const busy = (method: string, more: Partial<Extract<Fault, { type: 'answer' }>> = {}): Fault => ({
    type: 'answer',
    status: 503,
    body: 'busy',
    when: { method },
    ...more,
  });
  const shows = (body: Value, status = 200): Fault => ({ type: 'answer', status, body, when: { method: 'GET' } });
  /** The status, what the controller saw, and what to do. */
  const sent = async (raw: RawRequest, names = true): Promise<readonly unknown[]> => {
    const settings = lb1.settings(names ? { dialect: AVI } : {});
    const { status, hint } = await lb1.open(settings).request(raw);
    return [status, wire().join(', '), hint === OUTCOME_UNKNOWN ? 'outcome unknown' : undefined];
  };

  describe('that adds to an object', () => {
    const path = '/api/virtualservice/virtualservice-1';
    const patch = (added: Value): RawRequest => ({ method: 'PATCH', path, body: { add: added } });
    const url = (kind: string, uuid: string, name = ''): string => `https://lb1/api/${kind}/${uuid}${name}`;
    const one = { ip: { addr: '10.0.0.1' } };

    const looks: readonly (readonly [added: Mapping, shown: JsonObject, isThere: boolean])[] = [
      [{ servers: [one] }, { servers: [{ ip: { addr: '10.0.0.1', type: 'V4' }, ratio: 1 }] }, true],
      [{ servers: [one] }, { servers: [{ ip: { addr: '10.0.0.2' } }, one] }, true],
      [{ servers: [one, { ip: { addr: '10.0.0.2' } }] }, { servers: [one] }, false],
      [{ servers: [one] }, { servers: [] }, false],
      [{ servers: [one] }, { servers: one }, false],
      [{ servers: [one] }, {}, false],
      [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true],
      [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, false],
      [{ a: { b: 1 } }, { a: [1] }, false],
      [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
      [{ a: 1 }, { a: '1' }, false],
      [
        { servers: [{ ...one, port: '80', enabled: 'True' }] },
        { servers: [{ ...one, port: 80, enabled: true }] },
        true,
      ],
      [{ servers: [{ ...one, port: '80' }] }, { servers: [{ ...one, port: 81 }] }, false],
      [{ servers: [{ ...one, hostname: null, note: '', tags: [], info: {} }] }, { servers: [one] }, true],
      [{ servers: [{ ...one, tags: ['a'] }] }, { servers: [one] }, false],
      [{ addr: 'fd00:0:0::07' }, { addr: 'fd00::7' }, true],
      [{ addr: 'fd00:0:0::07' }, { addr: 'fd00::8' }, false],
      [{ addr: 'fd00::7' }, { addr: 'none' }, false],
      [{ users: [{ name: 'a', password: 'x' }] }, { users: [{ name: 'b', password: '<sensitive>' }] }, false],
      [{ note: '/api/pool/1' }, { note: '/api/pool/1' }, true],
      [{ pool_ref: '/api/pool/1' }, { pool_ref: url('pool', '1', '#web') }, true],
      [{ pool_ref: url('pool', '1') }, { pool_ref: '/api/pool/1' }, true],
      [{ pool_ref: '/api/pool/1' }, { pool_ref: url('pool', '2', '#web') }, false],
      [{ pool_ref: '/api/pool/1' }, { pool_ref: url('cloud', '1', '#web') }, false],
      [{ pool_ref: '/api/pool/1' }, { pool_ref: 'web' }, false],
      [{ pool_ref: '/api/pool?name=web' }, { pool_ref: url('pool', '1', '#web') }, true],
      [
        { pool_refs: ['/api/pool/?name=web', '/api/pool/2'] },
        { pool_refs: [url('pool', '2'), url('pool', '1', '#web')] },
        true,
      ],
      [{ pool_ref: '/api/pool?name=web' }, { pool_ref: url('pool', '1', '#api') }, false],
      [{ pool_ref: '/api/pool?name=web' }, { pool_ref: url('pool', '1') }, false],
      [{ pool_ref: '/api/pool?name=web' }, { pool_ref: url('cloud', '1', '#web') }, false],
    ];
    for (const [added, shown, isThere] of looks)
      it(`is ${isThere ? 'not ' : ''}sent again to add ${JSON.stringify(added)} to ${JSON.stringify(shown)}`, async () => {
        const [first, second] = [
          busy('PATCH', { when: { method: 'PATCH', first: 1 } }),
          busy('PATCH', { status: 200 }),
        ];
        behave({ faults: [first, second, shows(shown)] });
        const expected = [200, isThere ? 'PATCH 503, GET 200' : 'PATCH 503, GET 200, PATCH 200'];
        expect(await sent(patch(added))).to.deep.equal([...expected, undefined]);
        const [look] = lb1.simulated.requests.filter(({ method }) => method === 'GET');
        expect([look?.path, look?.query]).to.deep.equal([path, { include_name: '' }]);
      });

    const hidden: readonly (readonly [added: Mapping, shown: JsonObject])[] = [
      [{ users: [{ name: 'a', password: 'x' }] }, { users: [{ name: 'a', password: '<sensitive>' }] }],
      [{ users: [{ name: 'a', password: 'x' }] }, { users: [{ name: 'b' }, { name: 'a' }] }],
      [{ keys: ['x'] }, { keys: ['<sensitive>'] }],
      [{ servers: [{ ...one, hostname: null }] }, { servers: [{ ...one, hostname: 'lb1' }] }],
    ];
    for (const [added, shown] of hidden)
      it(`may have taken effect if it adds ${JSON.stringify(added)}, and ${JSON.stringify(shown)} is shown`, async () => {
        behave({ faults: [busy('PATCH'), shows(shown)] });
        expect(await sent(patch(added))).to.deep.equal([503, 'PATCH 503, GET 200', 'outcome unknown']);
      });

    it('is not sent again where a look shows nothing', async () => {
      for (const added of [
        { pool_ref: '/api/pool?name=web&cloud=edge' },
        { pool_ref: 'web' },
        { pools: [{ pool_refs: ['/api/pool/1', 'web'] }] },
      ]) {
        lb1.simulated.clearRequests();
        behave({ faults: [busy('PATCH')] });
        expect(await sent(patch(added)), JSON.stringify(added)).to.deep.equal([503, 'PATCH 503', 'outcome unknown']);
      }
      for (const body of [{ add: 5 }, { add: ['x'] }, 'add']) {
        lb1.simulated.clearRequests();
        const [, seen, hint] = await sent({ method: 'PATCH', path, body });
        expect([seen, hint], JSON.stringify(body)).to.deep.equal(['PATCH 503', 'outcome unknown']);
      }
    });

    it('means a name where the dialect shows names, and a uuid in all', async () => {
      const named = patch({ pool_ref: '/api/pool?name=web' });
      behave({ faults: [busy('PATCH'), shows({ pool_ref: url('pool', '1', '#web') })] });
      expect(await sent(named, false)).to.deep.equal([503, 'PATCH 503', 'outcome unknown']);
      lb1.simulated.clearRequests();
      expect(await sent(patch({ pool_ref: '/api/pool/1' }), false)).to.deep.equal([
        200,
        'PATCH 503, GET 200',
        undefined,
      ]);
      expect(lb1.simulated.requests.at(-1)?.query).to.deep.equal({});
    });

    it('has taken effect after a lost answer if a look shows it, and is not sent again', async () => {
      const lost: Fault = { type: 'drop', when: { method: 'PATCH' } };
      behave({ faults: [lost, shows({ servers: [one] })] });
      expect((await sent(patch({ servers: [one] })))[0]).to.equal(200);
      for (const look of [shows({ servers: [] }), shows('no'), shows({}, 404), { ...lost, when: { method: 'GET' } }]) {
        lb1.simulated.clearRequests();
        behave({ faults: [lost, look] });
        const error = await errorOf(sent(patch({ servers: [one] })));
        expect([error.method, error.uncertain]).to.deep.equal(['PATCH', true]);
        expect(lb1.simulated.requests.filter(({ method }) => method === 'PATCH')).to.have.length(1);
      }
    });

    it('has taken effect after the answer of a gateway if a look shows it, and is not sent again', async () => {
      for (const status of [408, 502, 504])
        for (const [servers, end] of [
          [[one], 200],
          [[], status],
        ] as const) {
          lb1.simulated.clearRequests();
          behave({ faults: [busy('PATCH', { status }), shows({ servers })] });
          const [last, seen] = await sent(patch({ servers: [one] }));
          expect([last, seen]).to.deep.equal([end, `PATCH ${status}, GET 200`]);
        }
    });

    it('is over if the object cannot be read', async () => {
      for (const [shown, status] of [
        [{ servers: [one] }, 404],
        [[one], 200],
        ['no', 200],
      ] as const) {
        lb1.simulated.clearRequests();
        behave({ faults: [busy('PATCH'), shows(shown, status)] });
        const [last, seen] = await sent(patch({ servers: [one] }));
        expect([last, seen]).to.deep.equal([503, `PATCH 503, GET ${status}`]);
      }
    });

    it('is sent again as it is if it adds nothing, and once to what is no object', async () => {
      behave({
        faults: [busy('PATCH', { when: { method: 'PATCH', first: 2 } }), busy('PATCH', { status: 200, body: {} })],
      });
      expect(await sent({ method: 'PATCH', path, body: { replace: { a: 1 } } })).to.deep.equal([
        200,
        'PATCH 503, PATCH 503, PATCH 200',
        undefined,
      ]);
      for (const collection of ['/api/pool', '/api/pool?x=y']) {
        lb1.simulated.clearRequests();
        behave({ faults: [busy('PATCH')] });
        expect(await sent({ method: 'PATCH', path: collection, body: { replace: { a: 1 } } })).to.deep.equal([
          503,
          'PATCH 503',
          'outcome unknown',
        ]);
      }
    });
  });

  for (const [method, says, expected] of [
    ['POST', 'not ready', [201, 'POST 503, POST 201', undefined]],
    ['POST', 'busy', [503, 'POST 503', 'outcome unknown']],
    ['PUT', 'busy', [201, 'PUT 503, PUT 201', undefined]],
  ] as const)
    it(`is ${expected[0] === 201 ? '' : 'not '}sent again if it is ${method} and the answer is "${says}"`, async () => {
      const first = busy(method, { body: says, when: { method, first: 1 } });
      behave({ faults: [first, busy(method, { status: 201 })] });
      expect(await sent({ method, path: '/api/run', body: {} })).to.deep.equal(expected);
    });

  describe('that deletes', () => {
    const path = '/api/pool/pool-1';
    const remove: RawRequest = { method: 'DELETE', path };
    beforeEach(() => {
      lb1.simulated.setObjects('/api/pool/', [{ uuid: 'pool-1' }, { uuid: 'pool-2' }]);
    });

    it('is done if the object is gone after a lost answer', async () => {
      behave({ faults: [{ type: 'drop', applied: true, when: { method: 'DELETE', first: 1 } }] });
      expect(await lb1.session.request(remove)).to.include({ status: 204, body: '' });
      expect(wire()).to.deep.equal(['DELETE lost', 'DELETE 404']);
      expect(lb1.simulated.objects('/api/pool/')).to.deep.equal([{ uuid: 'pool-2' }]);
    });

    it('is answered as it was if the object was never there', async () => {
      expect(await lb1.session.request({ ...remove, path: '/api/pool/pool-7' })).to.include({ status: 404 });
      behave({ faults: [{ type: 'drop', when: { method: 'DELETE', first: 1 } }] });
      expect(await lb1.session.request(remove)).to.include({ status: 204 });
      expect(wire()).to.deep.equal(['DELETE 404', 'DELETE lost', 'DELETE 204']);
    });
  });

  describe('that creates a named object', () => {
    const post: RawRequest = {
      method: 'POST',
      path: '/api/pool',
      body: { name: 'web' },
      creates: { name: 'web' },
    };
    const raw: RawRequest = { ...post, path: '/api/pool/' };
    const found = (): string => wire().join(', ');
    beforeEach(() => {
      lb1.simulated.setObjects('/api/pool/', []);
    });

    it('is answered with the object that is there after a lost answer', async () => {
      behave({ faults: [{ type: 'drop', applied: true, when: { method: 'POST' } }] });
      const { status, body } = await lb1.session.request(raw);
      expect([status, (body as Mapping)['name'], found()]).to.deep.equal([201, 'web', 'POST lost, GET 200, GET 200']);
      expect(lb1.simulated.objects('/api/pool/')).to.have.length(1);
    });

    it('is sent again if it is not there', async () => {
      behave({ faults: [busy('POST', { when: { method: 'POST', first: 1 } })] });
      expect((await lb1.session.request(raw)).status).to.equal(201);
      expect(found()).to.equal('POST 503, GET 200, GET 200, POST 201');
    });

    it('is answered as it was at last', async () => {
      behave({ faults: [busy('POST', { status: 429 })] });
      const refused = await lb1.session.request(raw);
      expect(refused).to.deep.include({ status: 429, body: 'busy' }).and.not.have.property('outcomeUnknown');
      expect(wire().filter((line) => line.startsWith('POST'))).to.have.length(4);
      lb1.simulated.clearRequests();
      behave({ faults: [busy('POST', { status: 422 })] });
      expect((await lb1.session.request(raw)).status).to.equal(422);
      expect(found()).to.equal('POST 422');
      lb1.simulated.clearRequests();
      behave({ faults: [{ type: 'drop', when: { method: 'POST' } }] });
      const error = await errorOf(lb1.session.request(raw));
      expect(error.message).to.match(/^POST \/api\/pool\/: .* broke .*; it may have taken effect$/);
      expect(found()).to.equal('POST lost, GET 200, GET 200, POST lost, GET 200, GET 200');
    });

    it('may have taken effect if the request before it was lost, whatever refuses it', async () => {
      const lost: Fault = { type: 'drop', when: { method: 'POST', first: 1 } };
      for (const status of [400, 403, 409, 422, 429, 503]) {
        lb1.simulated.clearRequests();
        behave({ faults: [lost, busy('POST', { status })] });
        const { uncertain, outcomeUnknown, ...end } = await lb1.session.request(raw);
        expect([end.status, uncertain, outcomeUnknown]).to.deep.equal([status, true, true]);
        expect(found(), 'it is looked for again').to.match(
          new RegExp(`^POST lost, GET 200, GET 200, (POST ${status}, GET 200, GET 200(, )?)+$`),
        );
      }
    });

    it('is there if the request before it was lost, and took effect before it was refused', async () => {
      const unseen = [1, 2].map((nth): Fault => ({
        ...shows({ count: 0, results: [] }),
        when: { method: 'GET', nth },
      }));
      behave({
        faults: [
          { type: 'drop', applied: true, when: { method: 'POST', first: 1 } },
          ...unseen,
          busy('POST', { status: 409 }),
        ],
      });
      expect((await lb1.session.request(raw)).status).to.equal(201);
      expect(found()).to.equal('POST lost, GET 200, GET 200, POST 409, GET 200, GET 200');
    });

    it('is settled after 503 if a look shows that it is not there, and not if nothing shows it', async () => {
      behave({ faults: [busy('POST')] });
      expect(await lb1.session.request(raw))
        .to.include({ status: 503 })
        .and.not.have.property('outcomeUnknown');
      behave({ faults: [busy('POST'), shows({}, 500)] });
      expect(await lb1.session.request(raw)).to.include({ status: 503, outcomeUnknown: true });
    });

    it('is looked for in its collection, however that is written', async () => {
      behave({
        faults: [busy('POST', { when: { method: 'POST', first: 1 } }), busy('POST', { status: 201, body: {} })],
      });
      expect((await lb1.session.request(post)).status).to.equal(201);
      expect(lb1.simulated.requests.map(({ path, query }) => [path, query])).to.deep.equal([
        ['/api/pool', {}],
        ['/api/pool/', { name: 'web' }],
        ['/api/pool/', { name: 'web' }],
        ['/api/pool', {}],
      ]);
    });

    it('is sent once without patience', async () => {
      behave({ faults: [busy('POST')] });
      const impatient = lb1.open(lb1.settings({ patience: 0 }));
      expect((await impatient.request(raw)).status).to.equal(503);
      expect(found()).to.equal('POST 503');
    });
  });
});

describe('a task that a controller names', () => {
  const lb1 = new OneController();
  const { behave, wire } = lb1;
  const accepted = (body: Value, headers: Record<string, string> = {}): Fault => ({
    type: 'answer',
    status: 202,
    body,
    headers,
    when: { method: 'POST' },
  });
  const task = (body: Value, status = 200): Fault => ({ type: 'answer', status, body, when: { method: 'GET' } });
  const post = (more: Partial<RawRequest> = {}) =>
    lb1.session.request({ method: 'POST', path: '/api/run', body: {}, ...more });
  const asked = (): readonly string[] => lb1.simulated.requests.map(({ path }) => path);

  for (const [what, body, location, path] of [
    ['its location', {}, '/api/task/1', '/api/task/1'],
    ['a whole address', { task_ref: 'URL/api/task/2#name' }, undefined, '/api/task/2'],
    ['task_url', { task_url: '/api/task/3#x' }, undefined, '/api/task/3'],
    ['its location before its body', { task_ref: '/api/task/4' }, '/api/task/5', '/api/task/5'],
    ['task_ref before task', { task: '/api/task/6', task_ref: '/api/task/7' }, undefined, '/api/task/7'],
    ['the first that is an address', { task_ref: 'name', task: '/api/task/8' }, 'elsewhere', '/api/task/8'],
    ['no other controller', { task_ref: 'https://elsewhere.invalid/api/task/9' }, undefined, undefined],
    ['no other controller that begins the same', { task_ref: 'URL0/api/task/9' }, undefined, undefined],
    ['no text', { task: 5, task_ref: { uuid: '/x' } }, undefined, undefined],
    ['no list', ['/api/task/10'], undefined, undefined],
  ] as const)
    it(`is known by ${what}`, async () => {
      const own = JSON.parse(JSON.stringify(body).replaceAll('URL', lb1.url)) as Value;
      const headers = location === undefined ? {} : { location };
      behave({ faults: [accepted(own, headers), task({ state: 'COMPLETED' })] });
      const answer = await post();
      expect([answer.status, answer.pending]).to.deep.equal([202, undefined]);
      expect(asked()).to.deep.equal(['/api/run', ...(path === undefined ? [] : [path])]);
    });

  const states: readonly (readonly [body: Value, status: number, end: 'over' | 'goes on' | 'failed'])[] = [
    [{ state: 'COMPLETED' }, 200, 'over'],
    [{ state: 'INCOMPLETE' }, 200, 'goes on'],
    [{ state: 'RUNNING' }, 200, 'goes on'],
    [{ status: 'Success' }, 200, 'over'],
    [{ status: 'SUCCEEDED' }, 200, 'over'],
    [{ state: { state: 'DONE' } }, 200, 'over'],
    [{ state: { status: 'Finished' } }, 200, 'over'],
    [{ state: 'QUEUED', status: 'DONE' }, 200, 'goes on'],
    [{ state: null, status: 'DONE' }, 200, 'over'],
    [{ state: 5 }, 200, 'over'],
    [{}, 200, 'over'],
    [[], 200, 'over'],
    ['text', 200, 'over'],
    [{ state: 'RUNNING' }, 404, 'over'],
    [{ state: 'FAILED' }, 501, 'over'],
    [{ state: 'FAILED' }, 500, 'goes on'],
    [{ state: 'RUNNING' }, 202, 'goes on'],
    [{ state: 'FAILED', error: 'no space' }, 200, 'failed'],
    [{ state: 'COMPLETED_WITH_ERRORS', error: 'no space' }, 200, 'failed'],
    [{ state: 'aborted', error: 'no space' }, 200, 'failed'],
    [{ status: 'CANCELLED', error: 'no space' }, 200, 'failed'],
  ];
  for (const [body, status, end] of states)
    it(`${end === 'failed' ? 'has failed' : end === 'over' ? 'is over' : 'goes on'} at ${status} ${JSON.stringify(body)}`, async () => {
      behave({ faults: [accepted({ task: '/api/task/1' }), task(body, status)] });
      if (end === 'failed')
        expect(await errorOf(post())).to.include({
          message: 'POST /api/run: the controller accepted the request (202), but its task failed: no space',
          status: 202,
          uncertain: true,
        });
      else expect((await post()).pending).to.equal(end === 'over' ? undefined : '/api/task/1');
      expect(wire().length).to.equal(end === 'goes on' ? 5 : 2);
    });

  it('is not followed where 202 is an answer, or after a read', async () => {
    behave({ faults: [accepted({ task: '/api/task/1' }), task({ task: '/api/task/1' }, 202)] });
    expect((await post({ accepts: true })).pending).to.equal(undefined);
    expect((await post({ method: 'GET', body: undefined })).pending).to.equal(undefined);
    expect(asked()).to.deep.equal(['/api/run', '/api/run']);
  });

  it('goes on if the controller cannot be asked any more', async () => {
    behave({ faults: [accepted({ task: '/api/task/1' }), { type: 'drop', when: { method: 'GET' } }] });
    expect((await post()).pending).to.equal('/api/task/1');
  });
});
