import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RateLimit } from '../../../src/simulator/behaviour/behaviour.js';
import {
  deliveredStatus,
  honest,
  misbehave,
  type DeliveredReply,
  type Delivery,
} from '../../../src/simulator/behaviour/delivery.js';
import {
  FAULT_TYPES,
  FaultPicker,
  isCircumstance,
  type BrokenAnswer,
  type Fault,
  type When,
} from '../../../src/simulator/behaviour/fault.js';
import type { SimulatedAnswer } from '../../../src/simulator/protocol/exchange.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const REPLY: DeliveredReply = { type: 'reply', status: 201, text: '{"a":1}', headers: { ...JSON_TYPE, etag: 'x' } };

describe('what is delivered for a request', () => {
  it('is the answer, with the type of its body if it has one', () => {
    expect(honest({ status: 201, headers: { etag: 'x' }, body: { a: 1 } })).to.deep.equal(REPLY);
    expect(honest({ status: 200, headers: { 'content-type': 'text/plain' }, body: null })).to.deep.equal({
      type: 'reply',
      status: 200,
      text: 'null',
      headers: { 'content-type': 'text/plain' },
    });
    expect(honest({ status: 204, headers: { allow: 'GET' }, body: undefined })).to.deep.equal({
      type: 'reply',
      status: 204,
      text: '',
      headers: { allow: 'GET' },
    });
  });

  const own: DeliveredReply = { type: 'reply', status: 502, text: 'no', headers: { 'content-type': 'text/plain' } };
  /** With how often the request takes effect. */
  const table: readonly (readonly [fault: BrokenAnswer, delivery: Delivery, times: number])[] = [
    [{ type: 'answer', status: 502, body: 'no' }, own, 0],
    [{ type: 'answer', status: 502, body: 'no', applied: false }, own, 0],
    [{ type: 'answer', status: 502, body: 'no', applied: true }, own, 1],
    [
      { type: 'answer', status: 418 },
      { ...own, status: 418, text: '{"error":"Configured to answer 418."}', headers: JSON_TYPE },
      0,
    ],
    [
      { type: 'answer', status: 200, body: [1], headers: { 'content-type': 'x/y', allow: 'GET' } },
      { ...own, status: 200, text: '[1]', headers: { 'content-type': 'x/y', allow: 'GET' } },
      0,
    ],
    [
      { type: 'answer', status: 200, body: '', headers: { 'content-type': 'x/y' } },
      { ...own, status: 200, text: '', headers: { 'content-type': 'x/y' } },
      0,
    ],
    [{ type: 'drop' }, { type: 'close' }, 0],
    [{ type: 'drop', applied: true }, { type: 'close' }, 1],
    [{ type: 'hang' }, { type: 'silence' }, 0],
    [{ type: 'hang', applied: true }, { type: 'silence' }, 1],
    [{ type: 'cut' }, { type: 'cut', reply: REPLY }, 1],
    [{ type: 'trickle', milliseconds: 7 }, { type: 'trickle', reply: REPLY, milliseconds: 7, part: 'body' }, 1],
    [
      { type: 'trickle', milliseconds: 9, part: 'headers' },
      { type: 'trickle', reply: REPLY, milliseconds: 9, part: 'headers' },
      1,
    ],
    [{ type: 'endless', part: 'headers' }, { type: 'endless', part: 'headers' }, 0],
    [{ type: 'endless', part: 'body', applied: true }, { type: 'endless', part: 'body' }, 1],
    [{ type: 'length', by: -3 }, { type: 'length', reply: REPLY, by: -3 }, 1],
    [
      { type: 'redirect' },
      { ...own, status: 302, text: '', headers: { location: 'https://elsewhere.invalid/login' } },
      0,
    ],
    [{ type: 'redirect', to: '/x', status: 308 }, { ...own, status: 308, text: '', headers: { location: '/x' } }, 0],
    [{ type: 'garbage', form: 'list' }, { ...own, status: 200, text: '[]', headers: JSON_TYPE }, 0],
    [{ type: 'garbage', form: 'empty', applied: true }, { ...own, status: 200, text: '', headers: JSON_TYPE }, 1],
    [{ type: 'huge', megabytes: 5 }, { type: 'huge', megabytes: 5 }, 0],
  ];
  for (const [fault, delivery, times] of table)
    it(`is a fault: ${JSON.stringify(fault)}`, () => {
      let carriedOut = 0;
      const carryOut = (): SimulatedAnswer => {
        carriedOut += 1;
        return { status: 201, headers: { etag: 'x' }, body: { a: 1 } };
      };
      expect(misbehave(fault, carryOut)).to.deep.equal(delivery);
      expect(carriedOut).to.equal(times);
    });

  it('has a status if the client can get all of it', () => {
    for (const [delivery, status] of [
      [REPLY, 201],
      [{ type: 'trickle', reply: REPLY, milliseconds: 1, part: 'body' }, 201],
      [{ type: 'length', reply: REPLY, by: 1 }, 201],
      [{ type: 'huge', megabytes: 1 }, 200],
      [{ type: 'close' }, null],
      [{ type: 'silence' }, null],
      [{ type: 'endless', part: 'body' }, null],
      [{ type: 'cut', reply: REPLY }, null],
    ] as const)
      expect(deliveredStatus(delivery), delivery.type).to.equal(status);
  });

  it('is garbage in each form', () => {
    const garbage = (form: Extract<Fault, { type: 'garbage' }>['form']) => {
      const delivery = misbehave({ type: 'garbage', form }, () => ({ status: 500, headers: {}, body: null }));
      if (delivery.type !== 'reply') throw new Error(delivery.type);
      return delivery;
    };
    const [bytes, gzip, deep] = [garbage('bytes'), garbage('gzip'), garbage('deep')];
    expect(Buffer.from(bytes.text).toString('latin1')).to.equal('{"count": 0, "results": [], "note": "\u00c3(\u00ff"}');
    expect([bytes.status, bytes.headers, gzip.status]).to.deep.equal([200, JSON_TYPE, 200]);
    expect(gunzipSync(Buffer.from(gzip.text)).toString()).to.equal('{"count": 0, "results": []}');
    expect(gzip.headers).to.deep.equal({ ...JSON_TYPE, 'content-encoding': 'gzip' });
    expect(deep.text).to.match(/^\{"count": 0, "results": \[\], "note": \[{20000}\]{20000}\}$/);
    expect([deep.status, deep.headers]).to.deep.equal([200, JSON_TYPE]);
  });
});

