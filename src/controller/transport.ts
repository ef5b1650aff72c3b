import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import type { ConnectionSettings } from '../model/connection.js';
import type { Answer, Call } from './exchange.js';
import { networkFailure, type Destination } from './network_failure.js';
import type { Limits } from './policy.js';
import { Pace } from './pace.js';
import { receive } from './receiver.js';
import { requestHeaders, type RequestHeaders } from './request_headers.js';
import { RequestSlots } from './request_slots.js';

/** Longer than any pause between two tasks should be; a controller that hints at less is heard. */
const KEEP_ALIVE_MS = 60_000;

export interface TransportOptions {
  readonly proxy: string | undefined;
  readonly secureContext: SecureContext;
  readonly limits: Limits;
}

/** The connection to one controller: made with the first request, kept until closed. Throws `ConnectionFailure` only. */
export class Transport {
  readonly #dispatcher: Dispatcher;
  readonly #destination: Destination;
  readonly #prefix: string;
  readonly #headers: RequestHeaders;
  readonly #slots: RequestSlots;
  readonly #pace: Pace;
  readonly #limits: { readonly timeoutMs: number; readonly responseBytes: number };

  constructor(settings: ConnectionSettings, options: TransportOptions) {
    const url = new URL(settings.url);
    this.#destination = {
      origin: url.origin,
      proxy: options.proxy === undefined ? undefined : new URL(options.proxy).origin,
    };
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#headers = requestHeaders(settings);
    this.#slots = new RequestSlots(settings.maxRequests);
    this.#pace = new Pace(settings.requestsPerSecond);
    this.#limits = { timeoutMs: settings.timeout * 1000, responseBytes: options.limits.responseBytes };
    this.#dispatcher = dispatcher(url.origin, settings, options);
  }

  /** Sends a call once. */
  send(call: Call): Promise<Answer> {
    return this.#slots.use(async () => {
      const wait = this.#pace.take(performance.now());
      if (wait > 0) await sleep(wait);
      try {
        return await receive(this.#dispatcher, this.#request(call), this.#limits);
      } catch (error) {
        throw networkFailure(error, this.#destination);
      }
    });
  }

  /** Requests still under way fail. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  #request(call: Call): Dispatcher.DispatchOptions {
    return {
      origin: this.#destination.origin,
      path: this.#prefix + encoded(call.path),
      method: call.method,
      headers: call.body === undefined ? this.#headers.bare : this.#headers.withBody,
      body: call.body ?? null,
    };
  }
}

/** Paths come encoded; what a user wrote into one may still hold spaces and letters of any script. */
function encoded(path: string): string {
  return /^[\x21-\x7e]*$/.test(path) ? path : encodeURI(path).replaceAll('%25', '%');
}

function dispatcher(origin: string, settings: ConnectionSettings, options: TransportOptions): Dispatcher {
  const timeout = settings.timeout * 1000;
  const tls = { secureContext: options.secureContext, rejectUnauthorized: settings.verifyTls, timeout };
  // The receiver keeps the time of a request as a whole, so undici's clocks for its parts stay off.
  const pool = {
    connections: settings.maxRequests,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (options.proxy === undefined) return new Pool(origin, { ...pool, connect: tls });
  return new ProxyAgent({
    ...pool,
    uri: options.proxy,
    requestTls: tls,
    proxyTls: { secureContext: options.secureContext, timeout },
  });
}
