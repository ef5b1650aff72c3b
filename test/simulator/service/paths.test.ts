import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { readUpload } from '../../../src/simulator/transport/http_exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { bareController } from '../../rig/bare_controller.js';

describe('a path of a simulated controller', () => {
  it('means the same whatever was read before', () => {
    const { ask, object } = bareController();
    const path = '/api/license/current';
    expect(ask('PUT', path, { tier: 'basic' }).status).to.equal(201);
    expect(object('GET', '/api/license/')).to.deep.equal({ count: 0, results: [] });
    expect(object('GET', path)).to.include({ tier: 'basic' });
    expect(ask('PUT', path, { tier: 'essentials' }).status).to.equal(200);
    const { uuid } = object('POST', '/api/license/', { name: 'one' });
    expect(ask('PUT', `/api/license/${textOrEmpty(uuid)}`, { name: 'one' }).status).to.equal(200);
  });
});

describe('lists of a strict simulated controller', () => {
  let lb1: AviController;

  before(async () => {
    lb1 = await startAviController();
    for (let index = 1; index <= 30; index += 1) {
      await lb1.client.object('POST', '/api/pool', { name: `pool ${index}`, enabled: index % 2 === 0 });
    }
  });

  after(() => lb1.close());

  const list = (query: string): Promise<JsonObject> => lb1.client.object('GET', `/api/pool${query}`);
  const names = async (query: string): Promise<readonly unknown[]> =>
    ((await list(query))['results'] as unknown as readonly JsonObject[]).map(({ name }) => name);

  it('have pages of 25, with the total and the next page', async () => {
    const { count, next, results } = await list('');
    expect([count, (results as unknown as readonly unknown[]).length]).to.deep.equal([30, 25]);
    expect(next).to.equal(`${lb1.url}/api/pool?page=2`);
    const last = await list('?page=2');
    expect((last['results'] as unknown as readonly unknown[]).length).to.equal(5);
    expect(last).not.to.have.property('next');
  });

  it('have pages of up to 200 if requested', async () => {
    expect(await names('?page_size=200')).to.have.length(30);
    expect((await list('?page_size=20&fields=name'))['next']).to.equal(
      `${lb1.url}/api/pool?page_size=20&fields=name&page=2`,
    );
    expect(await names('?page_size=1')).to.have.length(1);
    for (const size of [0, 201]) {
      const { status, json } = await lb1.client.send('GET', `/api/pool?page_size=${size}`);
      expect([status, json()]).to.deep.equal([400, { error: 'page_size must be from 1 to 200.' }]);
    }
    expect((await lb1.client.send('GET', '/api/pool?page=3')).status).to.equal(404);
  });

  it('are filtered by exact name, part of a name, field and reference', async () => {
    expect(await names('?name=pool%203')).to.deep.equal(['pool 3']);
    expect(await names('?name=Pool%203')).to.deep.equal([]);
    expect(await names('?name.contains=l%203')).to.deep.equal(['pool 3', 'pool 30']);
    expect(await names('?name.contains=L%203')).to.deep.equal([]);
    expect(await names('?name.icontains=L%203')).to.deep.equal(['pool 3', 'pool 30']);
    expect(await names('?enabled=true&name.contains=2')).to.deep.equal(
      [2, 12, 20, 22, 24].map((n) => `pool ${n}`).concat(['pool 26', 'pool 28']),
    );
    expect(await names('?cloud_ref.name=Default-Cloud&page_size=200')).to.have.length(30);
    expect(await names('?cloud_ref.name=edge')).to.deep.equal([]);
    const { results } = await lb1.client.object('GET', '/api/cloud');
    const [cloud] = results as unknown as readonly JsonObject[];
    expect(await names(`?cloud_ref.uuid=${textOrEmpty(cloud?.['uuid'])}&name=pool%201`)).to.deep.equal(['pool 1']);
  });

  it('show only some fields if requested', async () => {
    const { results } = await list('?name=pool%201&fields=enabled');
    const [pool] = results as unknown as readonly JsonObject[];
    expect(Object.keys(pool ?? {}).sort()).to.deep.equal(['enabled', 'name', 'url', 'uuid']);
  });
});

