import type { Block, RoleRun, Step } from '../../model/playbook/step.js';
import type { Play } from '../../model/playbook/playbook.js';
import { nameMatcher } from '../../model/inventory/glob.js';

type Sections = Pick<Play, 'preTasks' | 'tasks' | 'postTasks'>;

/** What of a play is left from its first task of that name on; undefined if it has none. Includes are not looked into. */
export function startingAt<T extends Sections>(play: T, name: string): T | undefined {
  const isIt = isCalled(name);
  const preTasks = from(play.preTasks, isIt);
  if (preTasks !== undefined) return { ...play, preTasks };
  const tasks = from(play.tasks, isIt);
  if (tasks !== undefined) return { ...play, preTasks: [], tasks };
  const postTasks = from(play.postTasks, isIt);
  return postTasks === undefined ? undefined : { ...play, preTasks: [], tasks: [], postTasks };
}

type IsIt = (step: Step) => boolean;

/** As Ansible compares: the name as written, with or without its role, or a glob of either. */
function isCalled(wanted: string): IsIt {
  const matches = wanted.startsWith('~') ? undefined : nameMatcher(wanted);
  return (step) => {
    if (step.type === 'block' || step.type === 'role') return false;
    const own = step.name?.value ?? (step.type === 'meta' ? 'meta' : step.module);
    const names = step.role === undefined ? [own] : [own, `${step.role} : ${own}`];
    return names.some((name) => name === wanted || matches?.(name) === true);
  };
}

function from(steps: readonly Step[], isIt: IsIt): readonly Step[] | undefined {
  for (const [index, step] of steps.entries()) {
    const first = within(step, isIt);
    if (first !== undefined) return [first, ...steps.slice(index + 1)];
  }
  return undefined;
}

function within(step: Step, isIt: IsIt): Step | undefined {
  if (step.type === 'block') return withinBlock(step, isIt);
  if (step.type === 'role') return withinRole(step, isIt);
  return isIt(step) ? step : undefined;
}

function withinRole(role: RoleRun, isIt: IsIt): RoleRun | undefined {
  const steps = from(role.steps, isIt);
  return steps && { ...role, steps };
}

/** A block that is entered in its middle is still a block: what fails in it is rescued. */
function withinBlock(block: Block, isIt: IsIt): Block | undefined {
  const steps = from(block.steps, isIt);
  if (steps !== undefined) return { ...block, steps };
  const always = from(block.always, isIt);
  return always && { ...block, steps: [], rescue: [], always };
}

/** `--start-at-task`: what stands before the task of that name is left out, in all plays up to the one that has it. */
export class Start {
  #found: boolean;

  constructor(private readonly name: string | undefined) {
    this.#found = name === undefined;
  }

  /** What is left of the play. */
  within(play: Sections): Sections {
    if (this.#found || this.name === undefined) return play;
    const left = startingAt(play, this.name);
    this.#found = left !== undefined;
    return left ?? { preTasks: [], tasks: [], postTasks: [] };
  }
}
