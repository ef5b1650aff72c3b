import type { Play } from './playbook.js';
import type { Handler, Include, MetaAction, Step, Task } from './step.js';

/** After these, the steps that follow do not run. */
export const ENDING_ACTIONS: ReadonlySet<MetaAction> = new Set(['end_host', 'end_role', 'end_batch', 'end_play']);

/**
 * All steps in order, including the steps of blocks and roles, without the content of includes, which is not yet known.
 */
export function* everyStep(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    switch (step.type) {
      case 'block':
        yield* everyStep([...step.steps, ...step.rescue, ...step.always]);
        break;
      case 'role':
        yield* everyStep(step.steps);
        break;
      case 'task':
      case 'include':
      case 'meta':
        break;
    }
  }
}

/** The steps that call a module. */
export function tasksIn(steps: readonly Step[]): readonly (Task | Include)[] {
  return [...everyStep(steps)].filter((step) => step.type === 'task' || step.type === 'include');
}

/** The number of tasks that a controller runs if nothing fails: without those of `rescue`. */
export function plannedTasks(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + plannedIn(step), 0);
}

function plannedIn(step: Step): number {
  switch (step.type) {
    case 'task':
    case 'include':
      return 1;
    case 'meta':
      return 0;
    case 'role':
      return plannedTasks(step.steps);
    case 'block':
      return plannedTasks(step.steps) + plannedTasks(step.always);
  }
}

/** All steps of a play in running order, without handlers; the checks of its gate last. */
export function allSteps(play: Sections & Pick<Play, 'gate'>): readonly Step[] {
  return [...sectionSteps(play), ...(play.gate?.checks ?? [])];
}

type Sections = Pick<Play, 'preTasks' | 'tasks' | 'postTasks'>;

/** The steps that each controller runs: without handlers and the checks of the gate. */
export function sectionSteps({ preTasks, tasks, postTasks }: Sections): readonly Step[] {
  return [...preTasks, ...tasks, ...postTasks];
}

/** The name of a handler or a topic, also with its role: `web : reload`. */
export function withRole(role: string | undefined, name: string): readonly string[] {
  return role === undefined ? [name] : [name, `${role} : ${name}`];
}

/** What notifies a handler: its name and its topics. */
export function notifyingNames({ name, role, listen }: Handler): readonly string[] {
  return [...(name === undefined ? [] : [name.value]), ...listen].flatMap((one) => withRole(role, one));
}
