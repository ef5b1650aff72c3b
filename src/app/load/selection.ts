import type { Diagnostics } from '../../model/source/diagnostic.js';
import type { Play } from '../../model/playbook/playbook.js';
import type { Step } from '../../model/playbook/step.js';
import { sectionsOf } from '../../model/playbook/steps.js';
import type { VariableLayer } from '../../model/values/variables.js';
import { gateSelection, selectSections, selectSteps } from '../../run/keywords/selected_steps.js';
import type { Target } from '../../run/input/target.js';
import { selectTargets } from '../../run/play/targets.js';
import type { LoadedRun } from './load_run.js';
import { checkStart } from './start_at.js';

/** A play with the controllers it targets and the steps that the tags select. */
export interface SelectedPlay extends Target {
  readonly steps: readonly Step[];
  /** Those of its gate. */
  readonly checks: readonly Step[];
}

export interface Selecting {
  readonly tags?: readonly string[] | undefined;
  readonly skipTags?: readonly string[] | undefined;
  readonly startAtTask?: string | undefined;
  /** To `vars_prompt`: `hosts` may hold them. */
  readonly answers?: ReadonlyMap<Play, VariableLayer> | undefined;
}

/** What the plays, the limit and the tags leave to be done: for listings, for confirmation, and to refuse a run of nothing. */
export function selectPlays(
  { playbooks, target: { inventory, limit, extraVars, library } }: LoadedRun,
  { tags = [], skipTags = [], startAtTask, answers }: Selecting,
  diagnostics: Diagnostics,
): readonly SelectedPlay[] {
  const before = diagnostics.list.length;
  const targets = selectTargets({ playbooks, inventory, limit, extraVars, library, answers }, diagnostics);
  const selected = targets.map((target) => ({
    ...target,
    steps: sectionsOf(selectSections(target.play, { tags, skipTags })),
    checks: selectSteps(target.play.gate?.checks ?? [], gateSelection({ tags, skipTags })),
  }));
  if (selected.every(({ controllers }) => controllers.length === 0)) {
    const patterns = selected.map(({ pattern }) => `"${pattern}"`).join(', ');
    const within = limit === undefined ? '' : ' within the limit';
    if (selected.length > 0 && diagnostics.list.length === before && inventory.partial !== true)
      diagnostics.error(`no controller matches ${patterns}${within}`);
  }
  if (startAtTask !== undefined) checkStart(startAtTask, playbooks, { tags, skipTags }, diagnostics);
  return selected;
}

/** The controllers of all plays. */
export function controllersOf(selected: readonly SelectedPlay[]): ReadonlySet<string> {
  return new Set(selected.flatMap(({ controllers }) => controllers));
}
