import { GROUPS_HINT } from '../../core/model/inventory/pattern.js';
import { everyStep, sectionSteps, type Play, type Playbook } from '../../core/model/playbook/playbook.js';
import type { Step } from '../../core/model/playbook/step.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { ReadyPlay } from '../../engine/input/ready_play.js';
import {
  gateSelection,
  selectSections,
  selectSteps,
  startingAt,
  type TagSelection,
} from '../../engine/keywords/selected_steps.js';
import { selectReadyPlays } from '../../engine/play/ready_plays.js';
import type { LoadedRun } from './load_run.js';

/** A play with its controllers and the steps that the tags select. */
export interface SelectedPlay extends ReadyPlay {
  readonly steps: readonly Step[];
  /** The checks of its gate. */
  readonly checks: readonly Step[];
  /** Its controllers with those of the other shards. Absent: this run has the whole fleet. */
  readonly ofAllShards?: readonly string[] | undefined;
}

export interface SelectionOptions {
  readonly tags?: readonly string[] | undefined;
  readonly skipTags?: readonly string[] | undefined;
  readonly startAtTask?: string | undefined;
  /** Answers to `vars_prompt`, which `hosts` can use. */
  readonly answers?: ReadonlyMap<Play, VariableLayer> | undefined;
}

/** What the plays, the limit and the tags select: for listings, for confirmation, and to refuse a run without work. */
export function selectPlays(
  { playbooks, target: { inventory, limit, shard, limitOfAllShards, extraVars, library } }: LoadedRun,
  { tags = [], skipTags = [], startAtTask, answers }: SelectionOptions,
  diagnostics: Diagnostics,
): readonly SelectedPlay[] {
  const before = diagnostics.list.length;
  const plays = selectReadyPlays(
    { playbooks, inventory, limit: shard === undefined ? limit : limitOfAllShards, extraVars, library, answers },
    diagnostics,
  );
  const selected = plays.map((ready) => ({
    ...ready,
    ...(shard !== undefined && {
      controllers: ready.controllers.filter((name) => limit?.has(name) !== false),
      ofAllShards: ready.controllers,
    }),
    steps: sectionSteps(selectSections(ready.play, { tags, skipTags })),
    checks: selectSteps(ready.play.gate?.checks ?? [], gateSelection({ tags, skipTags })),
  }));
  // A plan of a shard without controllers is applied to none.
  const isEmptyShard = shard !== undefined && limitOfAllShards?.size === 0;
  if (!isEmptyShard && plays.every(({ controllers }) => controllers.length === 0)) {
    const patterns = selected.map(({ pattern, play }) => `"${pattern === '' ? play.hosts.value : pattern}"`).join(', ');
    const isKnown = limit !== undefined || diagnostics.list.some(({ hint: one }) => one === GROUPS_HINT);
    const hint = isKnown ? undefined : GROUPS_HINT;
    const within = limit === undefined ? '' : ' within the limit';
    if (selected.length > 0 && diagnostics.list.length === before && inventory.partial !== true)
      diagnostics.error(`no controller matches ${patterns}${within}`, undefined, hint);
  }
  if (startAtTask !== undefined) checkStart(startAtTask, playbooks, { tags, skipTags }, diagnostics);
  return selected;
}

export function selectedControllers(selected: readonly SelectedPlay[]): ReadonlySet<string> {
  return new Set(selected.flatMap(({ controllers }) => controllers));
}

/** Refuses a `--start-at-task` that matches no task: the run would do nothing. */
function checkStart(
  name: string,
  playbooks: readonly Playbook[],
  selection: TagSelection,
  diagnostics: Diagnostics,
): void {
  const plays = playbooks.flatMap((playbook) => playbook.plays.map((play) => selectSections(play, selection)));
  if (plays.some((play) => startingAt(play, name) !== undefined)) return;
  const names = plays.flatMap((play) => [...everyStep(sectionSteps(play))].flatMap(stepNames));
  diagnostics.error(
    `--start-at-task: no task of this run is called "${name}"`,
    undefined,
    didYouMean(name, names) ??
      '--list-tasks shows the names; files that are included during the run cannot be searched',
  );
}

function stepNames(step: Step): readonly string[] {
  return step.type === 'role' || step.type === 'block' || step.name === undefined ? [] : [step.name.value];
}
