import type { Mapping } from '../../core/model/values/value.js';
import { BUILT_IN_LIBRARY, Library } from '../../language/library.js';
import { gateSelection } from '../keywords/selected_steps.js';
import { PlayPreview } from '../preflight/play_preview.js';
import { notCalling } from '../preflight/preview_library.js';
import { type PreflightInput, RunPreview } from '../preflight/run_preview.js';
import { ControllerRender } from './controller_render.js';
import type { Unrenderable } from './known_value.js';

/** The steps of one controller in one play, as data. */
export interface RenderedController {
  /** The number of the play in the run, from 0, and its name. */
  readonly number: number;
  readonly play: string;
  /** The file of its playbook. */
  readonly playbook: string;
  readonly controller: string;
  readonly tasks: readonly Mapping[];
  /** Absent: there are none. */
  readonly handlers?: readonly Mapping[] | undefined;
  /** The checks of the play's gate. Absent: there is none. */
  readonly gate?: readonly Mapping[] | undefined;
}

/** A template that is certain to fail on a controller. */
export interface RenderProblem extends Unrenderable {
  readonly controller: string;
}

/**
 * The tasks of each controller with the templates filled in that are known before the run; the plays in their order, the
 * controllers by name. Contacts nothing and writes nothing. Lookups read files, and run commands if that is allowed.
 */
export async function* render(
  given: PreflightInput,
  report: (problem: RenderProblem) => void,
): AsyncIterable<RenderedController> {
  const { table, withheld } = given.sources.library ?? BUILT_IN_LIBRARY;
  const preview = { unset: () => undefined, readsLocal: true };
  const library = new Library(withheld === undefined ? table : notCalling(withheld, table), withheld, preview);
  const run = new RunPreview({ ...given, sources: { ...given.sources, library } }, new Set());
  const { secrets } = run;
  for (const ready of given.selection.plays) {
    const play = new PlayPreview(run, ready);
    await play.open();
    const { number, name, playbook } = ready;
    for (const controller of [...ready.controllers].sort()) {
      if (given.drain.aborted) return;
      await run.loopYielder.yieldLoop();
      const view = await play.views.view(controller);
      if ('findings' in view) {
        for (const { message, source, hint } of view.findings) report({ message, source, hint, controller });
        continue;
      }
      secrets.learnLayers(view.layers, view.scope);
      const ports = { report: (problem: Unrenderable): void => report({ ...problem, controller }), secrets };
      const rendering = new ControllerRender(play, view, ports);
      const tasks = await rendering.steps(play.sections);
      const handlers = await rendering.possibleSteps(ready.play.handlers);
      const gate = await rendering.possibleSteps(play.checks, gateSelection(run.input.selection));
      yield {
        number,
        play: name,
        playbook: playbook.file,
        controller,
        tasks,
        ...(handlers.length > 0 && { handlers }),
        ...(gate.length > 0 && { gate }),
      };
    }
  }
}
