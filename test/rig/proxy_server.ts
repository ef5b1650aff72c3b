import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy that tunnels to any address, or answers with a given status. */
export class ProxyServer {
  readonly #server: Server = createServer();
  readonly #sockets = new Set<Socket>();
  /** `host:port` and credentials of each tunnel asked for. */
  readonly tunnels: { readonly to: string; readonly authorization: string | undefined }[] = [];

  /** How many tunnels are open at the same time. */
  admits = Infinity;
  mostWaiting = 0;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(public refusal: (to: string) => string | undefined | Promise<string | undefined>) {
    this.#server.on('connection', (socket) => this.#sockets.add(socket));
    this.#server.on('connect', (request: IncomingMessage, socket: Socket) => {
      const to = request.url ?? '';
      this.tunnels.push({ to, authorization: request.headers['proxy-authorization'] });
      void this.#answer(to, socket);
    });
  }

  async #answer(to: string, socket: Socket): Promise<void> {
    const refusal = await this.refusal(to);
    if (refusal === undefined)
      this.#admit(() => {
        this.#tunnel(to, socket);
      }, socket);
    else socket.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\n\r\n`);
  }

  /** Lets tunnels wait until fewer are open. */
  #admit(open: () => void, socket: Socket): void {
    const begin = (): void => {
      this.#open++;
      socket.once('close', () => {
        this.#open--;
        this.#waiting.shift()?.();
      });
      open();
    };
    if (this.#open < this.admits) begin();
    else this.#waiting.push(begin);
    this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.length);
  }

  static async start(refusal?: string): Promise<ProxyServer> {
    const proxy = new ProxyServer(() => refusal);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #tunnel(to: string, socket: Socket): void {
    const [host, port] = to.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    this.#sockets.add(target);
    for (const end of [socket, target]) end.on('error', () => socket.destroy());
  }
}
