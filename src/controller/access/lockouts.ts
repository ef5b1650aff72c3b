import { isRead } from '../../core/model/run/session.js';
import type { ApiCall } from '../exchange/call.js';
import { ControllerError } from '../exchange/controller_error.js';

/** `expected`: the next write may lock out. `written`: the write was sent. `lost`: sign-in has failed since. */
type LockoutState = 'expected' | 'written' | 'lost';

/** The controllers that a task of this run may lock out, and their state. */
export class Lockouts {
  readonly #states = new Map<string, LockoutState>();

  expect(controller: string): void {
    if (this.#states.get(controller) !== 'lost') this.#states.set(controller, 'expected');
  }

  isExpected(controller: string): boolean {
    return this.#states.has(controller);
  }

  isLost(controller: string): boolean {
    return this.#states.get(controller) === 'lost';
  }

  /** A request was answered. A write that the controller certainly refused cannot cause a lockout. */
  answered(controller: string, { method }: ApiCall, refused: boolean): void {
    if (this.#states.get(controller) !== 'expected' || isRead(method)) return;
    if (refused) this.#states.delete(controller);
    else this.#states.set(controller, 'written');
  }

  /** Returns the error of a request, as a `LockedOutError` if the expected lockout has happened. */
  judge(controller: string, call: ApiCall, error: ControllerError): ControllerError {
    const state = this.#states.get(controller);
    const arrived = state === 'written' || (state === 'expected' && error.uncertain && !isRead(call.method));
    if (!arrived || !isLoss(error)) return error;
    this.#states.set(controller, 'lost');
    return new LockedOutError(call, 'the controller cannot be reached after a write with allow_lockout', error);
  }
}

/** No connection, no answer, 401, or another server that answers; not a route that is down. */
function isLoss({ outcome, route, status = 0 }: ControllerError): boolean {
  if (route !== undefined) return false;
  return outcome === 'unreachable' || (status >= 300 && status < 400);
}

/** A task with `allow_lockout` has locked Evenkeel out of this controller. */
export class LockedOutError extends ControllerError {
  override readonly name = 'LockedOutError';

  constructor(call: ApiCall, what: string, cause?: ControllerError) {
    const hint = 'a task with allow_lockout changed the sign-in of this controller: no more requests are sent to it';
    super(call, what, { outcome: 'unreachable', hint, uncertain: cause?.uncertain, cause });
  }
}

export function notSent(call: ApiCall): LockedOutError {
  return new LockedOutError(
    call,
    'not sent: this controller no longer accepts sign-ins, after a task with allow_lockout',
  );
}
