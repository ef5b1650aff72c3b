import { jetstream } from '@nats-io/jetstream';
import { connect, nkeys } from '@nats-io/transport-node';
import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NatsError, type NatsOptions } from '../../../src/workers/nats/broker/connection.js';
import { openIdentity } from '../../../src/workers/nats/channel/sealing.js';
import { workersOf } from '../../../src/workers/nats/workers_of.js';
import { serverCertificate } from '../../rig/certificates.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { NatsScene, Offered } from '../../rig/nats_workers.js';

const USERS =
  'use the credentials of the site, or of the coordinator; docs/examples/evenkeel-users.conf has the permissions of each';

describe('messages about workers over NATS', () => {
  let scene: NatsScene;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('messages about workers over NATS');
      this.skip();
    }
    scene = await NatsScene.start(
      'jetstream: enabled\nauthorization { users = [{ user: "fleet", password: "s3cret" }] }',
    );
  });
  afterEach(() => scene.end());
  after(() => scene.dispose());

  async function failure(nats: NatsOptions): Promise<readonly [string, string]> {
    const error: unknown = await scene.coordinator({ nats }).catch((thrown: unknown) => thrown);
    if (error instanceof NatsError) return [error.message, error.hint];
    throw error;
  }

  const logIn = () => ({ url: scene.broker.url, user: 'fleet', password: 's3cret' });
  const done = () => Promise.resolve();

  it('says why it cannot connect, and what to do', async () => {
    const { url, port } = scene.broker;
    expect(await failure({ url: 'http://x' })).to.deep.equal([
      'not the URL of a NATS server: http://x',
      'write nats://host:4222 or tls://host:4222',
    ]);
    expect(await failure({ url: 'nats://127.0.0.1:1' })).to.deep.equal([
      'cannot connect to the NATS server nats://127.0.0.1:1: connection refused',
      'check the URL, that the server is running, and that a firewall lets this machine connect to it',
    ]);
    expect(await failure({ url: `nats://fleet:wrong@127.0.0.1:${port}` })).to.deep.equal([
      `the NATS server ${url} refused the credentials`,
      'check the user and password, the nkey or the creds file, and the users in the configuration of the server',
    ]);
    expect(await failure({ url })).to.deep.equal([
      `the NATS server ${url} requires credentials`,
      'pass --nats-creds FILE',
    ]);
    expect(await failure({ ...logIn(), url: url.replace('nats:', 'tls:') })).to.deep.equal([
      `cannot connect to the NATS server tls://127.0.0.1:${port}: server does not support 'tls'`,
      'write nats:// for a server without TLS, tls:// for one with it',
    ]);
    expect(await failure({ ...logIn(), caFile: '/nowhere/ca.pem' })).to.deep.equal([
      'cannot read /nowhere/ca.pem: there is no such file',
      'check the path of the file and who may read it',
    ]);
  });

  it('connects with TLS and an nkey', async () => {
    const folder = await scene.folder();
    const { ca, key, cert } = await serverCertificate();
    const user = nkeys.createUser();
    const files = { 'ca.pem': ca, 'server.key': key, 'server.pem': cert, 'user.nk': Buffer.from(user.getSeed()) };
    const at = (name: string) => path.join(folder, name);
    for (const [name, content] of Object.entries(files)) await writeFile(at(name), content);
    const broker = await Broker.start(
      `jetstream: enabled\ntls { cert_file: "${at('server.pem')}", key_file: "${at('server.key')}" }
      authorization { users = [{ nkey: ${user.getPublicKey()} }] }`,
    );
    try {
      const url = broker.url.replace('nats:', 'tls:');
      const nats = { url, caFile: at('ca.pem'), nkeyFile: at('user.nk') };
      await scene.worker(done, { nats });
      const coordinator = await scene.coordinator({ nats });
      expect(await new Offered(coordinator, 'lb1').end).to.deep.equal({ type: 'ended' });
      const hint =
        "pass --nats-ca FILE with the authority that signed the server's certificate, and use a host name that the certificate is for";
      expect(await failure({ url, nkeyFile: at('user.nk') })).to.deep.equal([
        `cannot connect to the NATS server ${url}: self-signed certificate`,
        hint,
      ]);
      await scene.end();
    } finally {
      await broker.dispose();
    }
  });

  it('reports that the server has no JetStream, or that the user may not use it', async () => {
    const broker = await Broker.start(
      'jetstream: enabled\naccounts { A { users = [{ user: a, password: a }] }, B { jetstream: enabled, users = [{ user: b, password: b, permissions { publish: ["$JS.API.STREAM.INFO.>"], subscribe: ["_INBOX.>"] } }, { user: c, password: c, permissions { subscribe: ["other"] } }] } }',
    );
    try {
      expect(await failure({ url: broker.url, user: 'a', password: 'a' })).to.deep.equal([
        'cannot open the stream EVENKEEL_JOBS: the NATS server has JetStream disabled',
        'start it with --jetstream, or enable JetStream for the account of this user',
      ]);
      expect(await failure({ url: broker.url, user: 'b', password: 'b' })).to.deep.equal([
        'cannot create the stream EVENKEEL_JOBS: the NATS user may not publish to "$JS.API.STREAM.CREATE.EVENKEEL_JOBS"',
        USERS,
      ]);
      const [message, hint] = await failure({ url: broker.url, user: 'c', password: 'c' });
      expect(message).to.match(/^cannot coordinate the run: the NATS user may not subscribe to "_INBOX\./);
      expect(hint).to.equal(USERS);
    } finally {
      await broker.dispose();
    }
  });

  it('reports at once that a site has no workers, and later that none appeared', async () => {
    const coordinator = await scene.coordinator({ nats: logIn(), siteTimeout: 0.3 });
    const offered = new Offered(coordinator, 'lb1', 'nowhere');
    expect(await offered.end).to.deep.equal({ type: 'untaken', reason: 'site nowhere has no workers (waited 0.3 s)' });
    expect(offered.heard.items).to.deep.equal(['waiting: site nowhere has no workers']);
    const second = new Offered(coordinator, 'lb2', 'nowhere');
    expect(await second.end).to.deep.equal(await offered.end);
    expect(second.heard.items).to.deep.equal([]);
    expect(await new Offered(coordinator, 'lb1', 'no.where').end).to.deep.equal({
      type: 'untaken',
      reason: 'evenkeel_site is not the name of a site: "no.where": use letters, digits, - and _',
    });
  });

  it('suggests the nearest site with workers', async () => {
    await scene.worker(done, { nats: logIn() });
    const coordinator = await scene.coordinator({ nats: logIn(), siteTimeout: 0.3 });
    const reason = 'site Berlin has no workers, but site berlin has (waited 0.3 s)';
    expect(await new Offered(coordinator, 'lb1', 'Berlin').end).to.deep.equal({ type: 'untaken', reason });
  });

  it('refuses a worker of another version, and says so on both sides', async () => {
    await scene.worker(done, { nats: logIn(), version: '2' });
    const coordinator = await scene.coordinator({ nats: logIn(), siteTimeout: 1 });
    const offered = new Offered(coordinator, 'lb1');
    const refusal = 'worker w1 has version 2, the coordinator 1: install the same version';
    expect(await offered.end).to.deep.equal({
      type: 'untaken',
      reason: `no worker of site berlin can be used: ${refusal} (waited 1 s)`,
    });
    expect(offered.heard.items[0]).to.equal(`waiting: no worker of site berlin can be used: ${refusal}`);
    const lines = await scene.log.first((line) => line.startsWith('w1: the coordinator'));
    expect(lines.at(-1)).to.equal(`w1: the coordinator of run run-${scene.runs} refuses this worker: ${refusal}`);
  });

  it('refuses a worker whose key is not pinned, and lets the pinned one work', async () => {
    const [known, other] = [await scene.folder(), await scene.folder()];
    const { publicKey } = await openIdentity(known);
    const { publicKey: otherKey } = await openIdentity(other);
    await scene.worker(done, { nats: logIn(), stateFolder: other, name: 'w2' });
    const coordinator = await scene.coordinator({ nats: logIn(), workerKeys: new Map([['berlin', [publicKey]]]) });
    const offered = new Offered(coordinator, 'lb1');
    const refusal = `the key ${otherKey} of worker w2 is not among the keys that the coordinator accepts for site berlin`;
    await offered.heard.first((text) => text.includes(refusal));
    await scene.log.first((line) => line.startsWith('w2: the coordinator') && line.endsWith(refusal));
    await scene.worker(done, { nats: logIn(), stateFolder: known });
    expect(await offered.end).to.deep.equal({ type: 'ended' });
    expect(offered.heard.items.at(-1)).to.equal('taken by w1');
  });

  it('runs nothing if the description was changed on the broker', async () => {
    await scene.worker(done, { nats: logIn() });
    const coordinator = await scene.coordinator({ nats: logIn() });
    const connection = await connect({ servers: scene.broker.url, user: 'fleet', pass: 's3cret' });
    const { Objm } = await import('@nats-io/obj');
    const store = await new Objm(jetstream(connection)).open('evenkeel_descriptions');
    const [stored] = await store.list();
    await store.putBlob({ name: stored?.name ?? '' }, Buffer.from('something else'));
    await connection.close();
    const end = await new Offered(coordinator, 'lb1').end;
    const mismatch = `its description does not match its digest ${stored?.name ?? ''}: nothing was run`;
    expect(end).to.deep.equal({ type: 'refused', worker: 'w1', reason: mismatch });
    expect(scene.log.items).to.include(`w1: cannot work for run run-${scene.runs}: ${mismatch}`);
  });

  it('says what is wrong with the key of a worker', async () => {
    const stateFolder = await scene.folder();
    await writeFile(path.join(stateFolder, 'worker.key'), 'no key\n', { mode: 0o600 });
    const error: unknown = await scene.worker(done, { nats: logIn(), stateFolder }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.equal(`Error: ${stateFolder}/worker.key holds no key of a worker`);
  });

  it('lists the workers with what they do', async () => {
    await scene.worker(done, { nats: logIn(), concurrency: 7 });
    await scene.worker(done, { nats: logIn(), name: 'w2', site: 'tokyo', version: '2' });
    const workers = await workersOf(logIn());
    expect(
      workers.map(({ site, name, version, concurrency, load }) => ({ site, name, version, concurrency, load })),
    ).to.deep.include.members([
      { site: 'berlin', name: 'w1', version: '1', concurrency: 7, load: 0 },
      { site: 'tokyo', name: 'w2', version: '2', concurrency: 1, load: 0 },
    ]);
  });
});
