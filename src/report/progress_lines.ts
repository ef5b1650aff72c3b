import type { Event } from '../model/run/event.js';
import { gateNow } from './gate_text.js';
import { PlayProgress } from './progress.js';
import { duration, grouped } from './words.js';

/** Fewer controllers are done before a share of them says anything. */
const FEWEST = 11;
const STEP = 0.1;
const LONGEST_SILENCE = 30_000;

/** A line every tenth of a play's work, and every 30 seconds while there is some. */
export class ProgressLines {
  #progress: PlayProgress | undefined;
  #toldFraction = 0;
  #toldAt = 0;

  /** The line that is due after this event. */
  handle(event: Event): string | undefined {
    if (event.type === 'play-started') {
      this.#progress = new PlayProgress(event);
      this.#toldFraction = 0;
      this.#toldAt = this.#progress.startedAt;
    }
    if (event.type === 'play-finished' || event.type === 'run-finished') this.#progress = undefined;
    this.#progress?.handle(event);
    // After a task the controller is between two things: what follows says whether it is done.
    return event.type === 'task-finished' ? undefined : this.due(Date.parse(event.time));
  }

  /** The line that is due at this time (milliseconds since the epoch), even if nothing happens. */
  due(now: number): string | undefined {
    const progress = this.#progress;
    if (progress === undefined) return undefined;
    const step = progress.total >= FEWEST && progress.fraction >= this.#toldFraction + STEP - 1e-9;
    if (!step && now - this.#toldAt < LONGEST_SILENCE) return undefined;
    this.#toldFraction = Math.floor(progress.fraction / STEP + 1e-9) * STEP;
    this.#toldAt = now;
    return progressLine(progress, now);
  }
}

function progressLine(progress: PlayProgress, now: number): string {
  const { fraction, finished, total, active, outcomes, gate, startedAt } = progress;
  const { failed, unreachable } = outcomes;
  if (gate !== undefined) return `progress ${gateNow(gate, now)} · ${duration((now - startedAt) / 1000)}`;
  return [
    `progress ${Math.floor(fraction * 100 + 1e-9)} %`,
    `${grouped(finished)} of ${grouped(total)} controllers`,
    ...(active > 0 ? [`${grouped(active)} active`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(unreachable > 0 ? [`${grouped(unreachable)} unreachable`] : []),
    duration((now - startedAt) / 1000),
  ].join(' · ');
}
