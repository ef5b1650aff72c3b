import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { signOut, SignedIn } from '../../../src/controller/access/sign_in.js';
import { LIMITS } from '../../../src/controller/exchange/policy.js';
import { AnswerMemory } from '../../../src/controller/transport/answer_memory.js';
import { SecureContexts } from '../../../src/controller/transport/dispatchers.js';
import { Transport } from '../../../src/controller/transport/transport.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import { settingsOf } from '../../rig/controllers.js';
import { PlainServer } from '../../rig/plain_server.js';

describe('the sign-out of a run', () => {
  const dialect = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
  const traits = dialect.session ?? expect.fail('no sessions');
  let server: PlainServer;
  const seen: unknown[] = [];
  before(async () => {
    server = await PlainServer.start();
  });
  after(() => {
    server.close();
  });
  beforeEach(() => {
    seen.length = 0;
  });

  function answered(answer: (response: ServerResponse) => void): void {
    server.answer = (request, response) => {
      const { cookie, authorization, 'x-csrftoken': token, referer } = request.headers;
      seen.push([request.method, request.url, cookie, token, referer, authorization]);
      answer(response);
    };
  }

  function session(name: string, more: Partial<ConnectionSettings> = {}): SignedIn {
    const settings = settingsOf(server.url, undefined, { dialect, auth: 'session', ...more });
    const signedIn = new SignedIn(traits, settings, () => undefined);
    signedIn.absorb([`sessionid=${name}`, `csrftoken=token-${name}`]);
    return signedIn;
  }

  async function ended(...sessions: readonly SignedIn[]) {
    const opened: (readonly [Transport, number, number])[] = [];
    await signOut(sessions, (settings) => {
      const trust = new SecureContexts().trust(undefined);
      const options = { route: undefined, trust, limits: LIMITS, slot: new AnswerMemory().slot() };
      const transport = new Transport(settings, options);
      opened.push([transport, settings.timeout, settings.maxRequests]);
      return transport;
    });
    for (const [transport] of opened)
      expect(
        (await Promise.allSettled([transport.send({ method: 'GET', path: '/', repeatable: true })]))[0],
      ).to.have.nested.property('reason.type', 'closed');
    return opened.map(([, timeout, maxRequests]) => [timeout, maxRequests]);
  }

  it('ends each session in a short time, whatever becomes of the others', async () => {
    answered((response) => (seen.length === 1 ? response.destroy() : response.writeHead(500).end()));
    const opened = await ended(
      session('one', { timeout: 30, maxRequests: 4 }),
      session('two', { timeout: 1 }),
      session('none', { dialect: { ...dialect, session: undefined } }),
    );
    expect(opened).to.deep.equal([
      [2, 1],
      [1, 1],
    ]);
    const request = (name: string): readonly unknown[] => [
      'POST',
      '/logout',
      `sessionid=${name}; csrftoken=token-${name}`,
      `token-${name}`,
      `${server.url}/`,
      undefined,
    ];
    expect(seen).to.have.deep.members([request('one'), request('two')]);
  });

  it('ends twenty sessions at once', async () => {
    const waiting: ServerResponse[] = [];
    let most = 0;
    answered((response) => {
      waiting.push(response);
      most = Math.max(most, waiting.length);
      // The last one of each twenty lets them all go.
      if (waiting.length === 20 || seen.length === 25) for (const one of waiting.splice(0)) one.end();
    });
    await ended(...Array.from({ length: 25 }, (_, at) => session(String(at))));
    expect([seen.length, most]).to.deep.equal([25, 20]);
  });
});
