import type { Mapping } from '../model/value.js';
import type { RawAnswer, RawRequest, Reader, Singleton, Writer } from '../module/contract.js';
import type { Session } from './input.js';

/** A session that is opened when it is first spoken to: a task that contacts nobody needs no connection settings. */
export class LazySession implements Reader, Writer {
  constructor(private readonly open: () => Promise<Session>) {}

  async find(collection: string, name: string): Promise<Mapping | undefined> {
    return (await this.open()).find(collection, name);
  }

  async single(path: string): Promise<Singleton> {
    return (await this.open()).single(path);
  }

  async create(collection: string, name: string, body: Mapping): Promise<void> {
    return (await this.open()).create(collection, name, body);
  }

  async replace(path: string, body: Mapping): Promise<void> {
    return (await this.open()).replace(path, body);
  }

  async request(request: RawRequest): Promise<RawAnswer> {
    return (await this.open()).request(request);
  }
}
