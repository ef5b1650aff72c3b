import type { Included } from '../../core/model/playbook/step.js';
import { comparePositions, type StepPosition } from '../../core/model/playbook/step_place.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { jsonText, LazyMapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { BatchJournal } from '../journal/batch_journal.js';
import type { IncludedRun, TaskEnd } from '../task/task_end.js';
import { Once } from './once.js';

/** Why no controller of a batch starts anything new. */
export interface Halt {
  readonly reason: string;
  /** In lockstep. */
  readonly opening?: number | undefined;
  /** Of the step that caused it. Undefined: it cannot be taken back. */
  readonly position?: StepPosition | undefined;
  /** A controller has left the play because of it. */
  readonly isFinal?: boolean;
}

/** Whether a batch continues. Replaced when that changes, never modified. */
interface BatchEnding {
  /** `end_batch` or `end_play`: no controller continues, and nothing has failed. */
  readonly ended?: 'batch' | 'play' | undefined;
  /** Ends the run: the first reason. */
  readonly halted?: Halt | undefined;
  /** How often `clear_host_errors` has cleared failures. */
  readonly errorClears: number;
}

/** The state that the controllers of one batch share while they walk through the play. */
export class BatchState {
  /** `run_once`. */
  readonly once: Once<OnceResult>;
  readonly includes: IncludeOrder;
  readonly #size: number;
  readonly #failed = new Set<string>();
  #ending: BatchEnding = { errorClears: 0 };
  #takenBack: Halt | undefined;

  /**
   * @param maxFailPercentage of the batch; a higher percentage ends it. Undefined: no limit.
   * @param journal also has how the batch ended before the interrupt. Absent: nothing is recorded
   */
  constructor(
    controllers: readonly string[],
    private readonly maxFailPercentage: number | undefined,
    readonly journal?: BatchJournal,
  ) {
    this.once = new Once(controllers);
    this.includes = new IncludeOrder(controllers);
    this.#size = controllers.length;
    for (const { how, reason = 'the batch was halted', position } of journal?.past ?? [])
      this.#ending = how === 'halted' ? asHalted(this.#ending, { reason, position }) : asEnded(this.#ending, how);
  }

  get ending(): BatchEnding {
    return this.#ending;
  }

