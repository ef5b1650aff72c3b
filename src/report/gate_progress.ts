import type { Event, GateChecked, GateStarted } from '../model/run/event.js';

/** How far a gate is: a fold over the events from its start on. */
export class GateProgress {
  readonly started: GateStarted;
  /** Rounds that are through. */
  rounds = 0;
  /** Of those the last ones that passed, without one that failed. */
  row = 0;
  failedRounds = 0;
  /** Who failed in the last round that did. */
  failed: readonly string[] = [];
  /** When the next round begins, in milliseconds since the epoch; undefined while one is under way. */
  next: number | undefined;

  constructor(started: GateStarted) {
    this.started = started;
  }

  handle(event: Event): void {
    if (event.type === 'task-started') this.next = undefined;
    if (event.type === 'gate-checked') this.#check(event);
  }

  #check({ round, failed, time }: GateChecked): void {
    this.rounds = round;
    this.next = Date.parse(time) + this.started.interval * 1000;
    if (failed.length === 0) {
      this.row++;
      return;
    }
    this.row = 0;
    this.failedRounds++;
    this.failed = failed;
  }
}
