import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { isRead, type Destination, type Form } from '../../core/model/run/session.js';

/** One call to a controller, which may take several attempts. */
export interface ApiCall {
  readonly method: string;
  /** Below the controller's URL: begins with a slash, percent-encoded, query included. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Replaces `body`; read while it is sent. */
  readonly form?: Form | undefined;
  /** Receives the body of an answer of status 200. */
  readonly into?: Destination | undefined;
  /** Whether the same request may be sent again when its outcome is unknown. */
  readonly repeatable: boolean;
  /** Only the final answer counts: 202 means that there is none yet. */
  readonly isFact?: true;
  /** A failure is resolved by a look at the controller, so not even 429 is taken at its word. */
  readonly isLookedUp?: true;
  /** Replaces the tenant of the settings. */
  readonly tenant?: string;
  /** Not part of the API (sign-in): without version and tenant, and traces omit its body. */
  readonly outsideApi?: true;
  /** May be answered without credentials, so success says nothing about them. */
  readonly isPublic?: true;
}

export function get(path: string): ApiCall {
  return { method: 'GET', path, repeatable: true, isFact: true };
}

/** An answer with any status and the whole body. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** The body was not UTF-8, so `text` has replacement characters. */
  readonly garbled?: boolean;
  readonly contentType: string | undefined;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly setCookies?: readonly string[] | undefined;
  /** The controller granted the sign-in and forgot it: it restarts, or sends requests to another node. */
  readonly lostSignIn?: true;
  /** Nothing shows whether the write took effect, so it must not be sent again. */
  readonly outcomeUnknown?: boolean;
  /** This answer leaves open what has become of the call, or an earlier attempt of it ended without one that settles it. */
  readonly uncertain?: boolean;
}

/** What is known about the controller, shared by all tasks that use the client, which fills in the rest. */
export interface Addressee {
  settings: ConnectionSettings;
  /** The version header if the version comes from the controller. A version of the settings is in every request. */
  versionHeader: readonly string[];
  /** Whether the controller has the tenant of the settings. */
  hasTenant: boolean;
}

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

const UNCERTAIN: ReadonlySet<FailureType> = new Set(['reset', 'timeout', 'malformed', 'oversized', 'closed', 'local']);

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

/**
 * `unreachable`: no connection, TLS failure, no answer in time, or credentials refused.
 * `failed`: the controller rejected the request, or its answer is invalid.
 */
export type ErrorOutcome = 'unreachable' | 'failed';

export interface ErrorDetails {
  /** Default: `failed`. */
  readonly outcome?: ErrorOutcome;
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  /** The write may have taken effect although it was not confirmed. */
  readonly uncertain?: boolean | undefined;
  /** Whether the same request may succeed a moment later. */
  readonly temporary?: boolean | undefined;
  /**
   * Whether the cause may pass, even if the request was not even sent. Default: as `temporary`, after which a write may
   * have taken effect.
   */
  readonly passing?: boolean | undefined;
  /** The run itself stopped the request. */
  readonly givenUp?: boolean | undefined;
  /** The request timed out: the controller may still be working on it. */
  readonly late?: boolean | undefined;
  /** The route that is down for all of its controllers. */
  readonly route?: string | undefined;
  /** Why there was no answer. Absent: the controller answered, or another error is the cause. */
  readonly failure?: FailureType | undefined;
  /** Must not contain the request, which contains the credentials. */
  readonly cause?: unknown;
}

type FailedCall = Pick<ApiCall, 'method' | 'path'>;

/** A failed request. The message contains method, path and cause, unless a whole route is down; `hint` says what to do. */
export class ControllerError extends Error {
  override readonly name: string = 'ControllerError';
  readonly outcome: ErrorOutcome;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly hint: string | undefined;
  /** Set later if an earlier request of the same write may have taken effect. */
  uncertain: boolean;
  readonly temporary: boolean;
  readonly passing: boolean;
  readonly givenUp: boolean;
  readonly late: boolean;
  readonly route: string | undefined;
  readonly failure: FailureType | undefined;

  constructor({ method, path }: FailedCall, what: string, details: ErrorDetails = {}) {
    // What is wrong with a route concerns all of its controllers, whatever they ask for.
    super(
      details.route === undefined ? `${method} ${path}: ${what}` : what,
      details.cause === undefined ? {} : { cause: details.cause },
    );
    this.outcome = details.outcome ?? 'failed';
    this.method = method;
    this.path = path;
    this.status = details.status;
    this.hint = details.hint;
    this.uncertain = details.uncertain ?? false;
    this.temporary = details.temporary ?? false;
    this.passing = details.passing ?? this.temporary;
    this.givenUp = details.givenUp ?? false;
    this.late = details.late ?? false;
    this.route = details.route;
    this.failure = details.failure;
  }
}

/**
 * 412: the object changed between the read and the write. The engine reads and plans again, a few times at most.
 * `uncertain` is true when an earlier attempt of the same write lost its reply: then that write may be what changed it.
 */
export class StaleObjectError extends ControllerError {
  override readonly name = 'StaleObjectError';

  constructor(call: ApiCall, uncertain: boolean) {
    const hint = 'run again to read the object again';
    super(call, 'changed by someone else since it was read (412)', { status: 412, hint, uncertain });
  }
}

/** The details of the error of a request that was not sent, because one before it failed. */
export function notSentAfter({ method }: FailedCall, cause: ControllerError): ErrorDetails {
  const { outcome, hint, passing, givenUp, route } = cause;
  // A write was not sent, so there is nothing to look for on the controller.
  return { outcome, hint, temporary: cause.temporary && isRead(method), passing, givenUp, route, cause };
}
