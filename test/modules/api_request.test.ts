import { expect } from 'chai';
import apiRequest from '../../modules/api_request.js';
import type { RawAnswer, RawRequest } from '../../src/module/contract.js';
import { act } from '../rig/action_context.js';

const answering = (answer: RawAnswer, seen: RawRequest[] = []) => ({
  answer: (request: RawRequest): RawAnswer => {
    seen.push(request);
    return answer;
  },
});

describe('api_request', () => {
  it('reads: ok, with the parsed answer', async () => {
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
    expect(seen).to.deep.equal([{ method: 'GET', path: '/api/cloud/', query: { name: 'a b', page: '2' } }]);
  });

  it('gives text that is no JSON as content', async () => {
    const result = await act(apiRequest, { path: '/api/x' }, answering({ status: 200, body: 'plain' }));
    expect(result.values).to.deep.equal({ status: 200, content: 'plain' });
  });

  it('writes: changed', async () => {
    const seen: RawRequest[] = [];
    const args = { path: '/api/cloud/', method: 'POST', body: { name: 'a' } };
    const result = await act(apiRequest, args, answering({ status: 201, body: { uuid: 'u' } }, seen));
    expect(result).to.deep.equal({
      status: 'changed',
      message: 'POST /api/cloud/ answered 201',
      values: { status: 201, json: { uuid: 'u' } },
      change: { kind: 'invoke', object: 'POST /api/cloud/', before: null, after: null },
    });
    expect(seen).to.deep.equal([{ method: 'POST', path: '/api/cloud/', body: { name: 'a' } }]);
  });

  it('fails on a status that was not expected, with the reason that the controller gives', async () => {
    const missing = answering({ status: 404, body: { error: 'no such thing' }, says: 'no such thing' });
    expect(await act(apiRequest, { path: '/api/x' }, missing)).to.deep.equal({
      status: 'failed',
      message: 'GET /api/x answered 404, not a success: no such thing',
      values: { status: 404, json: { error: 'no such thing' } },
    });
    expect(await act(apiRequest, { path: '/api/x', status_code: [200, 204] }, missing)).to.have.property(
      'message',
      'GET /api/x answered 404, not 200 or 204 as expected: no such thing',
    );
  });

  it('is content with a status that was expected', async () => {
    const missing = answering({ status: 404, body: null });
    expect(await act(apiRequest, { path: '/api/x', status_code: 404 }, missing)).to.have.property('status', 'ok');
    expect(await act(apiRequest, { path: '/api/x', status_code: [200, 404] }, missing)).to.have.property(
      'status',
      'ok',
    );
  });

  it('runs in check mode only if it reads', () => {
    const check = apiRequest.type === 'action' && apiRequest.check;
    const runs = (method: string): boolean => typeof check === 'function' && check({ path: '/api/x', method });
    expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(runs)).to.deep.equal(['GET', 'HEAD']);
  });
});
