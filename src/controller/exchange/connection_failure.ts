/**
 * Why an attempt brought no answer.
 * `connect`, `reset`, `timeout` may pass; `lookup`, `untrusted`, `certificate`, `tls`, `proxy` are how things are set up; `malformed` and
 * `oversized` are answers that make no sense; `refused` (credentials that were refused before are not sent), `throttled` (the controller wants
 * to be left alone for longer than anyone waits) and `closed` are our own doing.
 */
export type FailureType =
  | 'connect'
  | 'reset'
  | 'timeout'
  | 'lookup'
  | 'untrusted'
  | 'certificate'
  | 'tls'
  | 'proxy'
  | 'malformed'
  | 'oversized'
  | 'refused'
  | 'throttled'
  | 'closed';

const UNCERTAIN: ReadonlySet<FailureType> = new Set(['reset', 'timeout', 'malformed', 'oversized', 'closed'] as const);

/** An attempt that ended without a complete answer. Inner to this folder: users see it as a `ControllerError`. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';

  constructor(
    readonly type: FailureType,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The same request may fare better in a moment. */
  get passing(): boolean {
    return this.type === 'connect' || this.type === 'reset' || this.type === 'timeout';
  }

  /** The request may have arrived, and a write have taken effect. */
  get uncertain(): boolean {
    return UNCERTAIN.has(this.type);
  }
}
