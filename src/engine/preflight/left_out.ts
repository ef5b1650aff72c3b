import type { Play } from '../../core/model/playbook/playbook.js';
import type { Include, Step, Task } from '../../core/model/playbook/step.js';
import { sectionSteps, tasksIn } from '../../core/model/playbook/steps.js';
import { isMapping } from '../../core/model/values/value.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { isSelected, type TagSelection } from '../keywords/selected_steps.js';

/** Why a variable is not defined: the task that sets it is not part of the run. */
export interface LeftOut {
  readonly task: Task | Include;
  /** `never`: the task has that tag, which no option selects. */
  readonly by: '--tags' | '--skip-tags' | '--start-at-task' | 'never';
}

/** The variables that tasks outside of the run's selection would have set, in the order of the plays. */
export class LeftOutVariables {
  readonly #byName = new Map<string, LeftOut>();

  /** @param kept what the selection leaves of the play */
  add(play: Play, kept: readonly Step[], selection: TagSelection): void {
    const run = new Set(tasksIn(kept));
    for (const task of tasksIn(sectionSteps(play))) {
      if (run.has(task)) continue;
      const reason: LeftOut = { task, by: optionThatLeavesOut(task, selection) };
      for (const name of setByName(task)) if (!this.#byName.has(name)) this.#byName.set(name, reason);
    }
  }

  /** Undefined if the error has another cause. */
  reasonFor(error: unknown): LeftOut | undefined {
    if (!(error instanceof TemplateError) || error.undefinedName === undefined) return undefined;
    const [name = ''] = error.undefinedName.split(/[.[]/);
    return this.#byName.get(name);
  }
}

function optionThatLeavesOut({ tags }: Task | Include, { tags: asked, skipTags }: TagSelection): LeftOut['by'] {
  if (!isSelected(tags, { tags: asked, skipTags: [] })) return asked.length === 0 ? 'never' : '--tags';
  return isSelected(tags, { tags: asked, skipTags }) ? '--start-at-task' : '--skip-tags';
}

function setByName({ register, module, args }: Task | Include): readonly string[] {
  const facts = module === 'set_fact' && isMapping(args) ? Object.keys(args) : [];
  return register === undefined ? facts : [register, ...facts];
}
