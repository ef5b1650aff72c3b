import { expect } from 'chai';
import waitUntil from '../../modules/wait_until.js';
import type { Mapping, RawAnswer, RawRequest } from '../../src/module/contract.js';
import { act } from '../rig/action_context.js';

const READY = { path: '/api/cloud/x/status', field: 'state', value: 'READY', interval: 2, timeout: 2 };
const DONE: RawAnswer = { status: 200, body: { state: 'READY' } };

/** What comes of one answer, if the next is as wanted. */
async function ends(answer: RawAnswer, args: Mapping = {}) {
  const answers = [answer, DONE];
  const { status, message, ...others } = await act(
    waitUntil,
    { ...READY, ...args },
    {
      answer: () => answers.shift() ?? DONE,
    },
  );
  return [status, message, ...('hint' in others ? [others.hint] : [])];
}

describe('an answer to wait_until', () => {
  for (const status of [408, 429, 502, 503, 504])
    it(`with the status ${status} ends the wait, unless it waits for an unavailable controller`, async () => {
      const answer = { status, body: null, says: 'later', hint: 'look at it' };
      const message = `the controller answered ${status}, not 200: later`;
      expect(await ends(answer)).to.deep.equal(['failed', message, 'look at it']);
      expect(await ends(answer, { unavailable: 'wait' })).to.deep.equal(['ok', 'state is READY']);
    });

  const others: readonly (readonly [
    title: string,
    answer: RawAnswer,
    args: Mapping,
    ...expected: readonly unknown[],
  ])[] = [
    [
      'that is 500',
      { status: 500, body: null },
      { unavailable: 'wait' },
      'failed',
      'the controller answered 500, not 200',
      undefined,
    ],
    ['that is 202', { status: 202, body: null }, {}, 'ok', 'state is READY'],
    [
      'with an error',
      { status: 200, body: null, denied: true, says: 'no' },
      {},
      'failed',
      'the controller answered 200 with an error: no',
      undefined,
    ],
    [
      'with an error, for now',
      { status: 200, body: null, denied: true, says: 'no' },
      { unavailable: 'wait' },
      'ok',
      'state is READY',
    ],
    [
      'that is refused for good',
      { status: 503, body: null, denied: false },
      { unavailable: 'wait' },
      'failed',
      'the controller answered 503, not 200',
      undefined,
    ],
    [
      'during an upgrade',
      { status: 403, body: null, says: 'Disallowed during system UPGRADE' },
      { unavailable: 'wait' },
      'ok',
      'state is READY',
    ],
    [
      'during an upgrade, without patience',
      { status: 403, body: null, says: 'upgrade is in progress' },
      {},
      'failed',
      'the controller answered 403, not 200: upgrade is in progress',
      undefined,
    ],
    [
      'that is refused for good, whatever it says of upgrades,',
      { status: 403, body: null, says: 'the role may not upgrade' },
      { unavailable: 'wait' },
      'failed',
      'the controller answered 403, not 200: the role may not upgrade',
      undefined,
    ],
    [
      'that is no object',
      { status: 200, body: [] },
      { timeout: 0 },
      'failed',
      'gave up after 0 s: there is no object named ""',
    ],
    [
      'of another status than that of a success',
      { status: 404, body: null },
      { status: 404, field: null, value: null },
      'ok',
      'answered 404',
    ],
    [
      'of no success yet',
      { status: 500, body: null },
      { status: 404, field: null, value: null, timeout: 0 },
      'failed',
      'gave up after 0 s: the controller answered 500, not 404',
    ],
  ];
  for (const [title, answer, args, ...expected] of others)
    it(`${title} is judged`, async () => {
      expect(await ends(answer, args)).to.deep.equal(expected);
    });

  it('is asked for with the name beside the query, and has the object', async () => {
    const seen: RawRequest[] = [];
    const one = { uuid: 'p-1', name: 'web', state: 'READY' };
    const result = await act(
      waitUntil,
      { kind: 'pool', name: 'web', query: { page: 2, on: true }, field: 'state' },
      {
        answer: (request) => {
          seen.push(request);
          return { status: 200, body: { results: [{ name: 'web2', state: 'x' }, one] } };
        },
      },
    );
    expect(seen).to.deep.equal([{ method: 'GET', path: '/api/pool/', query: { name: 'web', page: '2', on: 'true' } }]);
    expect(result.status === 'ok' && { ...result, values: { ...result.values, elapsed: 0 } }).to.deep.equal({
      status: 'ok',
      message: 'state is READY',
      values: { object: one, value: 'READY', attempts: 1, elapsed: 0 },
    });
  });

  it('is asked for as often as the time limit allows, at its exact edge, and the last value is shown', async () => {
    const [slept, waited]: [number[], string[]] = [[], []];
    const answers: RawAnswer[] = [
      { status: 200, body: { state: 'BUSY' } },
      { status: 503, body: null },
    ];
    const args = { ...READY, unavailable: 'wait', interval: 2, timeout: 6 };
    const answer = () => answers.shift() ?? { status: 502, body: null };
    expect(await act(waitUntil, args, { answer, slept, waited })).to.deep.include({
      status: 'failed',
      message: 'gave up after 6 s: the controller answered 502, not 200; before: state is BUSY, not READY',
    });
    expect(slept).to.deep.equal([2, 2, 2]);
    expect(waited).to.deep.equal([
      'state is BUSY, not READY',
      'the controller answered 503, not 200; before: state is BUSY, not READY',
      'the controller answered 502, not 200; before: state is BUSY, not READY',
    ]);
  });
});
