import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface SocksOptions {
  /** Absent: whichever is free. */
  readonly port?: number;
  /** The user name and the password that it wants. */
  readonly user?: readonly [name: string, password: string];
  /** The reply code instead of a connection (RFC 1928, section 6). */
  readonly refusal?: number;
  /** The real port of an address of its network, by `host:port`. Absent: as it was asked for. */
  readonly network?: ReadonlyMap<string, number>;
  /** As OpenSSH does: says that it is connected before it is. */
  readonly isHasty?: boolean;
}

/** A SOCKS5 server (RFC 1928, RFC 1929). */
export class SocksServer {
  readonly #server: Server = createServer((socket) => {
    this.#sockets.add(socket.on('error', () => socket.destroy()));
    this.greetings += 1;
    if (!this.isSilent) void this.#serve(socket, new Reader(socket)).catch(() => socket.destroy());
  });
  readonly #sockets = new Set<Socket>();
  /** `host:port` of each connection asked for, in order. */
  readonly asked: string[] = [];
  /** Connections to the server itself. */
  greetings = 0;
  /** Accepts connections and says nothing, as the listener of a stopped `ssh` does. */
  isSilent = false;

  private constructor(private readonly options: SocksOptions) {}

  static async start(options: SocksOptions = {}): Promise<SocksServer> {
    const server = new SocksServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Data no longer passes through the connections, and nothing is closed. */
  stall(): void {
    this.isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Ends it and its connections. Returns the port. */
  async close(): Promise<number> {
    const { port } = this;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    return port;
  }

  async #serve(socket: Socket, reader: Reader): Promise<void> {
    const { user, refusal, isHasty = false } = this.options;
    const [, count = 0] = await reader.take(2);
    const methods = await reader.take(count);
    const method = user === undefined ? 0 : 2;
    socket.write(Buffer.from([5, methods.includes(method) ? method : 0xff]));
    if (!methods.includes(method)) return;
    if (user !== undefined) {
      const [, length = 0] = await reader.take(2);
      const name = (await reader.take(length)).toString();
      const password = (await reader.take((await reader.take(1))[0] ?? 0)).toString();
      const isRight = name === user[0] && password === user[1];
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) return;
    }
    const [, , , type] = await reader.take(4);
    const host = await this.#host(type, reader);
    const port = (await reader.take(2)).readUInt16BE();
    this.asked.push(`${host}:${port}`);
    const reply = (code: number): boolean => socket.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (refusal !== undefined) {
      reply(refusal);
      return;
    }
    if (isHasty) reply(0);
    reader.stop();
    const own = this.options.network?.get(`${host}:${port}`);
    const target = connect(own === undefined ? { host, port } : { host: '127.0.0.1', port: own });
    this.#sockets.add(target);
    target.on('error', () => {
      if (!isHasty) reply(5);
      socket.destroy();
    });
    target.on('connect', () => {
      if (!isHasty) reply(0);
      socket.pipe(target).pipe(socket);
    });
    socket.on('close', () => target.destroy());
  }

  async #host(type: number | undefined, reader: Reader): Promise<string> {
    if (type === 1) return (await reader.take(4)).join('.');
    if (type === 3) return (await reader.take((await reader.take(1))[0] ?? 0)).toString();
    const bytes = await reader.take(16);
    return Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16)).join(':');
  }
}

/** Takes a given number of bytes from a socket. */
class Reader {
  #received = Buffer.alloc(0);
  #wake: () => void = () => undefined;
  readonly #take = (data: Buffer): void => {
    this.#received = Buffer.concat([this.#received, data]);
    this.#wake();
  };

  constructor(private readonly socket: Socket) {
    socket.on('data', this.#take);
  }

  async take(count: number): Promise<Buffer> {
    while (this.#received.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
    const taken = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return taken;
  }

  /** What arrives from now on is for others. */
  stop(): void {
    this.socket.off('data', this.#take).pause();
  }
}
