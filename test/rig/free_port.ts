import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to connections: tests beside this one open thousands of them, and each would
 * hold a port that was free a moment ago. Each process begins elsewhere, and takes none twice.
 */
const [FIRST, LAST] = [20_000, 31_999];
let last = FIRST + ((process.pid * 61) % (LAST - FIRST));

/** A port of 127.0.0.1 that nobody uses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = last === LAST ? FIRST : last + 1;
    last = port;
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
