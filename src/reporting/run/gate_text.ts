import type { Event, GateChecked, GateFinished, GateStarted } from '../../core/model/run/event.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { count, duration, grouped, nameSome } from '../text/words.js';

const MOST_NAMES = 5;

/** `gate · 20 controllers · 3 rounds in a row must pass, 1 may fail` */
function gateHeading({ controllers, passes, failures }: GateStarted): string {
  const demands = [
    ...(passes > 1 ? [`${count(passes, 'round')} in a row must pass`] : []),
    ...(failures > 1 ? [`${grouped(failures - 1)} may fail`] : []),
  ];
  return ['gate', count(controllers.length, 'controller'), ...(demands.length === 0 ? [] : [demands.join(', ')])].join(
    ' · ',
  );
}

/** Whether single rounds are worth reporting. */
function hasRounds({ passes, failures }: GateStarted): boolean {
  return passes > 1 || failures > 1;
}

/** `gate round 3 failed on lb1, lb2 · 1 of 2 failures`, `gate round 4 passed · 1 of 3`: for a finished round. */
function roundText({ started, rounds, row, failedRounds, failed }: GateProgress): string {
  const end =
    row > 0
      ? `passed · ${grouped(row)} of ${grouped(started.passes)}`
      : `failed on ${nameSome(failed.map(oneLine), MOST_NAMES)} · ${grouped(failedRounds)} of ${count(started.failures, 'failure')}`;
  return `gate round ${grouped(rounds)} ${end}`;
}

/** `gate passed · 3 rounds · 10 s`, `gate failed · rollout stopped` */
function gateEnd(event: GateFinished, { started, rounds }: GateProgress, palette: Palette): string {
  const { strong, good, bad, warning } = palette;
  const seconds = duration((Date.parse(event.time) - Date.parse(started.time)) / 1000);
  const counts = hasRounds(started) ? `${count(rounds, 'round')} · ${seconds}` : seconds;
  if (event.status === 'passed') return `${good('✔')} ${strong('gate passed')} · ${counts}`;
  const failed = `${bad('✖')} ${strong('gate failed')} · ${counts}`;
  switch (event.action) {
    case 'continue':
      return `${failed} · ${warning('continuing with the next batch')}`;
    case 'stop':
      return `${failed} · ${bad('rollout stopped')}`;
    case 'rollback':
      return `${failed} · ${bad('rolling back the batch, rollout stopped')}`;
  }
}

/** The state of a running gate: `gate  round 2 · 1 of 3 passed · next in 4 s`. */
export function gateNow({ started, rounds, row, failedRounds, failed, next }: GateProgress, now: number): string {
  const { passes, failures, controllers } = started;
  const waiting = next !== undefined && next > now;
  return [
    waiting
      ? `gate  next round in ${duration((next - now) / 1000)}`
      : `gate  round ${grouped(rounds + 1)} on ${count(controllers.length, 'controller')}`,
    ...(passes > 1 ? [`${grouped(row)} of ${grouped(passes)} passed`] : []),
    ...(failedRounds > 0
      ? [
          `${grouped(failedRounds)} of ${count(failures, 'failure')}, last on ${nameSome(failed.map(oneLine), MOST_NAMES)}`,
        ]
      : []),
  ].join(' · ');
}

/** The progress of a gate: a fold over its events. */
export class GateProgress {
  /** Finished rounds. */
  rounds = 0;
  /** Rounds passed in a row, counted from the last one. */
  row = 0;
  failedRounds = 0;
  /** Controllers that failed in the last failed round. */
  failed: readonly string[] = [];
  /** When the next round begins, in milliseconds since the epoch; undefined during a round. */
  next: number | undefined;

  constructor(readonly started: GateStarted) {}

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

interface GateStoryOptions {
  readonly palette: Palette;
  readonly verbosity: number;
  /** Report only the result unless `-v` is given, because something else shows the progress. */
  readonly brief: boolean;
}

/** The lines about gates. */
export class GateStory {
  #progress: GateProgress | undefined;

  constructor(private readonly options: GateStoryOptions) {}

  lines(event: GateStarted | GateChecked | GateFinished): readonly string[] {
    const { palette } = this.options;
    if (event.type === 'gate-started') this.#progress = new GateProgress(event);
    const progress = this.#progress;
    if (progress === undefined) return [];
    progress.handle(event);
    switch (event.type) {
      case 'gate-started':
        return this.#isBrief() ? [] : [palette.strong(gateHeading(event))];
      case 'gate-checked':
        return this.#isBrief() || !hasRounds(progress.started) ? [] : [this.#round(event, progress)];
      case 'gate-finished':
        return [gateEnd(event, progress, palette)];
    }
  }

  #isBrief(): boolean {
    return this.options.brief && this.options.verbosity === 0;
  }

  #round({ failed }: GateChecked, progress: GateProgress): string {
    const { faint, warning } = this.options.palette;
    return (failed.length === 0 ? faint : warning)(roundText(progress));
  }
}
