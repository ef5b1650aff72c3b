import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { ConnectionFailure } from '../../../src/controller/exchange/call.js';
import { OpenRoutes, type OpenRoute } from '../../../src/controller/route/open_routes.js';
import { ProxyState } from '../../../src/controller/route/proxy_state.js';
import { RouteCheck } from '../../../src/controller/route/route_check.js';
import { TunnelFailure } from '../../../src/controller/route/tunnel_failure.js';
import { parseProxy, type Route } from '../../../src/core/model/inventory/route.js';
import { serverCertificate } from '../../rig/certificates.js';
import { withClock } from '../../rig/clock.js';
import { settingsOf } from '../../rig/controllers.js';
import { ProxyServer } from '../../rig/proxy_server.js';
import { startFleet } from '../../rig/simulated.js';
import { SocksServer } from '../../rig/socks_server.js';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of cleanup.splice(0).toReversed()) await dispose();
});

/** A server on 127.0.0.1 with the number of connections it got, and its port. */
async function listening(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined));
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, address: `127.0.0.1:${port}`, connections: () => connections };
}

async function socksServer(options: Parameters<typeof SocksServer.start>[0] = {}): Promise<SocksServer> {
  const server = await SocksServer.start(options);
  cleanup.push(() => server.close());
  return server;
}

async function failureOf(promise: Promise<unknown>): Promise<ConnectionFailure> {
  const error: unknown = await promise.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  if (error instanceof ConnectionFailure) return error;
  throw new Error(String(error));
}

const madrid = (...proxies: readonly string[]): Route => ({ name: 'madrid', proxies });
const unnamed = (...proxies: readonly string[]): Route => ({ name: undefined, proxies });
const TO = { host: '127.0.0.1', port: 9 };
/** Nothing listens there. */
const DEAD = 'socks5h://127.0.0.1:1';

