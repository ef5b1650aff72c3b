import type { Value } from '../../../model/values/value.js';
import type { PlanGuide, PlanMaker, PlannedStep } from '../../../model/run/plan.js';
import type { ReadVariables } from '../../input/run_input.js';
import type { Link } from './link.js';

/** Tells workers whether a run makes or applies a plan. */
export interface PlanOfRun {
  readonly type: 'make' | 'follow';
  /** Gives the same digests as the coordinator's. */
  readonly digest: (value: Value) => string;
}

/** The plan that a run applies. The coordinator sends the controller's part of it with each walk. */
export class HostedGuide implements PlanGuide {
  readonly type = 'follow';
  readonly #steps = new Map<string, readonly PlannedStep[]>();

  constructor(
    readonly digest: PlanGuide['digest'],
    /** Calls the coordinator. */
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

/** Reports the decisions of a walk to the coordinator. */
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

/**
 * Reads files of variables, and reports them to the coordinator, because a plan contains what the run read. A file that
 * cannot be read fails its task.
 */
export function reporting(link: Pick<Link, 'tell'>, read: ReadVariables): ReadVariables {
  return async (file) => {
    const layer = await read(file);
    link.tell({ type: 'variables read', file });
    return layer;
  };
}
