import type { Included } from '../model/playbook.js';
import type { VariableLayer } from '../model/variables.js';
import type { Position } from './position.js';

/** One thing that one controller included, and the variables it is included with. */
export interface IncludedRun {
  readonly included: Included;
  readonly layers: readonly VariableLayer[];
}

interface Entry {
  readonly included: Included;
  readonly variables: string;
  readonly controllers: Set<string>;
}

/**
 * Under `linear`, what several controllers included at one step runs one after the other: what the first controller included
 * comes first, and the same file with the same variables is one for all. Same as Ansible's `IncludedFile`.
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

  /** Where each of the controller's stands among all; ask when everyone has registered. */
  ordinals(controller: string, position: Position): readonly number[] {
    const key = position.join('.');
    const known = this.#ordinals.get(key) ?? this.#order(key);
    this.#ordinals.set(key, known);
    this.#runs.delete(key);
    return known.get(controller) ?? [];
  }

  #order(key: string): ReadonlyMap<string, readonly number[]> {
    const entries: Entry[] = [];
    const place = ([name]: readonly [string, unknown]): number => this.#places.get(name) ?? 0;
    const sorted = [...(this.#runs.get(key) ?? [])].sort((a, b) => place(a) - place(b));
    return new Map(
      sorted.map(([controller, runs]) => [controller, runs.map((run) => enter(entries, controller, run))]),
    );
  }
}

/** A controller that includes the same twice has it twice. */
function enter(entries: Entry[], controller: string, { included, layers }: IncludedRun): number {
  const variables = JSON.stringify(layers.map(({ values }) => values));
  const index = entries.findIndex(
    (entry) => entry.included === included && entry.variables === variables && !entry.controllers.has(controller),
  );
  if (index < 0) entries.push({ included, variables, controllers: new Set([controller]) });
  else entries[index]?.controllers.add(controller);
  return index < 0 ? entries.length - 1 : index;
}
