import { isJsonObject, type JsonObject, type SimulatedJson } from '../../src/simulator/protocol/exchange.js';
import { RawClient, type RawReply } from './raw_client.js';

/** An object of a reply; throws if it is none. */
export function objectOf(value: SimulatedJson | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

/** Sends requests to a simulated controller of the dialect `avi` as real clients do: one login, then cookies, CSRF token and Referer. */
export class SessionClient {
  readonly #client: RawClient;
  readonly #url: string;
  cookies = '';
  csrfToken = '';
  tenant = 'admin';

  constructor(url: string, ca: string) {
    this.#client = new RawClient(ca);
    this.#url = url;
  }

  async login(username = 'admin', password = 'simulated'): Promise<RawReply> {
    const reply = await this.#client.send('POST', `${this.#url}/login`, {
      text: new URLSearchParams({ username, password }).toString(),
      headers: { authorization: undefined, 'content-type': 'application/x-www-form-urlencoded' },
    });
    const pairs = [reply.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '');
    this.cookies = pairs.join('; ');
    this.csrfToken = pairs.find((pair) => pair.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
    return reply;
  }

  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: SimulatedJson,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<RawReply> {
    const options = { ...(body !== undefined && { body }), headers: { ...this.#headers(), ...headers } };
    return this.#client.send(method, `${this.#url}${path}`, options);
  }

  /** @param body multipart/form-data with this boundary */
  upload(path: string, body: Buffer, boundary: string): Promise<RawReply> {
    const headers = { ...this.#headers(), 'content-type': `multipart/form-data; boundary=${boundary}` };
    return this.#client.send('POST', `${this.#url}${path}`, { text: body, headers });
  }

  #headers(): Readonly<Record<string, string | undefined>> {
    return {
      authorization: undefined,
      'x-vendor-version': undefined,
      'x-avi-version': '22.1.3',
      'x-avi-tenant': this.tenant,
      cookie: this.cookies,
      'x-csrftoken': this.csrfToken,
      referer: this.#url,
    };
  }

  /** The object of a reply that must have this status. */
  async object(...[method, path, body, status = method === 'POST' ? 201 : 200]: ObjectRequest): Promise<JsonObject> {
    const reply = await this.send(method, path, body);
    if (reply.status !== status) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return objectOf(reply.json());
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

type ObjectRequest = [method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: SimulatedJson, status?: number];
