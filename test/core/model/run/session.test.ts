import { expect } from 'chai';
import type { Ping } from '../../../../src/core/model/run/ping.js';
import { isRead, SessionThrough, type ControllerSession } from '../../../../src/core/model/run/session.js';

type Arguments<Name extends keyof ControllerSession> = Parameters<ControllerSession[Name]>;

const SCOPE = { key: 'k', ownOnly: true, select: () => Promise.resolve([]) };
const FOUND = { uuid: 'pool-1' };
const SINGLE = { status: 'found', object: { uuid: 'default' } } as const;
const LISTED = { objects: [FOUND] };
const PING: Ping = {
  url: 'https://lb1',
  username: 'admin',
  sign_in: 'basic',
  api_version: null,
  version: null,
  tenant: null,
  milliseconds: null,
  failure: null,
  address: null,
  route: null,
  tls: null,
};

/** Notes what it is asked. */
class Asked implements ControllerSession {
  readonly asked: unknown[] = [];

  #note<Answer>(answer: Answer, ...asked: readonly unknown[]): Promise<Answer> {
    this.asked.push(asked);
    return Promise.resolve(answer);
  }

  find(...args: Arguments<'find'>) {
    return this.#note(FOUND, 'find', ...args);
  }
  single(...args: Arguments<'single'>) {
    return this.#note(SINGLE, 'single', ...args);
  }
  create(...args: Arguments<'create'>) {
    return this.#note(undefined, 'create', ...args);
  }
  replace(...args: Arguments<'replace'>) {
    return this.#note(undefined, 'replace', ...args);
  }
  remove(...args: Arguments<'remove'>) {
    return this.#note(undefined, 'remove', ...args);
  }
  request(...args: Arguments<'request'>) {
    return this.#note({ status: 204, body: null }, 'request', ...args);
  }
  list(...args: Arguments<'list'>) {
    return this.#note(LISTED, 'list', ...args);
  }
  appears(...args: Arguments<'appears'>) {
    return this.#note(true, 'appears', ...args);
  }
  references() {
    return this.#note(undefined, 'references');
  }
  foundVersion() {
    return this.#note('22.1.3', 'foundVersion');
  }
  signIn(...args: Arguments<'signIn'>) {
    return this.#note(true, 'signIn', ...args);
  }
  ping() {
    return this.#note(PING, 'ping');
  }
  expectLockout() {
    return this.#note(undefined, 'expectLockout');
  }
}

describe('a session through another', () => {
  it('passes on each call with all its arguments, as a read or a write, and returns the answer', async () => {
    const real = new Asked();
    const kinds: string[] = [];
    const session = new SessionThrough((kind, ask) => {
      kinds.push(kind);
      return ask(real);
    });
    const answers = await Promise.all([
      session.find('/api/pool/', 'web', SCOPE, { by: 'uuid' }),
      session.single('/api/systemconfiguration'),
      session.create('/api/pool/', 'web', { a: 1 }, SCOPE),
      session.replace('/api/pool/1', { a: 2 }),
      session.remove('/api/pool/2'),
      session.request({ method: 'get', path: '/api/1' }),
      session.request({ method: 'Post', path: '/api/2' }),
      session.list('/api/pool', { paged: true }),
      session.appears('/api/pool/', 'db', SCOPE),
      session.references(),
      session.foundVersion(),
      session.signIn('other', 'changed'),
      session.ping(),
      session.expectLockout(),
    ]);
    expect(real.asked).to.deep.equal([
      ['find', '/api/pool/', 'web', SCOPE, { by: 'uuid' }],
      ['single', '/api/systemconfiguration'],
      ['create', '/api/pool/', 'web', { a: 1 }, SCOPE],
      ['replace', '/api/pool/1', { a: 2 }],
      ['remove', '/api/pool/2'],
      ['request', { method: 'get', path: '/api/1' }],
      ['request', { method: 'Post', path: '/api/2' }],
      ['list', '/api/pool', { paged: true }],
      ['appears', '/api/pool/', 'db', SCOPE],
      ['references'],
      ['foundVersion'],
      ['signIn', 'other', 'changed'],
      ['ping'],
      ['expectLockout'],
    ]);
    const expected = 'read read write write write read write read read read read read read read';
    expect(kinds).to.deep.equal(expected.split(' '));
    const done = { status: 204, body: null };
    const written = [undefined, undefined, undefined];
    expect(answers.slice(0, 5)).to.deep.equal([FOUND, SINGLE, ...written]);
    expect(answers.slice(5)).to.deep.equal([done, done, LISTED, true, undefined, '22.1.3', true, PING, undefined]);
  });

  it('reads with GET and HEAD, in any case', () => {
    expect(['GET', 'head', 'POST', 'PUT', 'OPTIONS', ''].map(isRead)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
