import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { serverCertificate } from './certificates.js';
import type { Fleet } from './simulated.js';

/** One controller with a tenant for each controller of a fleet: the header `X-Tenant` names it; without one, the first is asked. */
export class TenantController {
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();
  /** The number of connections so far. */
  connections = 0;
  /** `METHOD tenant` of each request, in order. */
  readonly requests: string[] = [];

  private constructor(
    readonly fleet: Fleet,
    readonly ca: string,
    readonly server: Server,
  ) {
    this.#agent = new Agent({ connect: { ca: fleet.ca } });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('secureConnection', () => {
      this.connections += 1;
    });
    server.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      void this.#relay(asked, response);
    });
  }

  static async start(fleet: Fleet): Promise<TenantController> {
    const { ca, key, cert } = await serverCertificate();
    const server = createServer({ key, cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TenantController(fleet, ca, server);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
    await this.#agent.close();
  }

  async #relay(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'x-tenant': named, ...headers } = asked.headers;
    for (const hop of ['host', 'connection']) Reflect.deleteProperty(headers, hop);
    const tenant = typeof named === 'string' ? named : (this.fleet.names[0] ?? '');
    const method = asked.method ?? 'GET';
    this.requests.push(`${method} ${tenant}`);
    const body = await buffer(asked);
    const answer = await request(this.fleet.url(tenant) + (asked.url ?? ''), {
      method: method as 'GET',
      headers,
      body: body.length === 0 ? null : body,
      dispatcher: this.#agent,
    });
    const text = await answer.body.text();
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(text);
  }
}
