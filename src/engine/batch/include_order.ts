import type { Position } from '../../core/model/playbook/step_place.js';
import type { Included } from '../../core/model/playbook/step.js';
import { jsonText } from '../../core/model/values/json.js';
import type { IncludedRun } from '../task/included_run.js';

/**
 * Under `linear`, the includes of several controllers at one step run one after the other, in the order of the
 * controllers. The same file with the same variables runs once for all. Same as Ansible's `IncludedFile`.
 */
export class IncludeOrder {
  readonly #places: ReadonlyMap<string, number>;
  readonly #runs = new Map<string, Map<string, readonly IncludedRun[]>>();
  readonly #ordinals = new Map<string, ReadonlyMap<string, readonly number[]>>();

  constructor(controllers: readonly string[]) {
    this.#places = new Map(controllers.map((name, place) => [name, place]));
  }

  register(controller: string, position: Position, runs: readonly IncludedRun[]): void {
    const key = position.join('.');
    const all = this.#runs.get(key) ?? new Map<string, readonly IncludedRun[]>();
    all.set(controller, runs);
    this.#runs.set(key, all);
  }

  /** The positions of the controller's includes among all; valid when all have registered. */
  ordinals(controller: string, position: Position): readonly number[] {
    const key = position.join('.');
    const known = this.#ordinals.get(key) ?? this.#order(key);
    this.#ordinals.set(key, known);
    this.#runs.delete(key);
    return known.get(controller) ?? [];
  }

  #order(key: string): ReadonlyMap<string, readonly number[]> {
    const place = ([name]: readonly [string, unknown]): number => this.#places.get(name) ?? 0;
    const sorted = [...(this.#runs.get(key) ?? [])].sort((a, b) => place(a) - place(b));
    const numbering = new Numbering();
    return new Map(sorted.map(([controller, runs]) => [controller, numbering.of(runs)]));
  }
}

/** Numbers includes in order of appearance; the same file with the same variables has the same number. */
class Numbering {
  readonly #numbers = new Map<Included, Map<string, number[]>>();
  #next = 0;

  /** The numbers of one controller's includes: a file that it includes twice has two numbers. */
  of(runs: readonly IncludedRun[]): readonly number[] {
    const times = new Map<readonly number[], number>();
    return runs.map((run) => {
      const numbers = this.#sameAs(run);
      const time = times.get(numbers) ?? 0;
      times.set(numbers, time + 1);
      return (numbers[time] ??= this.#next++);
    });
  }

  /** The numbers of this file with these variables, one for each time that a controller included it. */
  #sameAs({ included, layers }: IncludedRun): number[] {
    const byVariables = this.#numbers.get(included) ?? new Map<string, number[]>();
    this.#numbers.set(included, byVariables);
    const variables = jsonText(layers.map(({ values }) => values));
    const numbers = byVariables.get(variables) ?? [];
    byVariables.set(variables, numbers);
    return numbers;
  }
}
