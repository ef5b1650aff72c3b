import type { GateChecked, GateFinished, GateStarted } from '../../model/run/event.js';
import { gateEnd, gateHeading, GateProgress, hasRounds, roundText } from './gate_text.js';
import type { Palette } from '../text/palette.js';

interface GateStoryOptions {
  readonly palette: Palette;
  readonly verbosity: number;
  /** Report only the result unless `-v` is given, because something else shows the progress. */
  readonly brief: boolean;
}

/** The lines about gates. */
export class GateStory {
  readonly #options: GateStoryOptions;
  #progress: GateProgress | undefined;

  constructor(options: GateStoryOptions) {
    this.#options = options;
  }

  lines(event: GateStarted | GateChecked | GateFinished): readonly string[] {
    const { palette } = this.#options;
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
      default:
        return event satisfies never;
    }
  }

  #isBrief(): boolean {
    return this.#options.brief && this.#options.verbosity === 0;
  }

  #round({ failed }: GateChecked, progress: GateProgress): string {
    const { faint, warning } = this.#options.palette;
    return (failed.length === 0 ? faint : warning)(roundText(progress));
  }
}