describe('a strict simulated controller', () => {
  let lb1: AviController;

  beforeEach(async () => {
    lb1 = await startAviController();
  });

  afterEach(() => lb1.close());

  function upload(path: string, filename: string, content: Buffer, end = '--x--\r\n') {
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
    return lb1.client.upload(path, Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n${end}`)]), 'x');
  }

  const bytes = Buffer.from([0, 255, 13, 10, 128, 45, 45]);
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  it('keeps uploads of images with their digest, and refuses incomplete ones', async () => {
    const cut = await upload('/api/image', 'controller-22.1.4.pkg', bytes, '');
    expect([cut.status, cut.json()]).to.deep.equal([400, { error: 'The upload is incomplete.' }]);
    const reply = await upload('/api/image', 'controller-22.1.4.pkg', bytes);
    expect(reply.status).to.equal(201);
    const image = (await lb1.client.object('GET', '/api/image'))['results'] as unknown as readonly JsonObject[];
    expect(image[0]).to.deep.include({
      name: '22.1.4',
      progress: 100,
      controller_info: { path: 'controller-22.1.4.pkg', hash: sha256, build: { version: '22.1.4' } },
    });
    expect((await upload('/api/image', 'controller-22.1.4.pkg', bytes)).status).to.equal(409);
  });

  it('keeps uploads of files, and lists them with size and digest', async () => {
    expect((await upload('/api/fileservice/hsmpackages', 'hsm.tar', bytes)).status).to.equal(201);
    const { count, results } = await lb1.client.object('GET', '/api/fileservice?uri=controller://hsmpackages');
    expect(count).to.equal(1);
    expect((results as unknown as readonly JsonObject[])[0]).to.include({
      uri: 'controller://hsmpackages/hsm.tar',
      size: 7,
      sha256,
    });
  });

  it('reads uploads that arrive in any pieces', async () => {
    const content = Buffer.from(`\r\n--x\r\n${'--boundar\r\n'.repeat(3)}`);
    const body = Buffer.concat([
      Buffer.from('--boundary\r\nContent-Disposition: form-data; name="uri"\r\n\r\ncontroller://x\r\n'),
      Buffer.from('--boundary\r\nContent-Disposition: form-data; name="file"; filename="a b.pkg"\r\n\r\n'),
      content,
      Buffer.from('\r\n--boundary--\r\n'),
    ]);
    const file = { name: 'a b.pkg', size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    for (let size = 1; size <= body.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
        body.subarray(at * size, (at + 1) * size),
      );
      expect(await readUpload(Readable.from(pieces), 'boundary'), String(size)).to.deep.equal({
        isComplete: true,
        file,
      });
      const cut = await readUpload(Readable.from(pieces.slice(0, -4)), 'boundary');
      expect(cut.isComplete).to.equal(false);
    }
  });

  it('exports its configuration without secrets', async () => {
    await lb1.client.object('POST', '/api/user', { name: 'ops', username: 'ops', password: 'of ops' });
    const { uuid } = await lb1.client.object('POST', '/api/poolgroup', { name: 'gone' });
    await lb1.client.send('DELETE', `/api/poolgroup/${textOrEmpty(uuid)}`);
    const { text } = await lb1.client.send('GET', '/api/configuration/export?full_system=true');
    expect(text).to.include('"HealthMonitor":[').and.not.include('of ops').and.not.include('"PoolGroup"');
  });

  it('reports its version and the state of its cluster', async () => {
    expect(await lb1.client.object('GET', '/api/cluster/version')).to.include({ Version: '22.1.3' });
    expect(await lb1.client.object('GET', '/api/cluster/runtime')).to.deep.equal({
      cluster_state: { state: 'CLUSTER_UP_NO_HA', progress: 100 },
      node_states: [{ name: 'node1', mgmt_ip: '127.0.0.1', role: 'CLUSTER_LEADER', state: 'CLUSTER_ACTIVE' }],
    });
    expect(await lb1.client.object('GET', '/api/cluster')).to.include({ name: 'cluster-0-1' });
  });

  it('can be upgraded: refuses writes, then all requests, then connections, then works again', async () => {
    lb1.controller.behaviour = {
      faults: [{ type: 'upgrade', when: { path: '/api/tenant' }, disallowed: 150, unavailable: 150, refused: 150 }],
    };
    expect((await lb1.client.send('POST', '/api/tenant', { name: 'red' })).status).to.equal(201);
    const seen: string[] = [];
    while (seen.at(-1) !== '201') {
      const outcome = await lb1.client.send('POST', '/api/pool', { name: 'web' }).then(
        ({ status, text }) => (status === 403 ? text : String(status)),
        () => 'refused',
      );
      if (outcome !== seen.at(-1)) seen.push(outcome);
      await pause(10);
    }
    expect(seen).to.deep.equal(['{"error":"Configuration is disallowed during upgrade"}', '503', 'refused', '201']);
  });
});
