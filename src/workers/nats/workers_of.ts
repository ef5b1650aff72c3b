import { connectToNats, natsError, type NatsOptions } from './broker/connection.js';
import { Link } from './broker/link.js';
import { listWorkers, type WorkerEntry } from './protocol/registry.js';
import { LEASE_MS, openBuckets, openStorage } from './broker/storage.js';

/**
 * The registered workers, by site and name.
 * @throws NatsError
 */
export async function workersOf(nats: NatsOptions): Promise<readonly WorkerEntry[]> {
  const link = new Link(await connectToNats(nats, 'evenkeel workers'), () => undefined);
  try {
    // Creates missing streams and buckets, which sites may not do.
    const { workers } = await openBuckets(await openStorage(link), LEASE_MS);
    const listed = [...(await listWorkers(workers)).values()].map(({ entry }) => entry);
    return listed.sort((a, b) => compare(a.site, b.site) || compare(a.name, b.name));
  } catch (error) {
    throw natsError(error, 'list the workers');
  } finally {
    await link.close();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
