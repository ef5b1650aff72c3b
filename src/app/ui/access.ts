import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request is allowed. `enter`: it has the token, and gets the cookie in exchange. */
export type Access = 'granted' | 'enter' | 'refused';

/** Admits only readers that know the printed address: no other program, and no other page of the browser. */
export class Gatekeeper {
  readonly token = secret();
  readonly #session = secret();
  #names: ReadonlySet<string> = new Set();
  #cookie = '';

  /** @param port that the server listens on */
  listening(port: number): void {
    this.#names = new Set(['127.0.0.1', 'localhost'].map((name) => (port === 80 ? name : `${name}:${port}`)));
    // A browser shares cookies between all ports of a machine.
    this.#cookie = `evenkeel-${port}`;
  }

  get cookie(): string {
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  accessOf({ headers }: Pick<IncomingMessage, 'headers'>, url: URL): Access {
    const { host = '', origin, cookie = '' } = headers;
    // DNS rebinding: a foreign page can point its own name to this address.
    if (!this.#names.has(host)) return 'refused';
    if (origin !== undefined && origin !== `http://${host}`) return 'refused';
    const token = url.searchParams.get('token');
    if (url.pathname === '/' && token !== null) return isEqual(token, this.token) ? 'enter' : 'refused';
    const given = cookie.split(/;\s*/).find((one) => one.startsWith(`${this.#cookie}=`));
    return given !== undefined && isEqual(given.slice(this.#cookie.length + 1), this.#session) ? 'granted' : 'refused';
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time. */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
