import { placeText, type Source } from '../../../model/source/source.js';
import type { Handler, Include, Included, Step, Task } from '../../../model/playbook/step.js';
import { stepsOf, tasksIn } from '../../../model/playbook/steps.js';
import type { PlanMaker } from '../../../model/run/plan.js';
import type { Mapping } from '../../../model/values/value.js';
import type { RunInput } from '../../input/run_input.js';
import type { PlanNotice } from '../messages.js';

/**
 * Adds the decisions of workers to the plan that this process makes. A plan contains what the run read, so this process
 * reads it again. If a file changed in between, the plan does not match it, and apply refuses to run what was not
 * reviewed.
 */
export class PlanOfWorkers {
  /** Tasks and includes by place. A place has several if a role is used more than once. */
  readonly #tasks = new Map<string, Set<Task | Include>>();
  /** The completed and pending reads, so that each happens once. A promise rejects if this machine cannot read it. */
  readonly #read = new Map<string, Promise<unknown>>();
  /** The reads that the plan of each walking controller needs. */
  readonly #needed = new Map<string, Set<Promise<unknown>>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly maker: PlanMaker,
    private readonly sources: Pick<RunInput['sources'], 'playbooks' | 'readVariables'>,
  ) {
    for (const play of sources.playbooks.flatMap(({ plays }) => plays)) this.#add([...stepsOf(play), ...play.handlers]);
  }

  note(controller: string, notice: Exclude<PlanNotice, { type: 'plan progress' }>): void {
    switch (notice.type) {
      case 'planned':
        this.maker.keep(controller, notice.step);
        return;
      case 'variables read':
        this.#once(controller, `variables ${notice.file}`, () => this.sources.readVariables(notice.file));
        return;
      case 'included':
        this.#once(controller, `${placeText(notice.include)} ${this.maker.digest(notice.args)}`, () =>
          this.#include(notice.include, notice.args),
        );
        return;
      case 'positions needed':
        this.#once(controller, `positions ${placeText(notice.task)}`, () => {
          for (const task of this.#at(notice.task)) this.maker.keepPositions(task);
          return Promise.resolve();
        });
        return;
      default:
        notice satisfies never;
    }
  }

  /**
   * Resolves when this process has read everything that the walk of a controller read.
   * @throws LoadError if this machine cannot read some of it
   */
  async complete(controller: string): Promise<void> {
    const needed = this.#needed.get(controller) ?? new Set<Promise<unknown>>();
    this.#needed.delete(controller);
    await Promise.all(needed);
  }

  /** Reads one at a time, because an included file may include others. */
  #once(controller: string, what: string, act: () => Promise<unknown>): void {
    const reading = this.#read.get(what) ?? this.#last.then(act);
    if (!this.#read.has(what)) this.#last = reading.catch(() => undefined);
    this.#read.set(what, reading);
    const needed = this.#needed.get(controller) ?? new Set();
    this.#needed.set(controller, needed.add(reading));
  }

  async #include(place: Source, args: Mapping): Promise<void> {
    for (const include of this.#at(place)) {
      if (include.type !== 'include') continue;
      const included: Included = await include.read(args);
      this.maker.included(include, args, included);
      this.#add([...included.steps, ...included.handlers]);
    }
  }

  #at(place: Source): readonly (Task | Include)[] {
    return [...(this.#tasks.get(placeText(place)) ?? [])];
  }

  #add(steps: readonly (Step | Handler)[]): void {
    for (const task of tasksIn(steps)) {
      const key = placeText(task.source);
      const known = this.#tasks.get(key) ?? new Set();
      this.#tasks.set(key, known.add(task));
    }
  }
}
