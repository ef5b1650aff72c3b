import { isRead } from '../../core/model/run/session.js';
import type { ApiCall } from './call.js';
import type { FailureType } from './connection_failure.js';

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
   * Whether the cause may pass, also if the request was not even sent. Default: as `temporary`, after which a write may
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
  readonly uncertain: boolean;
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
