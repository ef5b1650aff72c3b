import type { Include, Task } from '../../core/model/playbook/step.js';
import type { FieldPath, Locate, Source } from '../../core/model/source/source.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';

export type PositionsByPath = ReadonlyMap<string, Source>;

/** The field of a task in a plan. */
export const POSITIONS = 'positions';

/** Where the arguments of some tasks are written. */
export class ArgumentPositions {
  readonly #tasks = new Map<object, Task | Include>();
  readonly #known = new Map<object, PositionsByPath>();

  add(task: Task | Include): void {
    this.#tasks.set(task, task);
  }

  /** The positions of a task's arguments, as a field of it. */
  readonly fieldsOf = (object: object): readonly (readonly [string, unknown])[] => {
    const task = this.#tasks.get(object);
    if (task === undefined) return [];
    const { args, argsPath, locate } = task;
    const positions = this.#known.get(object) ?? collectPositions(args, argsPath, locate);
    this.#known.set(object, positions);
    return [[POSITIONS, positions]];
  };
}

/** `locate` of a task from a plan. */
export function locateIn(step: {
  readonly source: Source;
  readonly [POSITIONS]?: PositionsByPath | undefined;
}): Locate {
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const known = step[POSITIONS]?.get(pathKey(path.slice(0, length)));
      if (known !== undefined) return known;
    }
    return step.source;
  };
}

function collectPositions(args: Value, argsPath: FieldPath, locate: Locate): PositionsByPath {
  const positions = new Map<string, Source>();
  const add = (value: Value, path: FieldPath): void => {
    positions.set(pathKey(path), locate(path));
    if (isList(value)) for (const [index, one] of value.entries()) add(one, [...path, index]);
    else if (isMapping(value)) for (const [key, one] of Object.entries(value)) add(one, [...path, key]);
  };
  add(args, argsPath);
  return positions;
}

function pathKey(path: FieldPath): string {
  return JSON.stringify(path);
}
