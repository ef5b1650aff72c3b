import type { Controller } from '../../model/inventory/inventory.js';
import { entriesUnread, joined, storing } from '../../model/values/stored.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import { UsedVariables, type MaskedWords } from '../../secrets/masked_words.js';

const NO_FACTS: VariableLayer = { level: 'facts', origin: 'facts', values: { ansible_facts: {} }, literal: true };

/** `stale`: its objects are not as they were when the plan was made. */
export type ControllerStatus = 'alive' | 'failed' | 'unreachable' | 'stale';

/**
 * What a run knows about one controller beyond its inventory. Facts and registered results outlive the play; the rest
 * (scopes, sessions) belongs to the walk through one play and goes with it.
 */
export class ControllerState {
  /** A controller that is not alive takes no further part in the run. */
  status: ControllerStatus = 'alive';
  /** Whether any task was started on it. */
  started = false;
  /** Whether it is through with the play that it took part in last. */
  finished = false;
  #controller: Controller;
  #regrouped = false;
  /** Of `set_fact` with `cacheable`; their layer has them under `ansible_facts`, too. */
  #facts: Mapping = {};
  #factLayer = NO_FACTS;
  #included: readonly VariableLayer[] = [];
  #taskVariables: VariableLayer | undefined;

  constructor(
    controller: Controller,
    readonly hidden: MaskedWords,
  ) {
    this.#controller = controller;
  }

  get controller(): Controller {
    return this.#controller;
  }

  get name(): string {
    return this.controller.name;
  }

  /** Whether its groups or its variables in the inventory are others than when the run began. */
  get isRegrouped(): boolean {
    return this.#regrouped;
  }

  /** `add_host` or `group_by` made another of it. */
  regroup(controller: Controller): void {
    if (controller === this.#controller) return;
    this.#controller = controller;
    this.#regrouped = true;
  }

  /** What the run learned about it, weaker first. Layers are replaced as a whole, so a holder of one sees no change. */
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

  /** What `remember` was given so far. */
  get taskVariables(): Mapping {
    return this.#taskVariables?.values ?? {};
  }

  /** To find out what the output of a task must not show; undefined: it may show everything. */
  used(): UsedVariables | undefined {
    return this.hidden.isPossible ? new UsedVariables(this.hidden, this.name) : undefined;
  }

  /** `set_fact` with `cacheable`: what is set is a fact, too. */
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

  /** `clear_facts`: what `set_fact` and `register` gave it stays, as in Ansible. */
  clearFacts(): void {
    this.#facts = {};
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
