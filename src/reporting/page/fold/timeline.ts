import type { Event, PlayStarted } from '../../../core/model/run/event.js';
import type { PageBatch, PageGate, PageHead, PagePlay } from '../format/page.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The plays, batches and gates of a run, with their times. */
export class Timeline {
  readonly #plays: Writable<PagePlay>[] = [];
  readonly #batches: Writable<PageBatch>[] = [];
  readonly #gates: Writable<PageGate>[] = [];
  /** The number of each play in the run, to find it again after a resume. */
  readonly #numbers: number[] = [];
  #begun = 0;
  /** The index of the current play. */
  play = 0;

  /** @param findRows the indexes of controllers */
  constructor(private readonly findRows: (names: readonly string[]) => readonly number[]) {}

  get content(): Pick<PageHead, 'plays' | 'batches' | 'gates'> {
    return { plays: this.#plays, batches: this.#batches, gates: this.#gates };
  }

  /** @param at in milliseconds since the start of the run */
  handle(event: Event, at: number): void {
    const gate = this.#gates.at(-1);
    if (event.type === 'run-started') this.#begun = 0;
    // A resume checks a gate again that an interrupt has ended.
    if (event.type === 'run-started' && event.resumed === true && gate?.ended === null) this.#gates.pop();
    if (event.type === 'play-started') this.#startPlay(event, at);
    if (event.type === 'play-finished') this.#endPlay(at);
    if (event.type === 'batch-started') {
      const { batch, batches, controllers } = event;
      const known = this.#batch(batch);
      if (known !== undefined) this.#batches.splice(this.#batches.indexOf(known), 1);
      const started = known?.started ?? at;
      const rows = [...new Set([...(known?.controllers ?? []), ...this.findRows(controllers)])];
      this.#batches.push({ play: this.play, batch, batches, controllers: rows, started, ended: null, failed: 0 });
    }
    if (event.type === 'batch-finished') {
      const batch = this.#batch(event.batch);
      if (batch !== undefined) [batch.ended, batch.failed] = [at, event.failed.length];
    }
    if (event.type === 'gate-started') {
      const { batch } = event;
      this.#gates.push({ play: this.play, batch, started: at, ended: null, rounds: 0, status: 'running' });
    }
    if (event.type === 'gate-checked' && gate !== undefined) gate.rounds++;
    if (event.type === 'gate-finished' && gate !== undefined)
      [gate.ended, gate.status, gate.action] = [at, event.status, event.action];
  }

  /** A resume emits `play-started` for known plays again. The rollback of a batch is not one of the run's plays. */
  #startPlay({ play, tasks, ...event }: PlayStarted, at: number): void {
    const rollback = event.rollback === true;
    const number = rollback ? 0 : ++this.#begun;
    const known = rollback ? -1 : this.#numbers.indexOf(number);
    if (known >= 0) {
      this.play = known;
      return;
    }
    this.#numbers.push(number);
    const controllers = event.controllers.length;
    this.play = this.#plays.push({ name: play, controllers, tasks, rollback, started: at, ended: null }) - 1;
  }

  #endPlay(at: number): void {
    const play = this.#plays[this.play];
    if (play !== undefined) play.ended = at;
    // The end of a rollback returns to the play whose batch it rolled back.
    if (play?.rollback === true) this.play = this.#numbers.indexOf(this.#begun);
  }

  #batch(number: number): Writable<PageBatch> | undefined {
    return this.#batches.find(({ play, batch }) => play === this.play && batch === number);
  }
}
