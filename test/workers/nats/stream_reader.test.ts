import { expect } from 'chai';
import { connectToNats } from '../../../src/workers/nats/broker/connection.js';
import { Link } from '../../../src/workers/nats/broker/link.js';
import { EVENTS, LEASE_MS, openBuckets, openStorage, subjects } from '../../../src/workers/nats/broker/storage.js';
import { StreamReader } from '../../../src/workers/nats/broker/stream_reader.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../../rig/nats.js';
import { Log } from '../../rig/nats_workers.js';

describe('a reader of a stream', () => {
  before(function () {
    if (NATS_SERVER !== undefined) return;
    sayWithoutNats('a reader of a stream');
    this.skip();
  });

  it('asks anew when nothing comes, and gets each message once', async () => {
    const broker = await Broker.start();
    const link = new Link(await connectToNats({ url: broker.url }, 'a test'), () => undefined);
    try {
      const storage = await openStorage(link);
      await openBuckets(storage, LEASE_MS);
      const subject = subjects.events('run', 'berlin', 'job');
      const heard = new Log<string>();
      const hear = ({ data }: { readonly data: Uint8Array }): void => {
        heard.add(Buffer.from(data).toString());
      };
      const reader = await StreamReader.open(storage, EVENTS, subjects.eventsOf('run'), hear, 100);
      const consumers = async (): Promise<string[]> =>
        (await storage.manager.consumers.list(EVENTS).next()).map(({ name }) => name);
      for (const text of ['one', 'two', 'three']) {
        const [first] = await consumers();
        // Its consumer is deleted, so the reader gets nothing unless it creates another.
        await storage.manager.consumers.delete(EVENTS, first ?? '').catch(() => undefined);
        await storage.js.publish(subject, text);
        await heard.until((texts) => texts.includes(text));
      }
      expect(heard.items).to.deep.equal(['one', 'two', 'three']);
      reader.close();
    } finally {
      await link.close();
      await broker.dispose();
    }
  });
});
