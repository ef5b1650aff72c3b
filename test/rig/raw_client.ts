import { Agent, request, type Dispatcher } from 'undici';
import type { SimulatedJson } from '../../src/simulator/protocol/exchange.js';
import { DEFAULT_CREDENTIALS } from '../../src/simulator/service/accounts.js';

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Throws if the text is not JSON. */
  readonly json: () => SimulatedJson;
}

export interface RawRequest {
  readonly body?: SimulatedJson;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string | Buffer;
  /** Laid over the ones that a well-behaved client sends; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A bare HTTPS client that does nothing by itself: what it sends and gets is what went over the wire. */
export class RawClient {
  readonly #agent: Agent;

  constructor(ca: string) {
    this.#agent = new Agent({ connect: { ca }, connections: 1 });
  }

  async send(method: Dispatcher.HttpMethod, url: string, options: RawRequest = {}): Promise<RawReply> {
    const body = options.text ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const given = { ...wellBehaved(body !== null), ...options.headers };
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const answer = await request(url, { dispatcher: this.#agent, method, headers, body });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, json: () => JSON.parse(text) as SimulatedJson };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function wellBehaved(hasBody: boolean): Readonly<Record<string, string>> {
  const { username, password } = DEFAULT_CREDENTIALS;
  return {
    authorization: basic(username, password),
    'x-vendor-version': '22.1.3',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  };
}
