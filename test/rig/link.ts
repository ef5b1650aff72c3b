import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A link of a network: passes TCP connections on to a port of this machine, late, not at all, or until it is cut. */
export class Link {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [near: Socket, far: Socket]>();
  #isStalled = false;
  #isHole = false;

  private constructor(
    private readonly target: number,
    /** Milliseconds in each direction. */
    private readonly delay: number,
  ) {
    this.#server = createServer({ noDelay: true }, (near) => {
      this.#open(near);
    });
  }

  static async to(target: number, delay = 0): Promise<Link> {
    const link = new Link(target, delay);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Nothing passes any more, and nobody is told. */
  stall(): void {
    this.#isStalled = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** What was sent meanwhile arrives. */
  resume(): void {
    this.#isStalled = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  /** What is sent from now on is lost, until `lost` is false; nobody is told. */
  lose(lost: boolean): void {
    this.#isHole = lost;
  }

  /** One end is gone, and the other end is not told: what it sends from now on goes nowhere. */
  halfOpen(): void {
    for (const [near, far] of this.#pairs) {
      near.removeAllListeners('data').resume();
      far.destroy();
    }
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #open(near: Socket): void {
    const far = connect({ port: this.target, host: '127.0.0.1', noDelay: true });
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('error', () => undefined);
      from.on('data', (data) => {
        if (this.#isHole) return;
        if (this.delay === 0) to.write(data);
        else setTimeout(() => to.write(data), this.delay);
      });
      if (this.#isStalled) from.pause();
    }
    near.on('close', () => {
      far.destroy();
      this.#pairs.delete(pair);
    });
    far.on('end', () => near.end());
  }
}
