import type { Include, Play, Step, Task } from './playbook.js';

/** Steps in the order in which they stand, what blocks and roles hold included; what includes bring is not known yet. */
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
      default:
        step satisfies never;
    }
  }
}

/** What of them calls a module. */
export function tasksIn(steps: readonly Step[]): readonly (Task | Include)[] {
  return [...everyStep(steps)].filter((step) => step.type === 'task' || step.type === 'include');
}

/** All steps of a play but its handlers, in the order in which it runs them. */
export function stepsOf({ preTasks, tasks, postTasks }: Play): readonly Step[] {
  return [...preTasks, ...tasks, ...postTasks];
}
