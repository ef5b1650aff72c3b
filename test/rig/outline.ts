import type { Step } from '../../src/core/model/playbook/step.js';

/** Steps by their names (or modules), blocks and roles as lists of their steps. */
export type Outline = string | Sections;

interface Sections {
  // oxlint-disable-next-line typescript/consistent-indexed-object-style -- a `Record` cannot refer to itself through an alias
  readonly [section: string]: readonly Outline[];
}

export function outline(steps: readonly Step[]): readonly Outline[] {
  return steps.map(outlineOf);
}

function outlineOf(step: Step): Outline {
  switch (step.type) {
    case 'task':
    case 'include':
      return step.name?.value ?? step.module;
    case 'meta':
      return `meta ${step.action}`;
    case 'role':
      return { [`role ${step.name}`]: outline(step.steps) };
    case 'block': {
      const { rescue, always } = step;
      return {
        [step.name?.value ?? 'block']: outline(step.steps),
        ...(rescue.length > 0 && { rescue: outline(rescue) }),
        ...(always.length > 0 && { always: outline(always) }),
      };
    }
    default:
      return step satisfies never;
  }
}
