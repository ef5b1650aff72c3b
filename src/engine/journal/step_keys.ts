import { tasksIn } from '../../core/model/playbook/playbook.js';
import type { Include, Loop, Step, Task } from '../../core/model/playbook/step.js';
import { usualPlace } from '../../core/model/playbook/step_place.js';
import { getOrAdd, groupBy } from '../../core/model/values/groups.js';
import { LazyMapping, leavesIn, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/syntax/template.js';

/** Variables written at a task or around it, which belong to its identity. */
const OWN: ReadonlySet<VariableLevel> = new Set(['block vars', 'task vars', 'role params', 'include params']);

/** A step of an area, outside of loops and includes. All controllers share these texts: a fleet would keep many. */
interface StepIdentity {
  readonly area: string;
  readonly text: string;
  /** The key of its first visit. */
  readonly first: string;
  /** Its number in the play, from 0; undefined for those after the first few hundred. */
  readonly number: number | undefined;
}

/** A list is as long as its highest number, so a play of includes that differ for each controller must not make it long. */
const MOST_NUMBERED = 512;

/** Identifies steps independently of their place, by cached digests. */
export class StepKeys {
  readonly #tasks = new WeakMap<Task | Include, string>();
  readonly #identities = new WeakMap<Task | Include, StepIdentity>();
  /** By area, then by text. */
  readonly #numbers = new Map<string, Map<string, number>>();
  readonly #lists = new WeakMap<Loop, string>();
  readonly #alike = new WeakMap<readonly Step[], ReadonlyMap<string, readonly unknown[]>>();

  constructor(readonly digest: (value: Value) => string) {}

  /** The key of a task as written, without its loop's list, because items are identified one by one. */
  taskKey(task: Task | Include): string {
    return getOrAdd(this.#tasks, task, () => this.digest(written(task)));
  }

  /** @param area of the play, or of its cleanup, which share their numbers */
  identify(task: Task | Include, area: string): StepIdentity {
    const known = this.#identities.get(task);
    if (known?.area === area) return known;
    const text = `${area}${this.taskKey(task)}`;
    const identity = { area, text, first: visitKey(text, 1), number: this.#number(area, text) };
    this.#identities.set(task, identity);
    return identity;
  }

  #number(area: string, text: string): number | undefined {
    const numbers = getOrAdd(this.#numbers, usualPlace(area), () => new Map<string, number>());
    const number = numbers.get(text) ?? numbers.size;
    if (number >= MOST_NUMBERED) return undefined;
    numbers.set(text, number);
    return number;
  }

  /** The digest of a loop's list as written. */
  list(loop: Loop): string {
    return getOrAdd(this.#lists, loop, () => this.digest(loop.over.value));
  }

  /** The prefix for steps inside a loop or an include, which identifies the item and its variables. */
  within(around: string, value: Value): string {
    return `${this.digest([around, value])}/`;
  }

  /** Whether exactly one of the steps is written like the task. */
  isOnly(task: Task | Include, steps: readonly Step[]): boolean {
    return tasksIn(steps).filter((one) => this.taskKey(one) === this.taskKey(task)).length === 1;
  }

  /** Number of steps that are written like the task; undefined if there is no other, or if all do the same. */
  countEqual(task: Task | Include, steps: readonly Step[]): number | undefined {
    const alike = getOrAdd(this.#alike, steps, () =>
      groupBy(tasksIn(steps).filter(mayDiffer), (one) => this.taskKey(one)),
    );
    const { length } = alike.get(this.taskKey(task)) ?? [];
    return length > 1 ? length : undefined;
  }
}

/** @param visit from 1: equal steps are counted in the order in which a controller reaches them, which a resume repeats */
export function visitKey(identity: string, visit: number): string {
  return `${identity}~${visit}`;
}

function written(task: Task | Include): Mapping {
  const { module, role, name, args, when, loop, delegateTo, runOnce, checkMode, layers } = task;
  return {
    module,
    role: role ?? null,
    name: name?.value ?? null,
    args,
    when: when.map(({ expression }) => expression),
    loop: loop === undefined ? null : [loop.lookup === undefined ? 'loop' : `with_${loop.lookup}`, loop.variable],
    ...(delegateTo !== undefined && { delegateTo: delegateTo.value }),
    ...(runOnce !== undefined && { runOnce: runOnce.value }),
    ...(checkMode !== undefined && { checkMode: checkMode.value }),
    variables: layerValues(layers),
  };
}

/** Variables written at the step and around it. */
export function layerValues(layers: readonly VariableLayer[]): readonly Value[] {
  return layers.filter(({ level }) => OWN.has(level)).map(({ values }) => values);
}

/** Whether two equally written steps may have different results. */
function mayDiffer({ type, args, when, loop, layers }: Task | Include): boolean {
  if (type === 'include' || loop !== undefined || when.length > 0 || holdsTemplate(args)) return true;
  return layerValues(layers).some(holdsTemplate);
}

function holdsTemplate(value: Value): boolean {
  for (const [leaf] of leavesIn(value))
    if (typeof leaf === 'string' ? hasTemplate(leaf) : leaf instanceof LazyMapping) return true;
  return false;
}
