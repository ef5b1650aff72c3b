import type { Diagnostics } from '../model/diagnostic.js';
import { stepsOf, tasksIn } from '../model/steps.js';
import { isSelected } from '../run/tags.js';
import { selectTargets } from '../run/targets.js';
import type { SelectedPlay } from './listing.js';
import type { LoadedRun } from './load_run.js';

export interface Tags {
  readonly tags?: readonly string[] | undefined;
  readonly skipTags?: readonly string[] | undefined;
}

/** What the plays, the limit and the tags leave to be done: for listings, for confirmation, and to refuse a run of nothing. */
export function selectPlays(
  { playbooks, target: { inventory, limit, extraVars, library } }: LoadedRun,
  { tags = [], skipTags = [] }: Tags,
  diagnostics: Diagnostics,
): readonly SelectedPlay[] {
  const before = diagnostics.list.length;
  const targets = selectTargets({ playbooks, inventory, limit, extraVars, library }, diagnostics);
  const selected = targets.map(({ playbook, play, name, pattern, controllers }) => ({
    file: playbook.file,
    name,
    pattern,
    controllers,
    steps: tasksIn(stepsOf(play)).filter((step) => isSelected(step.tags, { tags, skipTags })),
    tags: play.tags,
  }));
  if (selected.every(({ controllers }) => controllers.length === 0)) {
    const patterns = selected.map(({ pattern }) => `"${pattern}"`).join(', ');
    const within = limit === undefined ? '' : ' within the limit';
    if (selected.length > 0 && diagnostics.list.length === before)
      diagnostics.error(`no controller matches ${patterns}${within}`);
  }
  return selected;
}
