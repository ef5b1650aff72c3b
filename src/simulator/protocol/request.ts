import type { IncomingHttpHeaders } from 'node:http';

/** One request as a simulated controller sees it. */
export interface SimulatedRequest {
  readonly method: string;
  /** Without the query and without the base URL's own path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of a multipart/form-data body, whose `body` is empty. */
  readonly upload?: Upload;
  /** How the client addresses this controller, the base URL's path included: for `url` and `next`. */
  readonly base: string;
}

/** What is kept of an upload; not its content. */
export interface Upload {
  /** Whether the closing boundary came. */
  readonly isComplete: boolean;
  readonly file: { readonly name: string; readonly size: number; readonly sha256: string } | undefined;
}
