import { expect } from 'chai';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../../src/simulator/controller/controller.js';
import { RawClient, type RawReply } from '../../rig/raw_client.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

describe('a simulated controller with faults', () => {
  let fleet: Fleet;
  let client: RawClient;
  let lb1: SimulatedController;
  let clouds: string;

  beforeEach(async () => {
    fleet = await startFleet();
    client = new RawClient(fleet.ca);
    lb1 = fleet.controller('lb1');
    clouds = `${fleet.url('lb1')}/api/cloud/`;
  });

  afterEach(async () => {
    await client.close();
    await fleet.dispose();
  });

  const create = (name: string): Promise<RawReply> => client.send('POST', clouds, { body: { name } });
  const list = async (name: string): Promise<unknown> => (await client.send('GET', `${clouds}?name=${name}`)).json();
  const names = (): readonly unknown[] => lb1.objects('/api/cloud/').map((object) => object['name']);

  async function failure(request: Promise<unknown>): Promise<unknown> {
    return request.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  describe('on some requests', () => {
    const statuses = async (requests: number): Promise<readonly number[]> => {
      const seen: number[] = [];
      for (let count = 0; count < requests; count += 1) seen.push((await client.send('GET', clouds)).status);
      return seen;
    };

    for (const [what, when, expected] of [
      ['each one', {}, [503, 503, 503, 503]],
      ['the nth', { nth: 2 }, [200, 503, 200, 200]],
      ['the first', { first: 2 }, [503, 503, 200, 200]],
      ['those after', { after: 3 }, [200, 200, 200, 503]],
      ['those of a method', { method: 'POST' }, [200, 200, 200, 200]],
      ['those of a path', { path: '/api/cloud/' }, [503, 503, 503, 503]],
      ['those of another path', { path: '/api/cloud' }, [200, 200, 200, 200]],
      ['those below a path', { path: '/api/*', nth: 1 }, [503, 200, 200, 200]],
      ['those below another path', { path: '/api/clouds*' }, [200, 200, 200, 200]],
    ] as const) {
      it(what, async () => {
        lb1.behaviour = { faults: [{ type: 'answer', status: 503, when }] };
        expect(await statuses(4)).to.deep.equal(expected);
      });
    }

    it('starts counting again when the behaviour is set', async () => {
      const behaviour: Behaviour = { faults: [{ type: 'answer', status: 503, when: { nth: 1 } }] };
      lb1.behaviour = behaviour;
      expect(await statuses(2)).to.deep.equal([503, 200]);
      lb1.behaviour = behaviour;
      expect(await statuses(2)).to.deep.equal([503, 200]);
    });
  });

  it('answers with any status, body and headers, before or after the write took effect', async () => {
    lb1.behaviour = {
      faults: [
        { type: 'answer', status: 503, headers: { 'retry-after': '7' }, when: { method: 'POST', nth: 1 } },
        { type: 'answer', status: 502, body: 'bad gateway', applied: true, when: { method: 'POST', nth: 2 } },
        { type: 'answer', status: 422, body: { detail: 'no' }, when: { method: 'POST', nth: 3 } },
      ],
    };
    const refused = await create('edge');
    expect([refused.status, refused.text, refused.headers['retry-after']]).to.deep.equal([
      503,
      '{"error":"Configured to answer 503."}',
      '7',
    ]);
    expect(names()).to.be.empty;
    const lost = await create('edge');
    expect([lost.status, lost.text]).to.deep.equal([502, 'bad gateway']);
    expect(names()).to.deep.equal(['edge']);
    expect((await create('edge')).json()).to.deep.equal({ detail: 'no' });
  });

  for (const applied of [false, true]) {
    it(`drops the connection ${applied ? 'after' : 'before'} the write took effect`, async () => {
      lb1.behaviour = { faults: [{ type: 'drop', applied, when: { method: 'POST' } }] };
      expect(await failure(create('edge'))).to.be.an('error');
      expect(names()).to.deep.equal(applied ? ['edge'] : []);
      expect(lb1.requests.at(-1)).to.include({ method: 'POST', status: null });
    });
  }

  it('cuts off the answer halfway, after the write took effect', async () => {
    lb1.behaviour = { faults: [{ type: 'cut' }] };
    expect(await failure(create('edge'))).to.be.an('error');
    expect(names()).to.deep.equal(['edge']);
  });

  it('never answers', async () => {
    lb1.behaviour = { faults: [{ type: 'hang', applied: true }] };
    const lost = failure(create('edge'));
    while (names().length === 0) await new Promise(setImmediate);
    await fleet.simulator.close();
    expect(await lost).to.be.an('error');
  });

  it('answers late', async () => {
    lb1.behaviour = { latency: 20, faults: [{ type: 'latency', milliseconds: 30 }] };
    const started = performance.now();
    await list('edge');
    expect(performance.now() - started).to.be.at.least(49);
  });

  it('answers with a redirect', async () => {
    lb1.behaviour = {
      faults: [
        { type: 'redirect', when: { nth: 1 } },
        { type: 'redirect', status: 307, to: '/login' },
      ],
    };
    const first = await client.send('GET', clouds);
    expect([first.status, first.headers['location']]).to.deep.equal([302, 'https://elsewhere.invalid/login']);
    const second = await client.send('GET', clouds);
    expect([second.status, second.headers['location']]).to.deep.equal([307, '/login']);
  });

  for (const [form, type, text] of [
    ['html', 'text/html', '<!doctype html><title>Sign in</title><p>Please sign in.</p>'],
    ['truncated', 'application/json', '{"count": 1, "results": [{"name": "ed'],
    ['shape', 'application/json', '{"count": 1, "results": {"name": "edge"}}'],
    ['list', 'application/json', '[]'],
    ['empty', 'application/json', ''],
    ['twice', 'application/json', '{"count": 1, "results": [{"name": "edge"}], "count": 0, "results": []}'],
    ['nan', 'application/json', '{"count": NaN, "results": []}'],
    [
      'proto',
      'application/json',
      '{"__proto__": {"count": 0, "results": []}, "constructor": {"prototype": {"polluted": 1}}}',
    ],
  ] as const) {
    it(`answers 200 with garbage: ${form}`, async () => {
      lb1.behaviour = { faults: [{ type: 'garbage', form }] };
      const reply = await client.send('GET', clouds);
      expect([reply.status, reply.headers['content-type'], reply.text]).to.deep.equal([200, type, text]);
    });
  }

  it('answers 200 with invalid text, unrequested compression, or endless nesting', async () => {
    lb1.behaviour = {
      faults: [
        { type: 'garbage', form: 'bytes', when: { nth: 1 } },
        { type: 'garbage', form: 'gzip', when: { nth: 2 } },
        { type: 'garbage', form: 'deep', when: { nth: 3 } },
      ],
    };
    expect((await client.send('GET', clouds)).text).to.equal('{"count": 0, "results": [], "note": "\ufffd(\ufffd"}');
    expect((await client.send('GET', clouds)).headers).to.include({ 'content-encoding': 'gzip' });
    expect((await client.send('GET', clouds)).text).to.match(/\[{20000}\]{20000}/);
  });

  it('answers with a huge body', async () => {
    lb1.behaviour = { faults: [{ type: 'huge', megabytes: 3 }] };
    const { text } = await client.send('GET', clouds);
    expect(text.length).to.be.above(3 * 2 ** 20);
    expect(JSON.parse(text)).to.include({ count: 0 });
  });

  it('answers byte by byte', async () => {
    // Only headers that are written byte by byte end the connection.
    const connection = async () => {
      const { headers } = await client.send('GET', clouds);
      expect(headers['content-type']).to.match(/^application\/json/);
      return headers['connection'];
    };
    lb1.behaviour = { faults: [{ type: 'trickle', milliseconds: 1 }] };
    expect(await list('edge')).to.deep.equal({ count: 0, results: [] });
    expect(await connection()).not.to.equal('close');
    lb1.behaviour = { faults: [{ type: 'trickle', milliseconds: 1, part: 'headers' }] };
    expect(await list('edge')).to.deep.equal({ count: 0, results: [] });
    expect(await connection()).to.equal('close');
  });

  for (const part of ['headers', 'body', 'informational'] as const) {
    it(`answers without end: ${part}`, async () => {
      lb1.behaviour = { faults: [{ type: 'endless', part, applied: true, when: { method: 'POST' } }] };
      const lost = failure(create('edge'));
      while (names().length === 0) await new Promise(setImmediate);
      await client.close();
      expect(await lost).to.be.an('error');
      expect(lb1.requests.at(-1)).to.include({ method: 'POST', status: null });
    });
  }

  it('answers with a content-length that is too small', async () => {
    lb1.behaviour = { faults: [{ type: 'length', by: -5 }] };
    const reply = await client.send('GET', clouds);
    expect([reply.headers['content-length'], reply.text]).to.deep.equal(['19', '{"count":0,"results']);
  });

  it('answers with a content-length that is too large', async () => {
    lb1.behaviour = { faults: [{ type: 'length', by: 5 }] };
    const waiting = failure(create('edge'));
    while (names().length === 0) await new Promise(setImmediate);
    await client.close();
    expect(await waiting).to.be.an('error');
  });
});
