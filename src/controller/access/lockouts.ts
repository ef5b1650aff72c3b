import { isRead } from '../../model/run/session.js';
import { ControllerError } from '../exchange/controller_error.js';
import type { Call } from '../exchange/call.js';

/** `expected`: the next write may lock out. `written`: the write was sent. `lost`: sign-in has failed since. */
type State = 'expected' | 'written' | 'lost';

/** The controllers (by URL) that a task of this run may lock out, and their state. */
export class Lockouts {
  readonly #states = new Map<string, State>();

  expect(url: string): void {
    if (this.#states.get(url) !== 'lost') this.#states.set(url, 'expected');
  }

  isExpected(url: string): boolean {
    return this.#states.has(url);
  }

  isLost(url: string): boolean {
    return this.#states.get(url) === 'lost';
  }

  /** A request was answered. A write that the controller certainly refused cannot cause a lockout. */
  answered(url: string, { method }: Call, refused: boolean): void {
    if (this.#states.get(url) !== 'expected' || isRead(method)) return;
    if (refused) this.#states.delete(url);
    else this.#states.set(url, 'written');
  }

  /** Returns the error of a request, as a `LockedOutError` if the expected lockout has happened. */
  judge(url: string, call: Call, error: ControllerError): ControllerError {
    const state = this.#states.get(url);
    const arrived = state === 'written' || (state === 'expected' && error.uncertain && !isRead(call.method));
    if (!arrived || !isLoss(error)) return error;
    this.#states.set(url, 'lost');
    return new LockedOutError(call, 'the controller cannot be reached after a write with allow_lockout', error);
  }
}

/** No connection, no answer, 401, or another server that answers. */
function isLoss({ outcome, status = 0 }: ControllerError): boolean {
  return outcome === 'unreachable' || (status >= 300 && status < 400);
}

/** A task with `allow_lockout` has locked Evenkeel out of this controller. */
export class LockedOutError extends ControllerError {
  override readonly name = 'LockedOutError';

  constructor({ method, path }: Call, what: string, cause?: ControllerError) {
    const hint = 'a task with allow_lockout changed the sign-in of this controller: no more requests are sent to it';
    super(what, { outcome: 'unreachable', method, path, hint, uncertain: cause?.uncertain, cause });
  }
}

export function notSent(call: Call): LockedOutError {
  return new LockedOutError(
    call,
    'not sent: this controller no longer accepts sign-ins, after a task with allow_lockout',
  );
}
