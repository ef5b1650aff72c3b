import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { whyUnreadable } from '../../core/files/paths.js';
import { PLAN_MAGIC, type PlannedStep } from '../../core/model/run/plan.js';
import { keyName, type Sealer } from '../journal/format/project_key.js';
import {
  headDigest,
  KIND,
  parseEnd,
  parseHeader,
  parseInputs,
  parseSteps,
  partAt,
  PlanError,
  planSealer,
  type PlanEnd,
  type PlanHeader,
  type PlanInputs,
  type PlannedSteps,
  type PlanSummary,
} from './sealed_parts.js';

/**
 * Parts that are kept in memory while a plan is applied: about 100 KB each. Under the strategy `linear`, each
 * controller has a part for each of its tasks, which it shares with its neighbours.
 */
const MOST_READ = 64;
const MAX_HEADER = 4096;

/** A plan that was read completely, and has not changed since it was written. */
export class PlanFile {
  /** By controller: the number of the part that should have the next step. */
  readonly #next = new Map<string, number>();
  readonly #steps: ReadonlySet<string>;
  /** Ordered by last use. */
  readonly #read = new Map<number, PlannedSteps>();

  private constructor(
    readonly header: PlanHeader,
    private readonly descriptor: number,
    private readonly sealer: Sealer,
    private readonly inputsPlace: number,
    private readonly end: PlanEnd,
  ) {
    this.#steps = new Set(end.steps);
  }

  /**
   * Reads and checks all of a plan, a part at a time.
   *
   * @param key of the project
   * @throws PlanError if it is no plan, was changed, or was made with another key or by another version
   */
  static open(file: string, key: Buffer): PlanFile {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, 'r');
      return PlanFile.#checked(file, descriptor, key);
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor);
      if (error instanceof PlanError) throw error;
      if (error instanceof Error && 'syscall' in error)
        throw new PlanError(`cannot read the plan ${file}: ${whyUnreadable(error)}`, MAKE);
      throw new PlanError(`${file} was changed or damaged since it was made`, 'make a new plan');
    }
  }

  static #checked(file: string, descriptor: number, key: Buffer): PlanFile {
    const { header, head } = readHeader(file, descriptor);
    if (header.key !== keyName(key)) {
      const message = `${file} was made with another key: by another project, or before .evenkeel/key was replaced`;
      throw new PlanError(message, 'make the plan in the project that applies it');
    }
    const sealer = planSealer(key, header.id);
    const { size } = fstatSync(descriptor);
    let place = Buffer.byteLength(head);
    let inputsPlace: number | undefined;
    for (let number = 0; ; number++) {
      const part = partAt(descriptor, sealer, place);
      if (part.number !== number) throw new Error('parts are in another order');
      if (part.kind === KIND.inputs) inputsPlace = place;
      place = part.next;
      if (part.kind !== KIND.end) continue;
      const end = parseEnd(part.text());
      if (place !== size || end.header !== headDigest(head) || inputsPlace === undefined)
        throw new Error('the end is not that of this plan');
      return new PlanFile(header, descriptor, sealer, inputsPlace, end);
    }
  }

  get summary(): PlanSummary {
    return this.end;
  }

  inputs(): PlanInputs {
    return parseInputs(partAt(this.descriptor, this.sealer, this.inputsPlace).text());
  }

  get digest(): Sealer['digest'] {
    return (value) => this.sealer.digest(value);
  }

  plannedSteps(controller: string): readonly PlannedStep[] {
    const [first, ...others] = this.#stepIndexes(controller).map((place) => this.#stepsAt(place)[controller] ?? []);
    return first === undefined || others.length === 0 ? (first ?? []) : [first, ...others].flat();
  }

  /**
   * The step of a controller at a place in its play. Searches from the part where the next step is expected, because
   * a run reads steps in order.
   */
  find(controller: string, place: string, matches: (step: PlannedStep) => boolean): PlannedStep | undefined {
    if (!this.#steps.has(place)) return undefined;
    const parts = this.#stepIndexes(controller);
    const from = this.#next.get(controller) ?? 0;
    for (let count = 0; count < parts.length; count++) {
      const at = (from + count) % parts.length;
      const steps = this.#stepsAt(parts[at] ?? 0)[controller] ?? [];
      const index = steps.findIndex((step) => step.place === place && matches(step));
      if (index < 0) continue;
      if (parts.length > 1) this.#next.set(controller, index === steps.length - 1 ? (at + 1) % parts.length : at);
      return steps[index];
    }
    return undefined;
  }

  #stepIndexes(controller: string): readonly number[] {
    const { places } = this.end;
    return Object.hasOwn(places, controller) ? (places[controller] ?? []) : [];
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #stepsAt(place: number): PlannedSteps {
    const known = this.#read.get(place);
    if (known !== undefined) {
      this.#read.delete(place);
      this.#read.set(place, known);
      return known;
    }
    const [oldest] = this.#read.keys();
    if (this.#read.size >= MOST_READ && oldest !== undefined) this.#read.delete(oldest);
    const steps = parseSteps(partAt(this.descriptor, this.sealer, place).text());
    this.#read.set(place, steps);
    return steps;
  }
}

/**
 * What a plan file says about itself, unsealed and unchecked.
 *
 * @throws PlanError if it is no plan of this version
 */
export function readPlanHeader(file: string): PlanHeader {
  const descriptor = openSync(file, 'r');
  try {
    return readHeader(file, descriptor).header;
  } finally {
    closeSync(descriptor);
  }
}

const MAKE = 'evenkeel plan … --out FILE makes one';

function readHeader(file: string, descriptor: number): { readonly header: PlanHeader; readonly head: string } {
  const buffer = Buffer.alloc(MAX_HEADER);
  const text = buffer.subarray(0, readSync(descriptor, buffer, 0, MAX_HEADER, 0)).toString('latin1');
  const [magic, line] = text.split('\n');
  if (magic !== PLAN_MAGIC || line === undefined) throw new PlanError(`${file} is not a plan`, MAKE);
  return { header: parseHeader(file, line), head: `${PLAN_MAGIC}\n${line}\n` };
}
