import { expect } from 'chai';
import { ControllerError, StaleObjectError, type ErrorDetails } from '../../../src/controller/exchange/call.js';
import { endOfAnswer, endOfError, outcomeOfAnswer } from '../../../src/engine/journal/write_recorder.js';
import { TaskProblem } from '../../../src/engine/keywords/failed_result.js';

function broken(method: string, details: ErrorDetails): ControllerError {
  return new ControllerError({ method, path: '/api/cloud/' }, 'no', details);
}

describe('what an error says about a write', () => {
  const cases: readonly (readonly [string, unknown, string, string])[] = [
    ['the controller said no', broken('POST', { status: 400 }), 'POST', 'refused'],
    [
      'someone else changed the object first',
      new StaleObjectError({ method: 'PUT', path: '/', repeatable: true }, false),
      'PUT',
      'refused',
    ],
    [
      'an earlier attempt may be what made it stale',
      new StaleObjectError({ method: 'PUT', path: '/', repeatable: true }, true),
      'PUT',
      'unknown',
    ],
    ['the reply was lost', broken('PUT', { outcome: 'unreachable', uncertain: true }), 'PUT', 'unknown'],
    ['connection refused', broken('PUT', { outcome: 'unreachable', temporary: true }), 'PUT', 'refused'],
    ['connection refused to a create', broken('POST', { outcome: 'unreachable', temporary: true }), 'POST', 'refused'],
    ['the controller failed with 500', broken('PUT', { status: 500 }), 'PUT', 'unknown, answered'],
    ['failed with 500, after a reply was lost', broken('PUT', { status: 500, uncertain: true }), 'PUT', 'unknown'],
    ['an answer that is not JSON', broken('PUT', { status: 200, uncertain: true }), 'PUT', 'unknown, answered'],
    ['the controller timed out', broken('PUT', { status: 408 }), 'PUT', 'unknown'],
    ['a redirect', broken('PUT', { status: 302 }), 'PUT', 'unknown, answered'],
    ['the read that should have resolved it failed', broken('GET', { status: 403 }), 'POST', 'unknown'],
    ['its deadline had passed before it was sent', new TaskProblem('late'), 'PUT', 'refused'],
    ['an unexpected error', new Error('what?'), 'PUT', 'unknown'],
  ];
  for (const [what, error, method, expected] of cases)
    it(`${what}: ${expected}`, () => {
      const { outcome, answered } = endOfError(error, method);
      expect(answered === true ? `${outcome}, answered` : outcome).to.equal(expected);
    });

  it('is over if the controller itself answered, whatever it did', () => {
    const ended = (status: number) => endOfAnswer(outcomeOfAnswer({ status, body: null }), status);
    expect(ended(500)).to.deep.equal({ outcome: 'unknown', answered: true });
    for (const status of [408, 502, 503, 504]) expect(ended(status)).to.deep.equal({ outcome: 'unknown' });
    expect([ended(200), ended(400)]).to.deep.equal([{ outcome: 'applied' }, { outcome: 'refused' }]);
  });

  it('depends only on the status of an answer to the only attempt', () => {
    const outcomes = [200, 204, 302, 400, 404, 408, 500, 503].map((status) => outcomeOfAnswer({ status, body: null }));
    expect(outcomes).to.deep.equal([
      'applied',
      'applied',
      'applied',
      'refused',
      'refused',
      'unknown',
      'unknown',
      'unknown',
    ]);
  });
});
