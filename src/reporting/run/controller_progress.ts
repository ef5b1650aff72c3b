import { generalMessage } from '../text/messages.js';

export type ProgressOutcome = 'ok' | 'changed' | 'failed' | 'unreachable' | 'cut off' | 'not started';

/** Where one controller is in its play. */
export interface ControllerProgress {
  readonly name: string;
  state: 'waiting' | 'active' | 'finished';
  outcome: ProgressOutcome;
  tasks: number;
  changes: number;
  /** Set if the controller failed. */
  task: string | undefined;
  message: string | undefined;
}

export interface ActiveTask {
  readonly controller: string;
  readonly task: string;
  /** The number of the task, from 1, among the planned tasks of the play: `2/3`. Undefined for handlers and included tasks. */
  readonly place: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** What the task waits for: `until 4/30`, and the message of the last attempt. */
  readonly waiting?: string;
  /** When the wait ends, in milliseconds since the epoch; NaN if that is unknown. */
  readonly until: number;
}

/** A cause, how many controllers it has hit, and their routes. */
export interface Trouble {
  readonly first: ControllerProgress;
  controllers: number;
  readonly routes: Set<string>;
}

export function noOutcomes(): Record<ProgressOutcome, number> {
  return { ok: 0, changed: 0, failed: 0, unreachable: 0, 'cut off': 0, 'not started': 0 };
}

export function isLost({ outcome }: ControllerProgress): boolean {
  return outcome === 'failed' || outcome === 'unreachable';
}

/** Why controllers failed or could not be reached, in the order of first occurrence. */
export class Troubles {
  /** Keyed by task and general message. */
  readonly #byCause = new Map<string, Trouble>();

  get all(): readonly Trouble[] {
    return [...this.#byCause.values()];
  }

  /** @param one a controller whose task has just failed */
  add(one: ControllerProgress, route: string | undefined): void {
    const key = `${one.task ?? ''}\n${generalMessage(one.message ?? '', one.name)}`;
    const known = this.#byCause.get(key) ?? { first: one, controllers: 0, routes: new Set<string>() };
    this.#byCause.set(key, known);
    known.controllers++;
    if (route !== undefined) known.routes.add(route);
  }
}
