import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { isRead, type WaitWithoutFork } from '../../core/model/run/session.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { ControllerError, type ApiCall } from '../exchange/call.js';

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
  const what = 'not sent: this controller no longer accepts sign-ins, after a task with allow_lockout';
  return new LockedOutError(call, what);
}

/** How many controllers in a row may refuse the same credentials before the run stops trying them. */
const LIMIT = 3;
/** The longest time that an unresponsive controller delays others, in ms. */
const PATIENCE = 1000;

/** The state of a client's credentials at its controller. */
export interface CredentialWatch {
  /** Why the credentials must not be sent to the controller, if that is so. */
  objection(): string | undefined;
  /**
   * Until a controller accepts the credentials, lets its requests try them one after the other, and few controllers at
   * once.
   */
  tryInTurn<T>(wait: WaitWithoutFork, work: () => Promise<T>): Promise<T>;
  refuse(): void;
  accept(): void;
}

type Refusing = Pick<ConnectionSettings, 'controller' | 'username'>;

/**
 * What controllers say about one pair of user name and password. Accounts lock after a few failures, so a controller that answered 401
 * does not get the same credentials again, under any name. Three refusals in a row mean that the credentials are wrong. Until one
 * controller accepts them, at most three try them at once.
 */
class TriedCredentials {
  readonly #refused = new Set<string>();
  readonly #accepted = new Set<string>();
  /** The names of controllers that refused them since the last one accepted them, by identity. */
  readonly #refusedInARow = new Map<string, string>();
  /** The controllers that are trying them, by identity; each promise resolves at the end of the trial. */
  readonly #trials = new Map<string, Promise<void>>();
  /** Controllers that have not answered yet. */
  #unanswered = 0;
  #waiting: (() => void)[] = [];

  /** Returns what to say about it if this refusal makes it three controllers in a row. */
  refuse(controller: string, { controller: name, username }: Refusing): string | undefined {
    this.#refused.add(controller);
    const before = this.#refusedInARow.size;
    this.#refusedInARow.set(controller, name);
    const names = [...this.#refusedInARow.values()];
    if (before >= LIMIT || names.length < LIMIT) return undefined;
    return `${names.length} controllers in a row refused the credentials of user "${username}" (${names.join(', ')})`;
  }

  accept(controller: string): void {
    this.#refused.delete(controller);
    if (this.#refusedInARow.size === 0 && this.#accepted.has(controller)) return;
    this.#refusedInARow.clear();
    this.#accepted.add(controller);
    this.#notifyWaiting();
  }

  /** For credentials that were a guess: their refusal says nothing about other controllers. */
  refuseGuess(controller: string): void {
    this.#refused.add(controller);
  }

  /** After a change of the password, an earlier refusal says nothing. */
  forget(controller: string): void {
    this.#refused.delete(controller);
  }

  hasRefused(controller: string): boolean {
    return this.#refused.has(controller);
  }

  /** Why they must not be sent there, if that is so. */
  objection(controller: string): string | undefined {
    if (this.hasRefused(controller)) return 'this controller has refused these credentials before';
    const { size } = this.#refusedInARow;
    if (size < LIMIT || this.#accepted.has(controller)) return undefined;
    return `${size} controllers in a row have refused these credentials`;
  }

  /**
   * Does the work at once if the controller has accepted the credentials before; until then one request at a time, and
   * few controllers at once.
   */
  tryInTurn<T>(controller: string, wait: WaitWithoutFork, work: () => Promise<T>): Promise<T> {
    return this.#accepted.has(controller) ? work() : this.#tryOut(controller, wait, work);
  }

  async #tryOut<T>(controller: string, wait: WaitWithoutFork, work: () => Promise<T>): Promise<T> {
    const trial = (): Promise<void> | undefined => this.#trials.get(controller);
    for (let other = trial(); other !== undefined; other = trial()) await wait(() => other);
    if (this.#accepted.has(controller)) return work();
    let end: () => void = () => undefined;
    this.#trials.set(controller, new Promise<void>((resolve) => (end = resolve)));
    try {
      while (!this.#mayBeTried) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return await this.#countingUnanswered(work);
    } finally {
      this.#trials.delete(controller);
      end();
    }
  }

  /** Whether one more controller may try them: never more than the refusals that stop the run. */
  get #mayBeTried(): boolean {
    const { size } = this.#refusedInARow;
    if (size === 0 && this.#accepted.size > 0) return true;
    return size >= LIMIT || this.#unanswered + size < LIMIT;
  }

  async #countingUnanswered<T>(work: () => Promise<T>): Promise<T> {
    let open = true;
    const end = (): void => {
      if (!open) return;
      open = false;
      this.#unanswered -= 1;
      this.#notifyWaiting();
    };
    this.#unanswered += 1;
    const timer = setTimeout(end, PATIENCE);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  #notifyWaiting(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** The credentials of a run. */
export class CredentialRefusals {
  readonly #known = new Map<string, TriedCredentials>();

  tried(credentials: string): TriedCredentials {
    return getOrAdd(this.#known, credentials, () => new TriedCredentials());
  }
}
