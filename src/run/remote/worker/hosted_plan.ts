import type { Value } from '../../../model/values/value.js';
import type { PlanGuide, PlanMaker, PlannedStep } from '../../../model/run/plan.js';
import type { ReadVariables } from '../../input/run_input.js';
import type { Link } from './link.js';

/** Whether a run makes or applies a plan, as its workers know it. */
export interface PlanOfRun {
  readonly type: 'make' | 'follow';
  /** As that of the coordinator. */
  readonly digest: (value: Value) => string;
}

/** The plan that a run applies: its coordinator sends what it says about a controller with each walk. */
export class HostedGuide implements PlanGuide {
  readonly type = 'follow';
  readonly #steps = new Map<string, readonly PlannedStep[]>();

  constructor(
    readonly digest: PlanGuide['digest'],
    /** Asks the coordinator. */
    readonly begin: PlanGuide['begin'],
  ) {}

  know(controller: string, steps: readonly PlannedStep[]): void {
    this.#steps.set(controller, steps);
  }

  forget(controller: string): void {
    this.#steps.delete(controller);
  }

  find(controller: string, place: string, matches: (step: PlannedStep) => boolean): PlannedStep | undefined {
    return this.stepsOf(controller).find((step) => step.place === place && matches(step));
  }

  stepsOf(controller: string): readonly PlannedStep[] {
    return this.#steps.get(controller) ?? [];
  }
}

/** Tells the coordinator what a walk decides. */
export function hostedMaker(link: Pick<Link, 'tell'>, digest: PlanMaker['digest']): PlanMaker {
  return {
    type: 'make',
    digest,
    keep: (_, step) => {
      link.tell({ type: 'planned', step });
    },
    included: ({ source }, args) => {
      link.tell({ type: 'included', include: source, args });
    },
    keepPositions: ({ source }) => {
      link.tell({ type: 'positions needed', task: source });
    },
  };
}

/** Reads files of variables, and tells the coordinator, because a plan has what was read. What cannot be read fails its task. */
export function telling(link: Pick<Link, 'tell'>, read: ReadVariables): ReadVariables {
  return async (file) => {
    const layer = await read(file);
    link.tell({ type: 'variables read', file });
    return layer;
  };
}
