import type { StrategyName } from '../../core/model/playbook/playbook.js';
import { comparePositions, type StepPosition } from '../../core/model/playbook/step_place.js';
import type { ForkLimit } from '../control/auto_forks.js';
import { forEachAtOnce, Fork, Forks } from '../control/forks.js';

/** The barrier that a controller passes before each task. */
export interface Barrier {
  /** Whether controllers start a step only after all others have finished the steps before it. */
  readonly lockstep: boolean;
  /**
   * In lockstep, the number of times that the barrier has opened; work between two openings is one round. Undefined
   * otherwise.
   */
  readonly opening: number | undefined;
  readonly fork: Fork;
  /** Resolves when the controller may start the step at that position. */
  beginStep(position: StepPosition): Promise<void>;
  endStep(): void;
  /**
   * Called after the controller has replayed its steps from before the interrupt. Resolves when it may begin new ones.
   */
  startNew(): Promise<void>;
  /** The controller waits for another one of its batch, so the others need not wait for it. */
  waitForOthers(): void;
}

/** The order in which the controllers of one batch run: calls `walk` once for each and resolves when all are done. */
export type Strategy = (
  controllers: readonly string[],
  walk: (controller: string, barrier: Barrier) => Promise<void>,
) => Promise<void>;

/** The limit of the run, and that of the play. */
export interface BatchForks {
  readonly limit: ForkLimit;
  /** Absent: that of the run. */
  readonly most?: number | undefined;
}

/** @param hasBegun whether a controller had started before the interrupt; absent if none had */
export function createStrategy(
  name: StrategyName,
  forks: BatchForks,
  hasBegun: (controller: string) => boolean = () => false,
): Strategy {
  if (name === 'linear') return linear(forks);
  name satisfies 'host_pinned';
  return hostPinned(forks, hasBegun);
}

/**
 * Maximum number of controllers in progress beyond those at work, because others rest. Each takes memory, and may keep
 * a connection open.
 */
const MOST_RESTING = 1000;

const DONE = Promise.resolve();

const NEVER_WAITS: Omit<Barrier, 'lockstep' | 'opening' | 'fork'> = {
  beginStep: () => DONE,
  endStep: () => undefined,
  startNew: () => DONE,
  waitForOthers: () => undefined,
};

/** Each controller runs all its tasks without waiting for others. */
function hostPinned({ limit, most }: BatchForks, hasBegun: (controller: string) => boolean): Strategy {
  return async (controllers, walk) => {
    const forks = new Forks(limit, most);
    const begun = controllers.filter(hasBegun);
    const resumed = new Map(
      begun.map((controller) => [controller, resumeWalk((barrier) => walk(controller, barrier), new Fork(forks))]),
    );
    await Promise.all([...resumed.values()].map(({ caughtUp }) => caughtUp));
    await forEachAtOnce(controllers, Math.min(limit.most, most ?? Infinity) + MOST_RESTING, async (controller) => {
      const earlier = resumed.get(controller);
      const fork = earlier?.fork ?? new Fork(forks);
      await fork.begin();
      await (earlier?.finish() ?? walk(controller, openBarrier(fork))).finally(() => fork.end());
    });
  };
}

function openBarrier(fork: Fork): Barrier {
  return { ...NEVER_WAITS, beginStep: () => fork.yieldFork() ?? DONE, lockstep: false, opening: undefined, fork };
}

/**
 * Controllers first replay their steps from before the interrupt, without waiting. New steps start only when all have,
 * so that each controller sees the variables of the others as they were.
 */
function resumeWalk(walk: (barrier: Barrier) => Promise<void>, fork: Fork) {
  let arrive: () => void = () => undefined;
  let open: () => void = () => undefined;
  /** Resolves when the controller has replayed its steps, ended, or waits for another one. */
  const caughtUp = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const startNew = (): Promise<void> => {
    arrive();
    return opened;
  };
  const walked = walk({ ...openBarrier(fork), startNew, waitForOthers: arrive }).finally(arrive);
  // A failure is reported to the caller of `finish`.
  walked.catch(() => undefined);
  const finish = (): Promise<void> => {
    open();
    return walked;
  };
  return { fork, caughtUp, finish };
}

/** Controllers start a task only after all others have finished the tasks before it, `forks` tasks at a time. */
function linear(forks: BatchForks): Strategy {
  return async (controllers, walk) => {
    const barrier = new LinearBarrier(controllers.length, forks);
    const walkThenLeave = (controller: string, index: number): Promise<void> =>
      walk(controller, barrier.at(index)).finally(() => barrier.leave());
    await Promise.all(controllers.map(walkThenLeave));
  };
}

interface Waiting {
  /** Index of the controller in its batch. */
  readonly index: number;
  readonly open: () => void;
}

/** Opens for the lowest waiting position once every controller that still takes part has arrived. */
class LinearBarrier {
  readonly #waiting = new WaitingList<Waiting>();
  #underWay: number;
  readonly #forks: Forks;
  /** Number of times that it has opened. */
  opening = 0;

  constructor(controllers: number, { limit, most }: BatchForks) {
    this.#underWay = controllers;
    this.#forks = new Forks(limit, most);
  }

  /** The barrier of one controller of the batch. */
  at(index: number): Barrier {
    return new ControllerBarrier(index, new Fork(this.#forks), this);
  }

  /** A controller arrives at a step, which opens once all others have arrived. */
  wait(position: StepPosition, waiting: Waiting): void {
    this.#waiting.add(position, waiting);
    // The last controller to arrive must already count as waiting, or it would go after the others.
    queueMicrotask(() => this.leave());
  }

  /** One controller fewer is active: it waits at the barrier, or is done. */
  leave(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#open();
  }

  /** Forks are given in the order of the batch. */
  #open(): void {
    const opened = this.#waiting.takeLowest().toSorted((a, b) => a.index - b.index);
    this.#underWay = opened.length;
    this.opening++;
    for (const { open } of opened) open();
  }
}

/** The barrier for one controller of the batch. A class, because literals with getters are slow and large. */
class ControllerBarrier implements Barrier {
  readonly lockstep = true;
  readonly startNew = NEVER_WAITS.startNew;
  readonly waitForOthers = NEVER_WAITS.waitForOthers;

  constructor(
    private readonly index: number,
    readonly fork: Fork,
    private readonly shared: LinearBarrier,
  ) {}

  get opening(): number {
    return this.shared.opening;
  }

  beginStep(position: StepPosition): Promise<void> {
    return new Promise<void>((resolve) =>
      this.shared.wait(position, { index: this.index, open: () => this.fork.beginThen(resolve) }),
    );
  }

  endStep(): void {
    this.fork.end();
  }
}

/** The waiting controllers by position. Thousands may wait at as many positions, so no operation scans them all. */
export class WaitingList<Waiting> {
  /** The lowest position last. */
  readonly #groups: { readonly position: StepPosition; readonly waiting: Waiting[] }[] = [];

  add(position: StepPosition, one: Waiting): void {
    const index = this.#positionIndex(position);
    const group = this.#groups[index];
    if (group !== undefined && comparePositions(group.position, position) === 0) group.waiting.push(one);
    else this.#groups.splice(index, 0, { position, waiting: [one] });
  }

  /** Removes and returns the controllers that wait at the lowest position. */
  takeLowest(): readonly Waiting[] {
    return this.#groups.pop()?.waiting ?? [];
  }

  /** Index of the first group that is not above the position, by binary search. */
  #positionIndex(position: StepPosition): number {
    let [from, to] = [0, this.#groups.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const group = this.#groups[middle];
      if (group !== undefined && comparePositions(group.position, position) > 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
