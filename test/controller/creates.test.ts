import { expect } from 'chai';
import { outcomeOfError } from '../../src/engine/journal/write_recorder.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { errorOf, settingsOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';
import { answer, EMPTY_LIST, RudeServer } from '../rig/rude_server.js';
import { SocksServer } from '../rig/socks_server.js';

const POST = { method: 'POST', path: '/api/cloud/' };

describe('creates', () => {
  const lb1 = new OneController({ timeout: 0.5 });
  const { wire } = lb1;

  beforeEach(() => {
    lb1.simulated.setObjects('/api/cloud/', []);
    behave({});
  });

  function behave(behaviour: Behaviour): void {
    lb1.behave({ duplicates: 'allow', ...behaviour });
  }

  const NONE = { count: 0, results: [] };
  const create = (name = 'edge', by = lb1.session) => by.create('/api/cloud/', name, { name, mtu: 1400 });
  const names = () => lb1.simulated.objects('/api/cloud/').map((object) => object['name']);

  it('send one POST, without the fields that the server sets', async () => {
    await lb1.session.create('/api/cloud/', 'edge', {
      name: 'edge',
      mtu: 1400,
      uuid: 'x',
      url: 'y',
      _last_modified: 'z',
    });
    expect(wire()).to.deep.equal(['POST 201']);
    const [sent] = lb1.simulated.requests;
    expect(JSON.parse(sent!.body)).to.deep.equal({ name: 'edge', mtu: 1400 });
    expect(sent!.headers['content-type']).to.equal('application/json');
  });

  const tookEffect: readonly [string, Fault][] = [
    ['the connection broke after it took effect', { type: 'drop', when: { ...POST, nth: 1 }, applied: true }],
    ['the connection broke halfway through the answer', { type: 'cut', when: { ...POST, nth: 1 } }],
    ['the answer timed out', { type: 'hang', when: { ...POST, nth: 1 }, applied: true }],
    ['the answer arrived byte by byte', { type: 'trickle', when: { ...POST, nth: 1 }, milliseconds: 100 }],
    ['the answer was 502', { type: 'answer', status: 502, when: { ...POST, nth: 1 }, applied: true }],
    ['the answer was 503', { type: 'answer', status: 503, when: { ...POST, nth: 1 }, applied: true }],
    ['the answer was 504', { type: 'answer', status: 504, when: { ...POST, nth: 1 }, applied: true }],
    ['the answer was an HTML page', { type: 'garbage', form: 'html', when: { ...POST, nth: 1 }, applied: true }],
  ];
  for (const [what, fault] of tookEffect) {
    it(`adopt the object when ${what}`, async () => {
      behave({ faults: [fault] });
      await create();
      expect(names()).to.deep.equal(['edge']);
      expect(wire().filter((line) => line.startsWith('POST'))).to.have.length(1);
      expect(wire().at(-1)).to.equal('GET 200');
    });
  }

  it('adopt it at the second read when the first sees an old state', async () => {
    behave({ lag: 1, faults: [{ type: 'drop', when: { ...POST, nth: 1 }, applied: true }] });
    await create();
    expect(wire()).to.deep.equal(['POST lost', 'GET 200', 'GET 200']);
    expect(names()).to.deep.equal(['edge']);
  });

  const tookNone: readonly [string, Fault][] = [
    ['the connection broke before it took effect', { type: 'drop', when: { ...POST, nth: 1 } }],
    ['the answer was 503', { type: 'answer', status: 503, when: { ...POST, nth: 1 } }],
  ];
  for (const [what, fault] of tookNone) {
    it(`send one more POST after two reads without it when ${what}`, async () => {
      behave({ faults: [fault] });
      await create();
      expect(wire().slice(1)).to.deep.equal(['GET 200', 'GET 200', 'POST 201']);
      expect(names()).to.deep.equal(['edge']);
    });
  }

  const tookLong: readonly [string, Fault][] = [
    ['the answer timed out', { type: 'hang', when: { ...POST, nth: 1 } }],
    ['a gateway timed out', { type: 'answer', status: 504, when: { ...POST, nth: 1 } }],
  ];
  for (const [what, fault] of tookLong) {
    it(`read more often before one more POST, as it may still take effect, when ${what}`, async () => {
      behave({ faults: [fault] });
      await create();
      expect(wire().slice(1)).to.deep.equal(['GET 200', 'GET 200', 'GET 200', 'GET 200', 'POST 201']);
      expect(names()).to.deep.equal(['edge']);
    });
  }

  it('adopt an object that takes effect only after the time-out', async () => {
    behave({ lag: 3, faults: [{ type: 'hang', applied: true, when: { ...POST, nth: 1 } }] });
    await create();
    expect(wire()).to.deep.equal(['POST lost', 'GET 200', 'GET 200', 'GET 200', 'GET 200']);
    expect(names()).to.deep.equal(['edge']);
  });

  it('stop after the second POST, and report that it may have taken effect', async () => {
    behave({ faults: [{ type: 'drop', when: POST }] });
    const error = await errorOf(create());
    expect(error.message).to.equal(
      `POST /api/cloud/: the connection to ${lb1.url} broke before the answer was complete (UND_ERR_SOCKET); it may have taken effect`,
    );
    expect(error).to.include({ outcome: 'unreachable', uncertain: true });
    expect(wire()).to.deep.equal(['POST lost', 'GET 200', 'GET 200', 'POST lost', 'GET 200', 'GET 200']);
  });

  it('go on after the second POST when a route breaks, within the patience', async () => {
    const proxy = await SocksServer.start();
    behave({ faults: [1, 2, 3].map((nth) => ({ type: 'drop', when: { ...POST, nth } })) });
    const route = { name: 'lisbon', proxies: [`socks5h://${proxy.address}`] };
    const session = lb1.open(lb1.settings({ route }));
    await create('edge', session);
    await session.close();
    await proxy.close();
    expect(names()).to.deep.equal(['edge']);
    const looked = ['POST lost', 'GET 200', 'GET 200'];
    expect(wire()).to.deep.equal([...looked, ...looked, ...looked, 'POST 201']);
  });

  it('adopt the object when TLS broke after it took effect', async () => {
    const found = answer('200 OK', '{"count":1,"results":[{"name":"edge","uuid":"cloud-1"}]}');
    const server = await RudeServer.start((socket, head) => {
      if (head.startsWith('POST')) server.breakTls(socket);
      else socket.write(found);
    });
    await create('edge', lb1.open(settingsOf(server.url, server.certificate.ca)));
    await server.close();
    expect(server.requests.map((request) => request.split(' ')[0])).to.deep.equal(['POST', 'GET']);
  });

  it('stay unknown if the second POST could not be sent', async () => {
    let asked = 0;
    const server = await RudeServer.start((socket) => {
      asked += 1;
      if (asked === 1) socket.destroy();
      else if (asked === 2) socket.write(EMPTY_LIST);
      else socket.end(answer('200 OK', '{"count":0,"results":[]}', ['connection: close']), () => void server.close());
    });
    const settings = settingsOf(server.url, server.certificate.ca, { patience: 0 });
    const error = await errorOf(create('edge', lb1.open(settings)));
    expect(server.requests.map((request) => request.split(' ')[0])).to.deep.equal(['POST', 'GET', 'GET']);
    expect(error.message).to.match(/^POST \/api\/cloud\/: the connection to .* broke .*; it may have taken effect$/);
    expect(outcomeOfError(error, 'POST')).to.equal('unknown');
  });

  it('fail when the reads after a lost reply find several', async () => {
    behave({ faults: [{ type: 'drop', when: { ...POST, nth: 1 }, applied: true }] });
    lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1' }]);
    expect((await errorOf(create())).message).to.match(
      /^GET \/api\/cloud\/\?name=edge: 2 objects are named "edge": cloud-1, cloud-[0-9a-f-]+$/,
    );
  });

  it('fail when the reads after a lost reply have invalid answers', async () => {
    behave({
      faults: [
        { type: 'drop', when: POST },
        { type: 'garbage', form: 'html', when: { method: 'GET' } },
      ],
    });
    expect((await errorOf(create())).message).to.match(
      /^GET \/api\/cloud\/\?name=edge: the controller answered 200, but not with JSON: /,
    );
    expect(wire()).to.deep.equal(['POST lost', 'GET 200']);
  });

  it('adopt an object of exactly that name after 409', async () => {
    behave({ duplicates: 409 });
    lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1' }]);
    expect(await create()).to.equal('adopted');
    expect(wire()).to.deep.equal(['POST 409', 'GET 200']);
  });

  it('do not know whose object it is if 409 follows a lost answer', async () => {
    const lost: Fault = { type: 'drop', when: { ...POST, nth: 1 } };
    const unseen = [1, 2].map((nth): Fault => ({
      type: 'answer',
      status: 200,
      body: NONE,
      when: { method: 'GET', nth },
    }));
    behave({ duplicates: 409, faults: [lost, ...unseen] });
    lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1' }]);
    expect(await create()).to.equal(undefined);
    expect(wire().slice(-2)).to.deep.equal(['POST 409', 'GET 200']);
  });

  for (const status of [302, 400, 401, 403, 409])
    it(`may have taken effect if ${status} follows a lost answer`, async () => {
      const lost: Fault = { type: 'drop', when: { ...POST, nth: 1 } };
      behave({ faults: [lost, { type: 'answer', status, headers: { location: 'https://elsewhere' }, when: POST }] });
      const error = await errorOf(create());
      expect(error.message).to.match(new RegExp(`^POST /api/cloud/: the controller answered ${status}\\b`));
      expect(outcomeOfError(error, 'POST')).to.equal('unknown');
    });

  it('have not taken effect if a refusal follows an answer that says so', async () => {
    for (const answer of [{ status: 429 }, { status: 503, body: 'not ready' }]) {
      const first: Fault = { type: 'answer', ...answer, when: { ...POST, nth: 1 } };
      behave({ faults: [first, { type: 'answer', status: 422, when: POST }] });
      expect(outcomeOfError(await errorOf(create()), 'POST')).to.equal('refused');
    }
  });

  it("fail with the controller's message after 409 when there is no object of that name", async () => {
    behave({
      filter: 'case-insensitive',
      faults: [{ type: 'answer', status: 409, body: { detail: 'EDGE exists.' }, when: POST }],
    });
    lb1.simulated.setObjects('/api/cloud/', [{ name: 'EDGE', uuid: 'cloud-1' }]);
    const error = await errorOf(create());
    expect(error.message).to.equal('POST /api/cloud/: the controller answered 409: EDGE exists.');
    expect(error).to.include({ outcome: 'failed', status: 409 });
  });

  it('never repeat a POST that was refused', async () => {
    for (const status of [400, 403, 404, 422, 500]) {
      behave({ faults: [{ type: 'answer', status }] });
      lb1.simulated.clearRequests();
      expect((await errorOf(create(`edge-${status}`))).message).to.equal(
        `POST /api/cloud/: the controller answered ${status}: Configured to answer ${status}.`,
      );
      expect(wire()).to.deep.equal([`POST ${status}`]);
    }
  });

  describe('of the same name', () => {
    it('run one after the other, and later ones adopt the object', async () => {
      await Promise.all([create(), create(), create(), create('core')]);
      expect(names()).to.have.members(['edge', 'core']);
      expect(wire().filter((line) => line === 'POST 201')).to.have.length(2);
    });

    it('are sent once for all aliases of a URL', async () => {
      const alias = lb1.open(lb1.settings({ controller: 'alias' }));
      await Promise.all([create(), create('edge', alias)]);
      expect(names()).to.deep.equal(['edge']);
    });

    it('are sent once even if the second starts after the first has finished', async () => {
      const alias = lb1.open(lb1.settings({ controller: 'alias' }));
      await create();
      await create('edge', alias);
      expect(wire()).to.deep.equal(['POST 201', 'GET 200']);
    });

    it('are sent once even if another session with the controller has closed in between', async () => {
      const others = ['alias', 'third'].map((controller) => lb1.open(lb1.settings({ controller })));
      await create();
      for (const other of others) await other.find('/api/cloud/', 'other');
      lb1.simulated.clearRequests();
      for (const other of others) {
        await other.close();
        // As an interrupt does at the same time.
        await other.close();
        await create();
      }
      expect(names()).to.deep.equal(['edge']);
      expect(wire()).to.deep.equal(['GET 200', 'GET 200']);
    });

    it('adopt what the first one adopted', async () => {
      behave({ duplicates: 409 });
      lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1' }]);
      const alias = lb1.open(lb1.settings({ controller: 'alias' }));
      expect(await Promise.all([create(), create('edge', alias)])).to.deep.equal(['adopted', 'adopted']);
      expect(await Promise.all([create('core'), create('core', alias)])).to.deep.equal([undefined, undefined]);
    });

    it('continue when the first one failed', async () => {
      behave({ faults: [{ type: 'answer', status: 422, when: { ...POST, nth: 1 } }] });
      const [first, second] = await Promise.allSettled([create(), create()]);
      expect([first.status, second.status]).to.deep.equal(['rejected', 'fulfilled']);
      expect(wire()).to.deep.equal(['POST 422', 'GET 200', 'POST 201']);
    });
  });
});