describe('the faults that hit a request', () => {
  const GET = { method: 'GET', path: '/api/cloud/' };
  const POST = { method: 'POST', path: '/api/cloud/1' };

  it('are those before or after a correct answer, and those instead of one', () => {
    const circumstances = FAULT_TYPES.filter((type) => isCircumstance({ type } as Fault));
    expect(circumstances).to.deep.equal(['latency', 'touch', 'expire', 'upgrade']);
    expect(FAULT_TYPES).to.deep.equal([
      'answer',
      'drop',
      'cut',
      'hang',
      'redirect',
      'garbage',
      'huge',
      'trickle',
      'endless',
      'length',
      ...circumstances,
    ]);
  });

  /** Which of the requests each condition hits. */
  const table: readonly (readonly [when: When | undefined, hit: string])[] = [
    [undefined, '111111'],
    [{}, '111111'],
    [{ method: 'get' }, '101010'],
    [{ method: 'POST' }, '010101'],
    [{ method: 'PUT' }, '000000'],
    [{ path: '/api/cloud/' }, '101010'],
    [{ path: '/api/cloud/*' }, '111111'],
    [{ path: '/api/cloud/1*' }, '010101'],
    [{ path: '/api/cloud' }, '000000'],
    [{ path: '*' }, '111111'],
    [{ nth: 1 }, '100000'],
    [{ nth: 3 }, '001000'],
    [{ method: 'POST', nth: 2 }, '000100'],
    [{ first: 2 }, '110000'],
    [{ path: '/api/cloud/1', first: 2 }, '010100'],
    [{ after: 4 }, '000011'],
    [{ after: 0 }, '111111'],
    [{ method: 'GET', after: 1 }, '001010'],
    [{ first: 4, after: 2 }, '001100'],
    [{ nth: 2, after: 2 }, '000000'],
    [{ nth: 3, first: 2 }, '000000'],
    [{ nth: 2, first: 2, after: 1 }, '010000'],
    [{ method: 'GET', path: '/api/cloud/1' }, '000000'],
  ];
  it('are counted each for itself', () => {
    const faults = table.map(([when]): Fault => ({ type: 'drop', ...(when !== undefined && { when }) }));
    const picker = new FaultPicker(faults);
    const hits = [GET, POST, GET, POST, GET, POST].map((request) => picker.pick(request));
    for (const [at, [when, expected]] of table.entries()) {
      const fault = faults[at];
      const hit = hits.map((picked) => Number(fault !== undefined && picked.includes(fault))).join('');
      expect(hit, JSON.stringify(when)).to.equal(expected);
    }
    expect(hits[0]?.map((one) => faults.indexOf(one))).to.deep.equal([0, 1, 2, 5, 6, 9, 10, 13, 16]);
  });
});

describe('the rate of a simulated controller', () => {
  it('is limited in each window of time, and says when the next one begins', () => {
    const limit = new RateLimit();
    const rate = { requests: 2, seconds: 3 };
    const refused = (now: number) => {
      const { status, headers, body } = limit.refuse(rate, now) ?? {};
      return status === undefined ? undefined : [status, headers?.['retry-after'], body];
    };
    const after = (seconds: string) => [429, seconds, { error: 'Too many requests.' }];
    const times = [10_000, 10_001, 11_000, 12_000, 12_001, 12_999, 13_000, 13_000, 15_999, 16_000];
    expect(times.map(refused)).to.deep.equal([
      undefined,
      undefined,
      after('2'),
      after('1'),
      after('1'),
      after('1'),
      undefined,
      undefined,
      after('1'),
      undefined,
    ]);
    for (const now of [1, 2, 3]) expect(limit.refuse(undefined, now)).to.equal(undefined);
  });
});
