import { expect } from 'chai';
import type { Connections } from '../../src/controller/connections.js';
import type { Session } from '../../src/controller/session.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { connections, errorOf, IMPATIENT, settingsOf } from '../rig/controllers.js';
import { answer, EMPTY_LIST, RudeServer, type Manners } from '../rig/rude_server.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const FIND = 'GET /api/cloud/?name=edge';

/** Answers that no real controller sends, and the outcome of the request, which must leave nothing behind. */
describe('hostile answers', () => {
  const cleanup: (() => Promise<unknown>)[] = [];
  let fleet: Fleet;
  let all: Connections;
  let session: Session;

  before(async () => {
    fleet = await startFleet();
  });

  beforeEach(() => {
    all = connections({ retry: { ...IMPATIENT, attempts: 2 }, limits: { responseBytes: 2 ** 20 } });
    session = all.open(settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password, timeout: 1 }));
    fleet.controller('lb1').clearRequests();
  });

  afterEach(async () => {
    await all.close();
    for (const dispose of cleanup.splice(0)) await dispose();
  });

  after(() => fleet.dispose());

  async function serve(manners: Manners): Promise<Session> {
    const server = await RudeServer.start(manners);
    cleanup.push(() => server.close());
    return all.open(settingsOf(server.url, server.certificate.ca, { timeout: 1 }));
  }

  const cases: readonly [string, Fault, string, number][] = [
    ['a list that fills the memory', { type: 'huge', megabytes: 50 }, 'the answer is larger than 1 MiB', 1],
    ['a body in chunks without end', { type: 'endless', part: 'body' }, 'the answer is larger than 1 MiB', 1],
    ['headers without end', { type: 'endless', part: 'headers' }, 'the headers of the answer are too large', 1],
    ['103 without end', { type: 'endless', part: 'informational' }, 'no answer within 1 s, 2 attempts', 2],
    [
      'headers byte by byte',
      { type: 'trickle', milliseconds: 30, part: 'headers' },
      'no answer within 1 s, 2 attempts',
      2,
    ],
    [
      'a body byte by byte',
      { type: 'trickle', milliseconds: 200 },
      'the answer was not complete within 1 s, 2 attempts',
      2,
    ],
    [
      'a body that is shorter than it says',
      { type: 'length', by: 9 },
      'the answer was not complete within 1 s, 2 attempts',
      2,
    ],
    [
      'a compressed body',
      { type: 'garbage', form: 'gzip' },
      'the answer is compressed (gzip), which was not requested',
      1,
    ],
    [
      'bytes that are no UTF-8',
      { type: 'garbage', form: 'bytes' },
      'the controller answered 200, but not with UTF-8: {"count": 0, "results": [], "note": "\ufffd(\ufffd"}',
      1,
    ],
    [
      'JSON nested without end',
      { type: 'garbage', form: 'deep' },
      `the controller answered 200, but with JSON nested more than 200 levels deep: {"count": 0, "results": [], "note": ${'['.repeat(464)}…`,
      1,
    ],
    [
      'a list under __proto__',
      { type: 'garbage', form: 'proto' },
      'the controller answered 200, but with a field named "__proto__": {"__proto__": {"count": 0, "results": []}, "constructor": {"prototype": {"polluted": 1}}}',
      1,
    ],
    [
      'NaN',
      { type: 'garbage', form: 'nan' },
      'the controller answered 200, but not with JSON: {"count": NaN, "results": []}',
      1,
    ],
    ['nothing (204)', { type: 'answer', status: 204, body: '' }, 'the controller answered 204', 1],
    [
      'an error nested without end',
      { type: 'answer', status: 422, body: '{"error":'.repeat(100_000) + '1' + '}'.repeat(100_000) },
      `the controller answered 422: ${'{"error":'.repeat(56).slice(0, 500)}…`,
      1,
    ],
  ];
  for (const [what, fault, message, requests] of cases) {
    it(`cause an error, and the next request succeeds: ${what}`, async () => {
      fleet.controller('lb1').behaviour = { faults: [fault] };
      const error = await errorOf(session.find('/api/cloud/', 'edge'));
      expect(error.message).to.equal(`${FIND}: ${message}`);
      expect(fleet.controller('lb1').requests).to.have.length(requests);
      fleet.controller('lb1').behaviour = {};
      expect(await session.find('/api/cloud/', 'edge')).to.equal(undefined);
      expect(Object.prototype).not.to.have.property('polluted');
    });
  }

  it('never make a list that occurs twice look empty', async () => {
    fleet.controller('lb1').behaviour = { faults: [{ type: 'garbage', form: 'twice' }] };
    expect((await errorOf(session.find('/api/cloud/', 'edge'))).message).to.equal(
      `${FIND}: the controller answered 200, but with a list that has "results" twice: {"count": 1, "results": [{"name": "edge"}], "count": 0, "results": []}`,
    );
  });

  const EDGE = '{"name": "edge", "uuid": "cloud-1"}';
  for (const [what, field, body] of [
    [
      'a next page that is there twice',
      'next',
      `{"count": 0, "results": [], "next": "/api/cloud/?page=2", "next": null}`,
    ],
    [
      'a list that is there twice behind escaped quotes and brackets',
      'results',
      `{"note": "\\\\ \\" [ {", "count": 0, "results": [${EDGE}], "more": "\\"]", "results": []}`,
    ],
    ['a list whose name is written with escapes', 'results', `{"count": 0, "results": [${EDGE}], "resul\\u0074s": []}`],
  ] as const) {
    it(`never make a list look empty because of ${what}`, async () => {
      const text = await serve((socket) => socket.write(answer('200 OK', body)));
      expect((await errorOf(text.find('/api/cloud/', 'edge'))).message).to.include(
        `with a list that has "${field}" twice`,
      );
    });
  }

  it('are accepted with such names inside objects and texts', async () => {
    const results = [
      { name: 'edge', uuid: 'cloud-1', results: [{ results: 1 }], note: '"results": 2, \\"count\\": 3', count: 4 },
    ];
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 200, body: { count: 1, results } }] };
    expect(await session.find('/api/cloud/', 'edge')).to.deep.equal(results[0]);
  });

  it('are refused if there is a list instead of an object that exists once', async () => {
    const body = { count: 0, results: [] };
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 200, body }] };
    const error = await errorOf(session.single('/api/cloud/'));
    expect(error.message).to.equal(
      'GET /api/cloud/: the controller answered 200, but with a list: {"count":0,"results":[]}',
    );
    expect(error.hint).to.equal('is this the path of a collection? Its objects are found by name');
  });

  it('with endless nesting are text for api_request', async () => {
    const body = '['.repeat(100_000) + ']'.repeat(100_000);
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 200, body }] };
    expect((await session.request({ method: 'GET', path: '/api/x' })).body).to.equal(body);
  });

  it('that arrive unrequested after the answer are ignored', async () => {
    const rude = await serve((socket) =>
      socket.write(EMPTY_LIST + answer('200 OK', '{"count":1,"results":[{"name":"edge"}]}')),
    );
    for (let round = 0; round < 4; round += 1) expect(await rude.find('/api/cloud/', 'edge')).to.equal(undefined);
  });

  it('that continue after their length do not affect anything', async () => {
    const rude = await serve((socket) => socket.write(`${EMPTY_LIST}and more`));
    for (let round = 0; round < 4; round += 1) expect(await rude.find('/api/cloud/', 'edge')).to.equal(undefined);
  });

  it('are read over a half-closed connection, and the next request opens a new one', async () => {
    const rude = await serve((socket) => socket.end(EMPTY_LIST));
    for (let round = 0; round < 4; round += 1) expect(await rude.find('/api/cloud/', 'edge')).to.equal(undefined);
  });

  it('with two lengths are refused', async () => {
    const rude = await serve((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'),
    );
    expect((await errorOf(rude.find('/api/cloud/', 'edge'))).message).to.match(
      /broke before the answer was complete \(UND_ERR_RES_CONTENT_LENGTH_MISMATCH\), 2 attempts$/,
    );
  });
});
