import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { isFileError } from '../../core/files/paths.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';

/** PEM texts: the authority that a client must trust, and the certificate and key of simulated controllers. */
export interface Certificate {
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

/**
 * A new authority and one certificate for `localhost`, `127.0.0.1` and `::1`. Created at each start and kept in memory only: a stored key
 * of a trusted authority would be a security hole.
 */
export async function makeCertificate(now: Date): Promise<Certificate> {
  // Loaded here, because it loads slowly, and only the start of a simulator needs it.
  const { generate } = (await import('selfsigned')).default;
  const common = {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: hoursFrom(now, -24),
    notAfterDate: hoursFrom(now, 24 * 365),
  } as const;
  // A unique name, so that trusting an authority of an earlier start fails as "unknown issuer", not as a broken signature.
  const name = `Evenkeel simulator ${randomUUID()}`;
  const authority = await generate([{ name: 'commonName', value: name }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...SERVER_NAMES] },
    ],
  });
  return { ca: authority.cert, key: server.private, cert: server.cert };
}

let shared: Promise<Certificate> | undefined;

/** The same certificate each time in this process, because creating one takes longer than most tests. */
export function sharedCertificate(): Promise<Certificate> {
  return (shared ??= makeCertificate(new Date()));
}

/** X.509 general names: 2 is a host name, 7 an address. */
const SERVER_NAMES = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' },
] as const;

function hoursFrom(date: Date, hours: number): Date {
  return new Date(date.getTime() + hours * 3_600_000);
}

const HOST = '127.0.0.1';
/** Milliseconds after which a port that another program has is tried again. */
const NEXT_ATTEMPT = 100;

/** One TCP port on 127.0.0.1 and the connections that came in through it. */
export class Listener {
  readonly #sockets = new Set<Socket>();
  #resumption: NodeJS.Timeout | undefined;
  #isClosed = false;

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
    // Another program has the port that was free meanwhile.
    server.on('error', () => {
      if (!server.listening) this.#listenLater(NEXT_ATTEMPT);
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
    this.#listenLater(milliseconds);
  }

  /** Until then, only this timer keeps a process running that does nothing else. */
  #listenLater(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#resumption = setTimeout(() => this.server.listen(this.port, HOST), milliseconds);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
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