describe('the routes of a run', () => {
  let routes: OpenRoutes;
  beforeEach(() => {
    routes = new OpenRoutes();
    cleanup.push(() => {
      routes.close();
    });
  });
  const open = (route: Route): OpenRoute => {
    const opened = routes.to(route);
    if (opened === undefined) throw new Error('there is no proxy');
    return opened;
  };
  const failed = (route: Route, to = TO) => failureOf(open(route).open(to, 5000));

  it('are those with a proxy', () => {
    expect([routes.to(undefined), routes.to(madrid())]).to.deep.equal([undefined, undefined]);
    expect(() => routes.to(unnamed('ftp://x'))).to.throw(
      'this is not the URL of a SOCKS5 or HTTP proxy: check HTTPS_PROXY',
    );
    const [one, two] = [open(madrid(DEAD)), open(unnamed(DEAD, 'http://p'))];
    expect([one.text, two.text]).to.deep.equal(['route madrid', 'the proxies 127.0.0.1:1, p:80']);
    expect([one.hasAlternatives, two.hasAlternatives]).to.deep.equal([false, true]);
  });

  it('that are down say so, by their name or their proxies', async () => {
    const refuses = 'refuses connections';
    for (const [route, message, label] of [
      [madrid(DEAD), `route madrid: 127.0.0.1:1 ${refuses}: is the tunnel up?`, 'madrid'],
      [unnamed(DEAD), `the proxy 127.0.0.1:1 ${refuses}: is the tunnel up?`, '127.0.0.1:1'],
      [unnamed('http://127.0.0.1:2'), `the proxy 127.0.0.1:2 ${refuses}: is the proxy up?`, '127.0.0.1:2'],
      [
        madrid('http://127.0.0.1:2', DEAD),
        `route madrid: 127.0.0.1:2 ${refuses}, 127.0.0.1:1 ${refuses}: is the tunnel up?`,
        'madrid',
      ],
      [
        unnamed(DEAD, 'http://127.0.0.1:2'),
        `the proxy 127.0.0.1:1 ${refuses}, the proxy 127.0.0.1:2 ${refuses}: is the tunnel up?`,
        '127.0.0.1:1,127.0.0.1:2',
      ],
    ] as const) {
      const { type, message: said, hint, route: of } = await failed(route);
      expect([type, said, hint, of]).to.deep.equal(['connect', message, undefined, label]);
    }
  });

  it('have been down since their last proxy failed first', async () => {
    const before = performance.now();
    const first = await failed(madrid(DEAD));
    const between = performance.now();
    const both = await failed(madrid(DEAD, 'socks5h://127.0.0.1:2'));
    expect(first.since).to.be.within(before, between);
    expect(both.since).to.be.within(between, performance.now());
    expect((await failed(madrid(DEAD))).since).to.equal(first.since);
  });

  it('ask a proxy once for all that use it, and for a while not again', async () => {
    const closing = await listening((socket) => socket.destroy());
    const proxy = `socks5h://${closing.address}`;
    const all = await Promise.all([failed(madrid(proxy)), failed(unnamed(proxy)), failed(madrid(proxy))]);
    expect(all.map(({ message }) => message.replace(closing.address, 'P'))).to.deep.equal([
      'route madrid: P closes connections: is the tunnel up?',
      'the proxy P closes connections: is the tunnel up?',
      'route madrid: P closes connections: is the tunnel up?',
    ]);
    await failed(madrid(proxy));
    expect(closing.connections()).to.equal(1);
  });

  it('want credentials', async () => {
    const socks = await socksServer({ user: ['ann', 'secret'] });
    const set = 'set controller_proxy_username and controller_proxy_password';
    const check =
      'check controller_proxy_username and controller_proxy_password; credentials in the URL of the proxy count first';
    for (const [at, says, hint] of [
      [socks.address, 'wants a user name and a password', set],
      [`bob:wrong@${socks.address}`, 'refuses the user name or the password', check],
    ] as const) {
      const { type, message, hint: found, route } = await failed(madrid(`socks5h://${at}`));
      expect([type, message, found, route]).to.deep.equal([
        'proxy',
        `route madrid: ${socks.address} ${says}`,
        hint,
        'madrid',
      ]);
    }
    for (const status of ['407 No', '401 No']) {
      const http = await ProxyServer.start(status);
      cleanup.push(() => http.close());
      const wants = await failed(madrid(DEAD, `http://${http.address}`));
      expect([wants.type, wants.hint]).to.deep.equal(['proxy', set]);
      expect(wants.message).to.equal(
        `route madrid: 127.0.0.1:1 refuses connections, ${http.address} wants a user name and a password (${status.slice(0, 3)})`,
      );
    }
  });

  it('send a wrong password once, however many controllers use them, and not again', async () => {
    const socks = await socksServer({ user: ['ann', 'secret'] });
    const http = await ProxyServer.start('407 No');
    cleanup.push(() => http.close());
    const proxies = [`socks5h://bob:wrong@${socks.address}`, `http://bob:wrong@${http.address}`];
    await withClock(async (move) => {
      for (const proxy of proxies)
        for (let round = 1; round <= 2; round += 1) {
          const all = await Promise.all([1, 2, 3].map(() => failed(madrid(proxy))));
          expect(all.map(({ type, route }) => `${type} ${route}`)).to.deep.equal(all.map(() => 'proxy madrid'));
          move(5000);
        }
    });
    // The first connection to a SOCKS server sends no password: it shows whether the server works.
    expect([socks.greetings, http.tunnels.length]).to.deep.equal([2, 1]);
    const target = await listening((socket) => socket.write('hello'));
    const right = open(madrid(`socks5h://ann:secret@${socks.address}`));
    const opened = await Promise.all([1, 2, 3].map(() => right.open({ host: '127.0.0.1', port: target.port }, 5000)));
    for (const socket of opened) socket.destroy();
    expect(socks.asked).to.have.length(3);
  });

  it('send a password one after the other until one connection has ended, however long a refusal takes', async () => {
    const http = await ProxyServer.start();
    cleanup.push(() => http.close());
    const second = new Promise<void>((resolve) => {
      http.refusal = async () => {
        if (http.tunnels.length >= 2) resolve();
        await second;
        return '407 No';
      };
    });
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => failed(madrid(`http://bob:wrong@${http.address}`))));
    expect(all.map(({ type }) => type)).to.deep.equal(all.map(() => 'proxy'));
    expect(http.tunnels).to.have.length(2);
  });

  it('send a password one after the other also if the name of the first controller is unknown', async () => {
    const socks = await socksServer({ user: ['ann', 'secret'] });
    const route = open(madrid(`socks5://bob:wrong@${socks.address}`));
    const [unknown] = await Promise.allSettled([route.open({ host: 'lb.invalid', port: 443 }, 5000)]);
    expect(unknown.status === 'rejected' && String(unknown.reason)).to.include('is unknown on this machine');
    const to = { host: '127.0.0.1', port: 1 };
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => route.open(to, 5000)));
    expect(all.map(({ status }) => status)).to.deep.equal(all.map(() => 'rejected'));
    expect(socks.greetings).to.equal(2);
  });

  it('take the refusal of a password that was accepted before for one of that controller', async () => {
    const http = await ProxyServer.start();
    cleanup.push(() => http.close());
    const target = await listening((socket) => socket.write('hello'));
    const to = { host: '127.0.0.1', port: target.port };
    const route = open(madrid(`http://ann:right@${http.address}`));
    const opened = [await route.open(to, 5000)];
    http.refusal = (asked) => (asked === target.address ? undefined : '407 No');
    const [denied] = await Promise.allSettled([route.open({ host: '127.0.0.1', port: 1 }, 5000)]);
    expect(denied.status === 'rejected' && String(denied.reason)).to.include(
      `${http.address} cannot reach 127.0.0.1:1: it refuses the user name or the password (407)`,
    );
    opened.push(await route.open(to, 5000));
    for (const socket of opened) socket.destroy();
  });

  it('go on to the next proxy, and say why the first one that works cannot reach the controller', async () => {
    const [cannot, forbids, works] = [
      await socksServer({ refusal: 4 }),
      await socksServer({ refusal: 2 }),
      await socksServer(),
    ];
    const target = await listening((socket) => socket.write('hello'));
    const to = { host: '127.0.0.1', port: target.port };
    const route = madrid(DEAD, `socks5h://${cannot.address}`, `socks5h://${forbids.address}`);
    const failure = await failed(route, to);
    expect([failure.type, failure.message, failure.hint, failure.route]).to.deep.equal([
      'connect',
      `route madrid: ${cannot.address} cannot reach ${target.address}: host unreachable`,
      'is the controller up, and are the address and port right?',
      undefined,
    ]);
    const other = await failed(madrid(`socks5h://${forbids.address}`), to);
    expect([other.type, other.message, other.hint]).to.deep.equal([
      'proxy',
      `route madrid: ${forbids.address} cannot reach ${target.address}: its rules do not allow it`,
      'may this proxy reach the address and port of the controller?',
    ]);
    const socket = await open(madrid(DEAD, `socks5h://${works.address}`)).open(to, 5000);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect([data.toString(), works.asked]).to.deep.equal(['hello', [target.address]]);
    socket.destroy();
  });

  it('say that a name is unknown here, and that the certificate of a proxy is not trusted', async () => {
    const socks = await socksServer();
    const unknown = await failed(madrid(`socks5://${socks.address}`), { host: 'lb.invalid', port: 443 });
    expect(unknown.message).to.match(/ was not asked: the name lb\.invalid is unknown on this machine \([A-Z_]+\)$/);
    expect([unknown.type, unknown.hint, unknown.route]).to.deep.equal([
      'lookup',
      'socks5h:// resolves names at the far end of the route',
      undefined,
    ]);
    const { key, cert } = await serverCertificate();
    const server = createTlsServer({ key, cert }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.push(() => new Promise((resolve) => server.close(resolve)));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const untrusted = await failed(madrid(`https://${address}`));
    expect([untrusted.type, untrusted.message, untrusted.hint, untrusted.route]).to.deep.equal([
      'certificate',
      `route madrid: ${address} has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      'name a file with its authority in NODE_EXTRA_CA_CERTS',
      'madrid',
    ]);
  });

  it('prefer a proxy through which something arrives, and keep the others', async () => {
    const [first, second] = [await socksServer(), await socksServer()];
    const target = await listening((socket) => socket.end());
    const to = { host: '127.0.0.1', port: target.port };
    const [one, two] = [`socks5h://${first.address}`, `socks5h://${second.address}`];
    const both = open(madrid(one, two));
    const used = async (route: OpenRoute): Promise<string> => {
      const before = [first.asked.length, second.asked.length];
      (await route.open(to, 5000)).destroy();
      return [first, second].map(({ asked }, at) => asked.length - (before[at] ?? 0)).join('');
    };
    const [onlyFirst, onlySecond] = [open(madrid(one)), open(madrid(two))];
    for (const route of [onlyFirst, onlySecond]) await used(route);
    expect(await used(both)).to.equal('10');
    const silent = (route: OpenRoute): void => {
      route.silentSince(performance.now() + 1);
    };
    silent(both);
    expect([await used(both), await used(onlyFirst)]).to.deep.equal(['01', '10']);
    onlyFirst.arrived();
    expect(await used(both)).to.equal('10');
    for (const route of [onlyFirst, onlySecond]) silent(route);
    expect([await used(both), await used(onlyFirst), await used(onlySecond)]).to.deep.equal(['10', '10', '01']);
    onlySecond.arrived();
    expect(await used(both)).to.equal('01');
  });

  it('may close a connection early', async () => {
    const works = await socksServer();
    const target = await listening(() => undefined);
    const to = { host: '127.0.0.1', port: target.port };
    const route = open(madrid(`socks5h://${works.address}`));
    expect(route.closedEarly(to).message).to.equal('route madrid: : is the tunnel up?');
    (await route.open(to, 5000)).destroy();
    const failure = route.closedEarly(to);
    expect([failure.type, failure.message, failure.route]).to.deep.equal([
      'connect',
      `route madrid: ${works.address} closed the connection to ${target.address} before an answer`,
      undefined,
    ]);
    expect(failure.hint).to.match(/^ssh does not say why: is the controller up, and do PermitOpen/);
  });

  it('give modules a socket, or one that has ended with the reason', async () => {
    const target = await listening((socket) => socket.end('hello'));
    const to = { host: '127.0.0.1', port: target.port };
    const works = await socksServer();
    for (const route of [undefined, madrid(), madrid(`socks5h://${works.address}`)]) {
      const socket = await routes.socket(route, to, 5000);
      const [data] = (await once(socket, 'data')) as [Buffer];
      expect(data.toString()).to.equal('hello');
    }
    expect([works.asked, target.connections()]).to.deep.equal([[target.address], 3]);
    const refuses = await socksServer({ refusal: 5 });
    for (const [route, code] of [
      [madrid(DEAD), 'EROUTE'],
      [madrid(`socks5h://${refuses.address}`), 'ECONNREFUSED'],
    ] as const) {
      const socket = await routes.socket(route, to, 5000);
      expect(socket.destroyed).to.equal(true);
      expect(socket.errored).to.be.instanceOf(Error).and.to.include({ code });
    }
  });

  it('end the connections that are being opened', async () => {
    let greeted: () => void = () => undefined;
    const began = new Promise<void>((resolve) => (greeted = resolve));
    const silent = await listening((socket) => socket.once('data', greeted));
    const failure = failed(madrid(`socks5h://${silent.address}`));
    await began;
    routes.close();
    expect((await failure).message).to.equal(`route madrid: ${silent.address} closes connections: is the tunnel up?`);
  });
});

describe('what is known about a proxy', () => {
  const stateOf = (url: string): ProxyState => {
    const proxy = parseProxy(url);
    if (proxy === undefined) throw new Error(url);
    return new ProxyState(proxy, new Set());
  };

  it('is at first that it is due, and by its scheme whether it is a tunnel', () => {
    const state = stateOf('socks5h://ann:secret@[fd00::1]:1081');
    expect([state.isUp, state.isDue(true), state.isDue(false), state.isStalled()]).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
    expect([state.failure, state.downSince, state.shown]).to.deep.equal([undefined, undefined, '[fd00::1]:1081']);
    const urls = ['socks5://p', 'socks5h://p', 'http://p', 'https://p'];
    expect(urls.map((url) => stateOf(url).isTunnel)).to.deep.equal([true, true, false, false]);
  });

  it('is why and since when it is down, until it works again', async () => {
    const socks = await socksServer();
    const state = stateOf(`socks5h://${socks.address}`);
    const port = await socks.close();
    cleanup.splice(0);
    const before = performance.now();
    const both = [state.check(), state.check()];
    expect(both[0]).to.equal(both[1]);
    expect(await Promise.all(both)).to.deep.equal([false, false]);
    const since = state.downSince ?? 0;
    expect(since).to.be.within(before, performance.now());
    expect([state.isUp, state.failure?.message]).to.deep.equal([false, 'refuses connections']);
    expect([state.isDue(true), state.isDue(false)]).to.deep.equal([false, false]);
    await state.check();
    expect(state.downSince).to.equal(since);
    await socksServer({ port });
    expect(await state.check()).to.equal(true);
    expect([state.isUp, state.failure, state.downSince, state.isDue(true)]).to.deep.equal([
      true,
      undefined,
      undefined,
      true,
    ]);
  });

  it('is that it works if only the controller cannot be reached through it', async () => {
    const socks = await socksServer({ refusal: 5 });
    const state = stateOf(`socks5h://${socks.address}`);
    await state.check();
    const failure: unknown = await state.open(TO, 5000).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TunnelFailure).and.to.include({ fault: 'target' });
    expect([state.isUp, state.failure]).to.deep.equal([true, undefined]);
    await socks.close();
    cleanup.splice(0);
    await state.open(TO, 5000).catch(() => undefined);
    expect([state.isUp, state.failure?.message]).to.deep.equal([false, 'refuses connections']);
  });

  it('is that it has stalled if nothing has arrived since a controller was asked', () => {
    const state = stateOf('socks5h://p');
    state.arrived();
    state.silentSince(performance.now() - 1000);
    expect(state.isStalled()).to.equal(false);
    state.silentSince(performance.now() + 1);
    expect([state.isStalled(), state.isStalled()]).to.deep.equal([true, true]);
    state.arrived();
    expect(state.isStalled()).to.equal(false);
  });
});

