import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { isFileError } from '../../core/files/file_error.js';
import { errorMessage } from '../../core/model/error_message.js';

const HOST = '127.0.0.1';

/** One TCP port on 127.0.0.1 and the connections that came in through it. */
export class Listener {
  readonly #sockets = new Set<Socket>();
  #resumption: NodeJS.Timeout | undefined;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    connected: (socket: Socket) => void,
  ) {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // A client that disconnects must not end this process.
      socket.on('error', () => socket.destroy());
      connected(socket);
    });
  }

  /** Port 0 means any free port. Throws with a message for the user if the port cannot be opened. */
  static async open(port: number, connected: (socket: Socket) => void): Promise<Listener> {
    const server = createServer({ noDelay: true });
    server.listen(port, HOST);
    await once(server, 'listening').catch((error: unknown) => {
      throw new Error(explain(error, port), { cause: error });
    });
    const address = server.address();
    const used = typeof address === 'object' && address !== null ? address.port : port;
    return new Listener(server, used, connected);
  }

  /** Refuses connections for so many milliseconds, and cuts those that are open. */
  pause(milliseconds: number): void {
    if (milliseconds === 0) return;
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#resumption = setTimeout(() => this.server.listen(this.port, HOST), milliseconds).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#resumption);
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function explain(error: unknown, port: number): string {
  if (isFileError(error, 'EADDRINUSE')) return `port ${port} is in use: choose another one`;
  if (isFileError(error, 'EACCES')) return `this user is not allowed to use port ${port}: choose one above 1023`;
  return `cannot listen on port ${port}: ${errorMessage(error)}`;
}
