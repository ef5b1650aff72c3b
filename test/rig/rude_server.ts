import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { serverCertificate, type ServerCertificate } from './certificates.js';

/** What the server does with a request: `head` is its first line and headers, `socket` what it came in on. */
export type Manners = (socket: Socket, head: string, nth: number) => void;

/**
 * A server that speaks no HTTP by itself: each request is handed over as text, and whatever is written goes out as it is. For
 * answers that no HTTP library would send.
 */
export class RudeServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #encrypted = new Map<Socket, Socket>();
  /** First line and headers of each request, in order. */
  readonly requests: string[] = [];
  connections = 0;
  /** `https://127.0.0.1:port`. */
  url = '';

  private constructor(
    readonly certificate: ServerCertificate,
    readonly secure: boolean,
    manners: Manners,
  ) {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      this.#listen(secure ? this.#encrypt(socket) : socket, manners);
    });
  }

  static async start(
    manners: Manners,
    options: { certificate?: ServerCertificate; secure?: boolean } = {},
  ): Promise<RudeServer> {
    const server = new RudeServer(options.certificate ?? (await serverCertificate()), options.secure ?? true, manners);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.url = `${server.secure ? 'https' : 'http'}://127.0.0.1:${(server.#server.address() as AddressInfo).port}`;
    return server;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #encrypt(socket: Socket): TLSSocket {
    const { key, cert } = this.certificate;
    // So that it can serve what clients should refuse.
    const secureContext = createSecureContext({ key, cert, ciphers: 'DEFAULT@SECLEVEL=0' });
    const encrypted = new TLSSocket(socket, { isServer: true, secureContext });
    encrypted.on('error', () => socket.destroy());
    this.#encrypted.set(encrypted, socket);
    return encrypted;
  }

  /** Sends plain text where TLS is expected, as a box on the way does. */
  breakTls(encrypted: Socket): void {
    this.#encrypted.get(encrypted)?.write('HTTP/1.1 400 Bad Request\r\n\r\n');
  }

  #listen(socket: Socket, manners: Manners): void {
    socket.on('data', (bytes: Buffer) => {
      const head = bytes.toString();
      // Small bodies come with their heads or right after; only heads are requests.
      if (!/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(head)) return;
      this.requests.push(head);
      manners(socket, head, this.requests.length);
    });
  }
}

/** A whole HTTP answer. */
export function answer(status: string, body: string, headers: readonly string[] = []): string {
  const lines = [
    `HTTP/1.1 ${status}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export const EMPTY_LIST = answer('200 OK', '{"count":0,"results":[]}');
