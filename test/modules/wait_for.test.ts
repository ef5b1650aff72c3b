import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import waitFor from '../../modules/wait_for.js';
import { receives } from '../../modules/wait_for/probe.js';
import { PythonExpression } from '../../src/module/contract.js';
import { act } from '../rig/action_context.js';

/** A loopback server that sends its texts to the clients that connect, one text each. */
class Talker {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  heard = 0;

  private constructor(words: readonly string[]) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.end(words[this.heard++] ?? words.at(-1) ?? '');
    });
  }

  static async start(words: readonly string[] = [], port = 0): Promise<Talker> {
    const talker = new Talker(words);
    talker.#server.listen(port, '127.0.0.1');
    await once(talker.#server, 'listening');
    return talker;
  }

  get listening(): boolean {
    return this.#server.listening;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describe('wait_for', () => {
  let talker: Talker;
  beforeEach(async () => {
    talker = await Talker.start(['welcome', 'ready: yes\n']);
  });
  afterEach(() => talker.stop());

  const local = (args: object): object => ({ host: '127.0.0.1', port: talker.port, sleep: 0.01, ...args });
  const run = (args: object): ReturnType<typeof act> => act(waitFor, local(args) as never);

  it('ends when the port accepts connections', async () => {
    const port = talker.port;
    expect(await run({})).to.deep.equal({
      status: 'ok',
      values: { elapsed: 0, port, state: 'started', search_regex: null, match_groups: [], match_groupdict: {} },
    });
  });

  it('fails if its expression takes too long on the received text', async () => {
    await talker.stop();
    talker = await Talker.start([`${'a'.repeat(60)}!`]);
    const failure = await run({ search_regex: String.raw`^(a+)+\1$`, timeout: 20 }).catch(String);
    expect(failure).to.match(/takes too long on a text of 61 characters/);
  });

  it('waits until the port is open', async () => {
    const { port } = talker;
    await talker.stop();
    const waiting = act(waitFor, { host: '127.0.0.1', port, sleep: 0.01, timeout: 20 });
    talker = await Talker.start([], port);
    expect(await waiting).to.have.property('status', 'ok');
    expect(talker.heard).to.be.at.least(1);
  });

  it('waits until the port is closed', async () => {
    const waiting = run({ state: 'stopped', timeout: 20 });
    await talker.stop();
    expect(await waiting).to.have.property('status', 'ok');
  });

  it('waits until the server sends a matching text', async () => {
    const { status, values } = await run({ search_regex: '^(?:ready: (?P<word>yes|no)|(not yet))$', timeout: 20 });
    expect(status).to.equal('ok');
    expect(talker.heard).to.equal(2);
    expect(values).to.deep.include({ match_groups: ['yes', null], match_groupdict: { word: 'yes' } });
  });

  it('times out with the message of Ansible, or with `msg`', async () => {
    const { port } = talker;
    const where = `127.0.0.1:${port}`;
    expect(await run({ state: 'absent', timeout: 0.05 })).to.deep.include({
      status: 'failed',
      message: `Timeout when waiting for ${where} to stop.`,
    });
    expect(await run({ search_regex: 'never', timeout: 0.05 })).to.have.property(
      'message',
      `Timeout when waiting for search string never in ${where}`,
    );
    await talker.stop();
    const args = { host: '127.0.0.1', port, sleep: 0.01, timeout: 0.05 };
    expect(await act(waitFor, args)).to.have.property('message', `Timeout when waiting for ${where}`);
    expect(await act(waitFor, { ...args, msg: 'not up' })).to.have.property('message', 'not up');
  });

  it('does not count how long its controller waits for a fork', async () => {
    const { port } = talker;
    await talker.stop();
    const sleep = async (): Promise<void> => {
      // Another controller has the fork for longer than the time limit.
      await setTimeout(300);
      if (!talker.listening) talker = await Talker.start([], port);
    };
    const waiting = act(waitFor, { host: '127.0.0.1', port, sleep: 0.01, timeout: 0.2 }, { sleep });
    expect(await waiting).to.have.property('status', 'ok');
  });

  it('connects to the address of the controller by default', async () => {
    const result = await act(waitFor, { port: 1, timeout: 0 });
    expect(result).to.have.property('message', 'Timeout when waiting for lb01.example.com:1');
  });

  it('times out if the time limit ends while it connects', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { signal } = new AbortController();
    for (const listen of [-1, 0])
      expect(
        await receives(connect(port), new PythonExpression('never', '', 'search'), { connect: 5, listen, signal }),
      ).to.equal(false);
    silent.close();
  });

  it('waits for its time limit if it has no port', async () => {
    const slept: number[] = [];
    expect(await act(waitFor, { timeout: 5, delay: 2 }, { slept })).to.have.property('status', 'ok');
    expect(slept).to.deep.equal([7]);
  });

  it('neither waits nor connects in check mode, but says what it would wait for', async () => {
    const slept: number[] = [];
    const checked = (args: object): ReturnType<typeof act> => act(waitFor, args as never, { checkMode: true, slept });
    const { port } = talker;
    expect(await checked({ timeout: 5, delay: 2 })).to.deep.equal({
      status: 'ok',
      message: 'would wait for 7 s',
      values: { elapsed: 0, port: null, state: 'started', search_regex: null, match_groups: [], match_groupdict: {} },
    });
    const messages = [
      await checked(local({ delay: 3 })),
      await checked(local({ state: 'absent' })),
      await checked(local({ search_regex: 'ready' })),
      await checked({ port: 443 }),
    ].map((result) => result.message);
    expect(messages).to.deep.equal([
      `would wait for 127.0.0.1:${port}`,
      `would wait for 127.0.0.1:${port} to stop`,
      `would wait for search string ready in 127.0.0.1:${port}`,
      'would wait for lb01.example.com:443',
    ]);
    expect(await checked({ port, search_regex: '(' })).to.have.property('status', 'failed');
    expect([slept, talker.heard]).to.deep.equal([[], 0]);
  });

  it('refuses an invalid regular expression, and states that a controller cannot show', async () => {
    expect(await run({ search_regex: '(' })).to.have.property('message', '"(" is not a regular expression');
    expect(() => run({ state: 'drained' })).to.throw('"state" must be "started", "present", "stopped" or "absent"');
  });
});
