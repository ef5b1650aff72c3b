import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers each request as the test says, without TLS. */
export class PlainServer {
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end('{}');
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.answer(request, response);
    });
  }

  static async start(): Promise<PlainServer> {
    const started = new PlainServer();
    await once(started.#server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
