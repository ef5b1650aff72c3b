import type { Mapping } from '../../model/value.js';
import type { RawAnswer, RawRequest, Reader, Singleton, Writer } from '../../module/contract.js';
import type { Breather } from '../breather.js';
import type { Session } from '../input.js';

/** What a task may say to a controller. */
export interface Conversation extends Reader, Writer {
  request(request: RawRequest): Promise<RawAnswer>;
  expectLockout(): Promise<void>;
  appears(collection: string, name: string): Promise<boolean>;
}

/**
 * A session that is opened when it is first spoken to: a task that contacts nobody needs no connection settings. Answers that
 * come many at once are handed out with breaths between them.
 */
export class LazySession implements Conversation {
  constructor(
    private readonly open: () => Promise<Session>,
    private readonly breather: Breather,
  ) {}

  find(collection: string, name: string): Promise<Mapping | undefined> {
    return this.#ask((session) => session.find(collection, name));
  }

  single(path: string): Promise<Singleton> {
    return this.#ask((session) => session.single(path));
  }

  create(collection: string, name: string, body: Mapping): Promise<void> {
    return this.#ask((session) => session.create(collection, name, body));
  }

  replace(path: string, body: Mapping): Promise<void> {
    return this.#ask((session) => session.replace(path, body));
  }

  request(request: RawRequest): Promise<RawAnswer> {
    return this.#ask((session) => session.request(request));
  }

  appears(collection: string, name: string): Promise<boolean> {
    return this.#ask((session) => session.appears(collection, name));
  }

  async expectLockout(): Promise<void> {
    (await this.open()).expectLockout();
  }

  async #ask<Answer>(question: (session: Session) => Promise<Answer>): Promise<Answer> {
    const answer = await question(await this.open());
    await this.breather.breathe();
    return answer;
  }
}
