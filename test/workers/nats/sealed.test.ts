import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CuttableLink, NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { NatsScene, Offered } from '../../rig/nats_workers.js';

const PLANTED = [
  'planted-description',
  'planted-walk',
  'planted-event',
  'planted-intent',
  'planted-answer',
  'planted-broadcast',
];

describe('sealed texts over NATS', () => {
  let scene: NatsScene;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('sealed texts over NATS');
      this.skip();
    }
    scene = await NatsScene.start();
  });
  after(() => scene.dispose());

  it('shows no text to a subscriber that may see everything, in no stream, bucket or file', async () => {
    const connection = await connect({ servers: scene.broker.url });
    const seen: string[] = [];
    connection.subscribe('>', {
      callback: (_, message) => {
        const headers = [...(message.headers ?? [])].flat(2);
        seen.push([message.subject, ...headers, Buffer.from(message.data).toString('latin1')].join('\n'));
      },
    });
    await connection.flush();
    const stateFolder = await scene.folder();
    const proxy = await CuttableLink.to(scene.broker);
    const coordinator = await scene.coordinator({ describe: () => 'planted-description' });
    const kept: string[] = [];
    await scene.worker(
      async (assignment) => {
        assignment.post('planted-event');
        await assignment.postDurably('planted-intent');
        await new Promise<void>((resolve) => {
          assignment.onMessage(() => {
            resolve();
          });
        });
        proxy.cut();
        await scene.log.first((line) => line.startsWith('w1: lost the connection'));
        assignment.post('planted-event');
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        for (const file of await filesIn(stateFolder)) kept.push(file);
        proxy.mend();
      },
      { nats: { url: proxy.url }, stateFolder },
    );
    const offered = new Offered(coordinator, 'planted-walk');
    await offered.heard.first((text) => text === 'planted-intent');
    coordinator.broadcast('planted-broadcast');
    offered.send('planted-answer');
    await offered.end;
    await scene.log.first((line) => line.includes('planted-broadcast'));
    const manager = await jetstreamManager(connection);
    for await (const { config, state } of manager.streams.list())
      for (let sequence = state.first_seq; sequence <= state.last_seq; sequence += 1) {
        const stored = await manager.streams.getMessage(config.name, { seq: sequence }).catch(() => null);
        if (stored !== null) seen.push(`${stored.subject}\n${Buffer.from(stored.data).toString('latin1')}`);
      }
    await connection.close();
    const files = await filesIn(scene.broker.folder);
    await proxy.close();
    expect(seen.length).to.be.above(30);
    expect(kept).to.have.lengthOf(2);
    expect(files.join('').length).to.be.above(1000);
    expect(offered.heard.items.filter((text) => text.startsWith('planted'))).to.have.lengthOf(3);
    for (const text of PLANTED) {
      const forms = [text, Buffer.from(text).toString('base64').slice(0, -4)];
      for (const place of [...seen, ...files, ...kept])
        expect(forms.some((form) => place.includes(form))).to.equal(false, `${text} in ${place.slice(0, 200)}`);
    }
    // The test finds what is not sealed.
    expect(seen.some((text) => text.includes('"site":"berlin"'))).to.equal(true);
  });
});

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'latin1')));
}
