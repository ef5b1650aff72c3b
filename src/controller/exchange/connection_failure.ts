/**
 * Why an attempt got no answer. `connect`, `reset` and `timeout` may be temporary; `lookup`, `untrusted`,
 * `certificate`, `tls` and `proxy` come from the configuration; `malformed` and `oversized` are invalid answers;
 * `refused` (credentials that were refused before are not sent), `throttled` (the controller asks for a longer pause
 * than the deadline allows) and `closed` are decisions of Evenkeel; `local`: a local file could not be read or written.
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
  | 'closed'
  | 'local';

const UNCERTAIN: ReadonlySet<FailureType> = new Set([
  'reset',
  'timeout',
  'malformed',
  'oversized',
  'closed',
  'local',
] as const);

/** An attempt that ended without a complete answer. Internal to this folder: users see a `ControllerError`. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
  /** The route that is down for all of its controllers. Undefined: the failure concerns this controller. */
  readonly route: string | undefined;
  /** Since when the route has been down, in ms of `performance.now()`. */
  readonly since: number | undefined;

  constructor(
    readonly type: FailureType,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions & { readonly route?: string; readonly since?: number },
  ) {
    super(message, options);
    this.route = options?.route;
    this.since = options?.since;
  }

  /** The same request may succeed a moment later. */
  get temporary(): boolean {
    return this.type === 'connect' || this.type === 'reset' || this.type === 'timeout';
  }

  /** Nothing was sent, because there was no connection. */
  get unsent(): boolean {
    return this.type === 'connect';
  }

  /** A short text for narrow displays. */
  get brief(): string {
    const code = /\((E[A-Z]+)\)$/.exec(this.message)?.[1];
    return code ?? (this.type === 'reset' ? 'the connection broke' : this.message);
  }

  /** The request may have arrived, so a write may have taken effect. */
  get uncertain(): boolean {
    return UNCERTAIN.has(this.type);
  }
}
