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

export function noOutcomes(): Record<ProgressOutcome, number> {
  return { ok: 0, changed: 0, failed: 0, unreachable: 0, 'cut off': 0, 'not started': 0 };
}

export function hasFailed({ outcome }: ControllerProgress): boolean {
  return outcome === 'failed' || outcome === 'unreachable';
}