  end(what: 'batch' | 'play'): void {
    const before = this.#ending;
    this.#ending = asEnded(before, what);
    if (this.#ending.ended === before.ended) return;
    this.journal?.end(what);
  }

  /** Halts the batch; the first reason is kept. */
  halt(halt: Halt): void {
    if (this.#ending.halted !== undefined) return;
    this.#ending = asHalted(this.#ending, halt);
    this.journal?.end('halted', halt);
  }

  /** A controller failed for good, or is unreachable, which may exceed `max_fail_percentage`. */
  fail(controller: string, at: Pick<Halt, 'opening' | 'position'>): void {
    this.#failed.add(controller);
    const limit = this.maxFailPercentage;
    if (limit === undefined || (this.#failed.size / this.#size) * 100 <= limit) return;
    // Others that are at work now may fail, too.
    const failed = `${this.#failed.size} of ${this.#size} controllers had failed`;
    this.halt({ ...at, reason: `max_fail_percentage (${limit}%) was exceeded when ${failed}` });
  }

  /** Whether the controller is lost, and no `clear_host_errors` took that back. */
  isLost(controller: string): boolean {
    return this.#failed.has(controller);
  }

  /** A controller leaves the play because the batch was halted. From now on, the others must not continue without it. */
  leaveHalted(): void {
    const halt = this.#ending.halted ?? this.#takenBack;
    if (halt !== undefined) this.#ending = { ...this.#ending, halted: { ...halt, isFinal: true } };
  }

  /**
   * The `always` of a block cleared the errors: takes back what a failure inside of the block halted. Returns whether it did, so that a
   * controller that was stopped in the block continues after it.
   */
  takeBack(block: StepPosition): boolean {
    const halt = this.#ending.halted ?? this.#takenBack;
    if (halt?.position === undefined || halt.isFinal === true || !isInside(halt.position, block)) return false;
    this.#takenBack = halt;
    this.#ending = { ...this.#ending, halted: undefined };
    return true;
  }

  /** `clear_host_errors`: failures so far count neither for `max_fail_percentage` nor for the blocks whose `always` is running. */
  clearErrors(): void {
    this.#ending = { ...this.#ending, errorClears: this.#ending.errorClears + 1 };
    this.#failed.clear();
  }
}

function asEnded(ending: BatchEnding, what: 'batch' | 'play'): BatchEnding {
  return { ...ending, ended: ending.ended === 'play' ? 'play' : what };
}

function isInside(position: StepPosition, block: StepPosition): boolean {
  return block.every((step, depth) => position[depth] === step);
}

function asHalted(ending: BatchEnding, halted: Halt): BatchEnding {
  return { ...ending, halted: ending.halted ?? halted };
}

/**
 * Whether a controller starts no more tasks because the batch was halted. In lockstep, all controllers finish the current round, as
 * in Ansible, whichever fails first. A round is one position, so after a resume all finish the position of the halt.
 * @param opening of the controller, in lockstep
 */
export function isHalted({ halted }: BatchEnding, opening: number | undefined, position: StepPosition): boolean {
  if (halted === undefined || opening === undefined) return halted !== undefined;
  if (halted.opening !== undefined) return halted.opening !== opening;
  return halted.position === undefined || comparePositions(position, halted.position) > 0;
}

/** The result of a step that one controller ran for all: a task or a meta step. */
export type SharedResult =
  | { readonly type: 'task'; readonly end: TaskEnd }
  | { readonly type: 'step'; readonly end: StepEnd };

/** `each`: the first controller has decided that each runs the step itself. */
export type OnceResult = SharedResult | { readonly type: 'each' };

/**
 * What a step means for its controller's walk.
 *
 * - `completed`: on to the next
 * - `failed`: a `rescue` around may catch it, else an `always` around still runs
 * - `unreachable`, `stale`: nothing more on this controller
 * - `halted`: others of the batch failed for good (`any_errors_fatal`, `max_fail_percentage`); an `always` around still runs
 * - `stopped`: the run was interrupted; an `always` around still runs
 * - `role ended`: `end_role`: nothing more of its role
 * - `left`: `end_host`, `end_batch` or `end_play`: nothing more, and nothing is wrong
 */
export type StepEnd = 'completed' | 'failed' | 'unreachable' | 'stale' | 'halted' | 'stopped' | 'role ended' | 'left';

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

  register(controller: string, position: StepPosition, runs: readonly IncludedRun[]): void {
    getOrAdd(this.#runs, position.join('.'), () => new Map()).set(controller, runs);
  }

  /** The positions of the controller's includes among all; valid when all have registered. */
  ordinals(controller: string, position: StepPosition): readonly number[] {
    const key = position.join('.');
    const known = getOrAdd(this.#ordinals, key, () => this.#order(key));
    this.#runs.delete(key);
    return known.get(controller) ?? [];
  }

  #order(key: string): ReadonlyMap<string, readonly number[]> {
    const place = ([name]: readonly [string, unknown]): number => this.#places.get(name) ?? 0;
    const sorted = [...(this.#runs.get(key) ?? [])].sort((a, b) => place(a) - place(b));
    const numbering = new Numbering();
    return new Map(sorted.map(([controller, runs]) => [controller, numbering.numbers(runs)]));
  }
}

/** Numbers includes in order of appearance; the same file with the same variables has the same number. */
class Numbering {
  readonly #numbers = new Map<Included, Map<string, number[]>>();
  #next = 0;

  /** The numbers of one controller's includes: a file that it includes twice has two numbers. */
  numbers(runs: readonly IncludedRun[]): readonly number[] {
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
    const byVariables = getOrAdd(this.#numbers, included, () => new Map<string, number[]>());
    return getOrAdd(byVariables, layersText(layers), () => []);
  }
}

/** Items such as `hostvars[name]` have no text that tells them apart. */
const LAZY = new WeakMap<LazyMapping, string>();
let lazies = 0;

/** Equal for layers with equal values. */
export function layersText(layers: readonly VariableLayer[]): string {
  const named = (_name: string, one: unknown): unknown =>
    one instanceof LazyMapping ? getOrAdd(LAZY, one, () => `lazy ${(lazies += 1)}`) : one;
  const all = layers.map(({ values }) => values);
  return jsonText(all, named);
}
