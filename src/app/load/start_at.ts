import type { Step } from '../../model/playbook/step.js';
import type { Diagnostics } from '../../model/source/diagnostic.js';
import type { Playbook } from '../../model/playbook/playbook.js';
import { everyStep, sectionsOf } from '../../model/playbook/steps.js';
import { didYouMean } from '../../model/source/suggestion.js';
import { selectSections, startingAt, type TagSelection } from '../../run/keywords/selected_steps.js';

/** Refuses a `--start-at-task` that no task answers to: everything would be left out. */
export function checkStart(
  name: string,
  playbooks: readonly Playbook[],
  selection: TagSelection,
  diagnostics: Diagnostics,
): void {
  const plays = playbooks.flatMap((playbook) => playbook.plays.map((play) => selectSections(play, selection)));
  if (plays.some((play) => startingAt(play, name) !== undefined)) return;
  const names = plays.flatMap((play) => [...everyStep(sectionsOf(play))].flatMap(namesOf));
  diagnostics.error(
    `--start-at-task: no task of this run is called "${name}"`,
    undefined,
    didYouMean(name, names) ?? '--list-tasks shows the names; what is included during the run cannot be started at',
  );
}

function namesOf(step: Step): readonly string[] {
  return step.type === 'role' || step.type === 'block' || step.name === undefined ? [] : [step.name.value];
}
