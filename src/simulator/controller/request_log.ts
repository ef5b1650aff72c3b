import type { SimulatedRequest } from '../protocol/exchange.js';

/** One request that a simulated controller got. */
export interface LoggedRequest {
  readonly method: string;
  /** Without the base URL's own path and without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: SimulatedRequest['headers'];
  readonly body: string;
  /** What was answered, or null if the connection was closed or left without an answer. */
  readonly status: number | null;
}

const LIMIT = 1000;

/** Keeps the last requests, for tests and for the display of requests; only in memory, because headers contain credentials. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  constructor(private readonly enabled: boolean) {}

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  add(request: SimulatedRequest, status: number | null): void {
    if (!this.enabled) return;
    const { method, path, query, headers, body } = request;
    this.#entries.push({ method, path, query: Object.fromEntries(query), headers, body, status });
    if (this.#entries.length > LIMIT) this.#entries.shift();
  }

  clear(): void {
    this.#entries = [];
  }
}
