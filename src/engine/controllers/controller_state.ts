import type { Controller } from '../../core/model/inventory/inventory.js';
import { entriesUnread, joined, storing } from '../../core/model/values/stored.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { UsedVariables, type MaskedWords } from '../../core/secrets/masked_words.js';
import type { ExpectedObjects } from './expected_objects.js';

const NO_FACTS: VariableLayer = { level: 'facts', origin: 'facts', values: { ansible_facts: {} }, literal: true };

const NO_VALUES: Mapping = {};
const NO_LAYERS: readonly VariableLayer[] = [];

/** `stale`: its objects have changed since the plan was made. */
export type ControllerStatus = 'alive' | 'failed' | 'unreachable' | 'stale';

/**
 * The state of one controller in a run besides its inventory. Facts and registered results outlive the play; the rest
 * (scopes, sessions) ends with the walk through one play.
 */
export class ControllerState {
  /** A controller that is not alive takes no further part in the run. */
  status: ControllerStatus = 'alive';
  /** Whether any task was started on it. */
  started = false;
  /** Whether `end_host` has ended its play. */
  left = false;
  /** Whether it has finished its last play. */
  finished = false;
  /**
   * In a check: what its tasks would leave, by connection. The order in which controllers visit another one is not known, so each
   * has its own.
   */
  expected: Map<string, ExpectedObjects> | undefined;
  #controller: Controller;
  /** Whether its groups or its inventory variables have changed since the run began. */
  isRegrouped = false;
  /** Set by `set_fact` with `cacheable`; their layer also has them under `ansible_facts`. */
  #facts = NO_VALUES;
  #factLayer = NO_FACTS;
  #included = NO_LAYERS;
  #taskVariables: VariableLayer | undefined;

  constructor(
    controller: Controller,
    readonly maskedWords: MaskedWords,
  ) {
    this.#controller = controller;
  }

  get controller(): Controller {
    return this.#controller;
  }

  get name(): string {
    return this.controller.name;
  }

  /** `add_host` or `group_by` changed it. */
  regroup(controller: Controller): void {
    if (controller === this.#controller) return;
    this.#controller = controller;
    this.isRegrouped = true;
  }

  /**
   * The variables that the run added, lowest precedence first. Layers are replaced, never modified, so they stay
   * constant for their users.
   */
  get layers(): readonly VariableLayer[] {
    const found = [this.#factLayer, ...this.#included];
    return this.#taskVariables === undefined ? found : [...found, this.#taskVariables];
  }

  /** Results and facts that tasks set: data, never templates. */
  addVariables(values: Mapping): void {
    const level = 'set_fact and registered';
    this.#taskVariables = {
      level,
      origin: level,
      values: joined(this.#taskVariables?.values ?? {}, values),
      literal: true,
    };
  }

  /** All variables set with `remember`. */
  get taskVariables(): Mapping {
    return this.#taskVariables?.values ?? NO_VALUES;
  }

  /** Determines what the output of a task must mask. Undefined: nothing. */
  used(): UsedVariables | undefined {
    return this.maskedWords.isPossible ? new UsedVariables(this.maskedWords, this.name) : undefined;
  }

  /** `set_fact` with `cacheable`: the values are also facts. */
  addCachedFacts(values: Mapping): void {
    this.#facts = joined(this.#facts, values);
    this.#factLayer = { ...NO_FACTS, values: joined(this.#facts, { ansible_facts: withoutPrefix(this.#facts) }) };
  }

  /** `include_vars`: its values may hold templates. */
  include(layer: VariableLayer): void {
    const names = new Set(Object.keys(layer.values));
    const kept = this.#included.filter(({ values }) => Object.keys(values).some((name) => !names.has(name)));
    this.#included = [...kept, layer];
  }

  /** `clear_facts`: variables from `set_fact` and `register` stay, as in Ansible. */
  clearFacts(): void {
    this.#facts = NO_VALUES;
    this.#factLayer = NO_FACTS;
  }
}

/** `ansible_facts` has them without `ansible_` before their names. */
function withoutPrefix(facts: Mapping): Mapping {
  return storing(
    entriesUnread(facts).map(([name, value]) => [
      name === 'ansible_local' ? name : name.replace(/^ansible_/, ''),
      value,
    ]),
  );
}
