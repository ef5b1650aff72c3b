import { expect } from 'chai';
import apiRequest from '../../modules/api_request.js';
import type { RawAnswer, RawRequest } from '../../src/module/contract.js';
import { act } from '../rig/action_context.js';
import { mistakes, playOf } from '../rig/loaded.js';
import { runText } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const answering = (answer: RawAnswer, seen: RawRequest[] = []) => ({
  answer: (request: RawRequest): RawAnswer => {
    seen.push(request);
    return answer;
  },
});

describe('api_request', () => {
  it('is ok for a read, and returns the parsed answer', async () => {
    const seen: RawRequest[] = [];
    const body = { count: 0, results: [] };
    const result = await act(
      apiRequest,
      { path: '/api/cloud/', query: { name: 'a b', page: 2 } },
      answering({ status: 200, body }, seen),
    );
    expect(result).to.deep.equal({
      status: 'ok',
      message: 'GET /api/cloud/ answered 200',
      values: { status: 200, json: body },
    });
    expect(seen).to.deep.equal([
      { method: 'GET', path: '/api/cloud/', query: { name: 'a b', page: '2' }, accepts: false, creates: undefined },
    ]);
  });

  it('returns text that is not JSON as content', async () => {
    const result = await act(apiRequest, { path: '/api/x' }, answering({ status: 200, body: 'plain' }));
    expect(result.values).to.deep.equal({ status: 200, content: 'plain' });
  });

  it('is changed for a write', async () => {
    const seen: RawRequest[] = [];
    const args = { path: '/api/cloud/', method: 'POST', body: { name: 'a' } };
    const result = await act(apiRequest, args, answering({ status: 201, body: { uuid: 'u' } }, seen));
    expect(result).to.deep.equal({
      status: 'changed',
      message: 'POST /api/cloud/ answered 201',
      values: { status: 201, json: { uuid: 'u' } },
      change: { kind: 'invoke', object: 'POST /api/cloud/', before: null, after: null },
    });
    const creates = { name: 'a', scope: undefined };
    expect(seen).to.deep.equal([{ method: 'POST', path: '/api/cloud/', body: { name: 'a' }, accepts: false, creates }]);
  });

  it('fails on an unexpected status, with the reason from the controller', async () => {
    const missing = answering({ status: 404, body: { error: 'no such thing' }, says: 'no such thing' });
    expect(await act(apiRequest, { path: '/api/x' }, missing)).to.deep.equal({
      status: 'failed',
      message: 'GET /api/x answered 404, not a success: no such thing',
      hint: undefined,
      values: { status: 404, json: { error: 'no such thing' } },
    });
    expect(await act(apiRequest, { path: '/api/x', status_code: [200, 204] }, missing)).to.have.property(
      'message',
      'GET /api/x answered 404, not 200 or 204 as expected: no such thing',
    );
  });

  it('accepts an expected status', async () => {
    const missing = answering({ status: 404, body: null });
    expect(await act(apiRequest, { path: '/api/x', status_code: 404 }, missing)).to.have.property('status', 'ok');
    expect(await act(apiRequest, { path: '/api/x', status_code: [200, 404] }, missing)).to.have.property(
      'status',
      'ok',
    );
  });

  it('succeeds with 200 to 299, unless it expects others, and waits for no task where it expects 202', async () => {
    const seen: RawRequest[] = [];
    const ask = async (status: number, args: object = {}) =>
      (await act(apiRequest, { path: '/api/x', ...args }, answering({ status, body: null }, seen))).message;
    expect([await ask(199), await ask(200), await ask(299), await ask(300)]).to.deep.equal([
      'GET /api/x answered 199, not a success',
      'GET /api/x answered 200',
      'GET /api/x answered 299',
      'GET /api/x answered 300, not a success',
    ]);
    expect([await ask(200, { status_code: 202 }), await ask(202, { status_code: [200, 202] })]).to.deep.equal([
      'GET /api/x answered 200, not 202 as expected',
      'GET /api/x answered 202',
    ]);
    await ask(200, { status_code: [200, 204] });
    expect(seen.map(({ accepts }) => accepts)).to.deep.equal([false, false, false, false, true, true, false]);
  });

  it('is failed by an error in an answer, whatever is expected, and shows the hint', async () => {
    const answer = { status: 200, body: 'no', says: 'not licensed', denied: true, hint: 'buy one' };
    const args = { path: '/api/x', method: 'PUT', status_code: 200, body: { a: 1 } };
    expect(await act(apiRequest, args, answering(answer))).to.deep.equal({
      status: 'failed',
      message: 'PUT /api/x answered 200 with an error: not licensed',
      hint: 'buy one',
      values: { status: 200, content: 'no' },
    });
    expect(await act(apiRequest, args, answering({ status: 500, body: null, hint: 'wait' }))).to.deep.equal({
      status: 'failed',
      message: 'PUT /api/x answered 500, not 200 as expected',
      hint: 'wait',
      values: { status: 500, json: null },
    });
  });

  it('names the task that was still running', async () => {
    const answer = { status: 202, body: {}, pending: '/api/task/t-1' };
    expect(await act(apiRequest, { path: '/api/x', method: 'DELETE' }, answering(answer))).to.deep.equal({
      status: 'changed',
      message:
        'DELETE /api/x answered 202, and was still working on it at the end of controller_patience: /api/task/t-1',
      values: { status: 202, json: {}, pending: '/api/task/t-1' },
      change: { kind: 'invoke', object: 'DELETE /api/x', before: null, after: null },
    });
  });

  it('knows what it creates, and in which tenant, unless it has parameters', async () => {
    const seen: RawRequest[] = [];
    const args = { path: '/api/pool', method: 'POST', tenant: 'blue', body: { name: 'a' } };
    await act(apiRequest, args, answering({ status: 201, body: null }, seen));
    await act(apiRequest, { ...args, query: { on: true } }, answering({ status: 201, body: null }, seen));
    await act(apiRequest, { ...args, method: 'GET' }, answering({ status: 200, body: null }, seen));
    const shown = seen.map(({ query, creates }) => [query, creates?.name, creates?.scope?.ownOnly]);
    expect(shown).to.deep.equal([
      [undefined, 'a', true],
      [{ on: 'true' }, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it('runs in check mode only if it reads', () => {
    const check = apiRequest.type === 'action' && apiRequest.check;
    const runs = (method: string): boolean => typeof check === 'function' && check({ path: '/api/x', method });
    expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(runs)).to.deep.equal(['GET', 'HEAD']);
  });
});

describe('the body of api_request', () => {
  let fleet: Fleet;
  before(async () => {
    fleet = await startFleet();
  });
  after(() => fleet.dispose());

  /** The body that the controller received, and the message of the task. */
  async function sent(body: string, vars = '{}') {
    const { requests } = fleet.controller('lb1');
    const before = requests.length;
    const playbook = `- hosts: all\n  vars: ${vars}\n  tasks: [{ api_request: { path: /api/x, method: POST, body: ${body} } }]\n`;
    const { tasks, secrets } = await runText(playbook, { inventory: fleet.inventory });
    const bodies = requests.slice(before).map((request) => request.body);
    return { bodies, message: tasks[0]?.message, hint: tasks[0]?.hint, secrets };
  }

  for (const [title, body, expected] of [
    ['a mapping', '{ a: 1 }', '{"a":1}'],
    ['text that is JSON, as in Ansible', `'{"a": 1}'`, '{"a":1}'],
    ['the output of to_json', '"{{ obj | to_json }}"', '{"a":[true,null,"x"]}'],
    ['what to_nice_json wrote', '"{{ obj | to_nice_json }}"', '{"a":[true,null,"x"]}'],
    ['JSON around templates', `'{"a": {{ obj.a | to_json }}, "b": "{{ obj.a[2] }}"}'`, '{"a":[true,null,"x"],"b":"x"}'],
    ['a list', `'[1, "2"]'`, '[1,"2"]'],
    ['a large whole number', `'{"a": [12345678901234567890]}'`, '{"a":[12345678901234567890]}'],
    ['null: none', 'null', ''],
  ] as const) {
    it(`can be ${title}`, async () => {
      const { bodies } = await sent(body, '{ obj: { a: [true, null, x] } }');
      expect(bodies).to.deep.equal([expected]);
    });
  }

  it('is not sent if it is text that is not JSON, or has a number that is too large', async () => {
    const vars = `{ plain: hello, open: '{"a": 1', long: '{"a": [1e400]}' }`;
    expect(await sent('"{{ plain }}"', vars)).to.deep.include({
      bodies: [],
      message: '"body" must be a mapping, a list or null, not "hello"',
    });
    expect(await sent('"{{ open }}"', vars)).to.deep.include({
      bodies: [],
      hint: 'the text is not valid JSON; "open" is set in site.yml:2:31',
    });
    expect(await sent('"{{ long }}"', vars)).to.deep.include({
      bodies: [],
      hint: 'the number at "a[0]" is too large; "long" is set in site.yml:2:48',
    });
    expect(await mistakes(playOf('- api_request: { path: /api/x, method: POST, body: hello }'))).to.deep.equal([
      'site.yml:3:56 "body" must be a mapping, a list or null, not "hello"',
    ]);
  });

  it('is sealed under secret names', async () => {
    const { secrets, bodies } = await sent(`'{"username": "x", "password": "hunter22pw"}'`);
    expect(bodies).to.deep.equal(['{"username":"x","password":"hunter22pw"}']);
    expect(secrets.mask('it is hunter22pw')).to.equal('it is ********');
  });
});
