import type { IncomingHttpHeaders } from 'node:http';

/** One request as a simulated controller sees it. */
export interface SimulatedRequest {
  readonly method: string;
  /** Without the query and without the base URL's own path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** How the client addresses this controller, the base URL's path included: for `url` and `next`. */
  readonly base: string;
}