describe('a check of routes', () => {
  const check = (signal = new AbortController().signal) => new RouteCheck(signal);

  it('says how long each proxy takes, or what is wrong with it', async () => {
    const socks = await socksServer();
    const found = await check().proxy(`socks5h://${socks.address}`);
    expect('milliseconds' in found && found.milliseconds)
      .to.be.above(0)
      .and.below(60_000);
    expect(await check().proxy(DEAD)).to.deep.equal({ failure: 'refuses connections' });
    expect(await check().proxy('ftp://x')).to.deep.equal({ failure: 'is not the URL of a SOCKS5 or HTTP proxy' });
    expect(socks.asked).to.deep.equal([]);
  });

  it('asks a controller through one proxy, without credentials', async () => {
    const fleet = await startFleet();
    cleanup.push(() => fleet.dispose());
    const [works, refuses] = [await socksServer(), await socksServer({ refusal: 5 })];
    const settings = settingsOf(fleet.url('lb1'), fleet.ca, { route: madrid(DEAD), timeout: 5 });
    const found = await check().controller(settings, `socks5h://${works.address}`);
    expect('milliseconds' in found && found.milliseconds)
      .to.be.above(0)
      .and.below(60_000);
    const [request, ...others] = fleet.controller('lb1').requests;
    expect([request?.method, request?.path, request?.headers.authorization, others.length]).to.deep.equal([
      'GET',
      '/',
      undefined,
      0,
    ]);
    expect(await check().controller(settings, `socks5h://${refuses.address}`)).to.deep.equal({
      failure: `route madrid: ${refuses.address} cannot reach ${fleet.url('lb1').slice(8)}: connection refused`,
      hint: 'is the controller up, and are the address and port right?',
    });
  });

  it('ends when it is aborted', async () => {
    let greeted: () => void = () => undefined;
    const began = new Promise<void>((resolve) => (greeted = resolve));
    const silent = await listening((socket) => socket.once('data', greeted));
    const abort = new AbortController();
    const looking = check(abort.signal).proxy(`socks5h://${silent.address}`);
    await began;
    abort.abort();
    expect(await looking).to.deep.equal({ failure: 'closes connections' });
  });
});
