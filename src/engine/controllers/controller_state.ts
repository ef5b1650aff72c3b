import type { Controller } from '../../core/model/inventory/inventory.js';
import type { Elsewhere, StepLeft } from '../../core/model/run/journal.js';
import { entriesUnread, joined, storing } from '../../core/model/values/stored.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { UsedVariables, type MaskedWords } from '../../core/secrets/masked_words.js';

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
  hasLeftPlay = false;
  /** Whether it has finished its last play. */
  finished = false;
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
  addVariables(added: Mapping): void {
    const level = 'set_fact and registered';
    const values = joined(this.#taskVariables?.values ?? {}, added);
    this.#taskVariables = { level, origin: level, values, literal: true };
  }

  /** All variables that `set_fact` and `register` set. */
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
  const short = (name: string): string => (name === 'ansible_local' ? name : name.replace(/^ansible_/, ''));
  return storing(entriesUnread(facts).map(([name, value]) => [short(name), value]));
}

/** The variables of a controller that a task sets. */
export interface KeptVariables {
  /** Set by `set_fact` and `register`. */
  readonly values: Mapping;
  /** Set by `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  /** Loaded by `include_vars`, lowest precedence first. */
  readonly included: readonly VariableLayer[];
  /** Variables set for other controllers (`delegate_facts`). */
  readonly elsewhere: readonly Elsewhere[];
  /** Words in it that must be masked. Undefined: none. */
  readonly maskedWords?: readonly string[] | undefined;
}

const FACTS = 'ansible_facts';

export const NO_VARIABLES: KeptVariables = { values: {}, facts: {}, included: [], elsewhere: [] };

/**
 * The words of a value that must stay masked everywhere: all words of a masked task, otherwise those that the task took from masked
 * values.
 */
export function maskedWordsIn(
  used: UsedVariables | undefined,
  value: Value,
  masked: boolean,
): Pick<KeptVariables, 'maskedWords'> {
  const maskedWords = used?.wordsLeft(value, masked);
  return maskedWords === undefined ? {} : { maskedWords };
}

/** Merges the parts; later ones take precedence. */
export function mergeKept(parts: readonly KeptVariables[]): KeptVariables {
  const all = parts.filter(setsVariables);
  if (all.length < 2) return all[0] ?? NO_VARIABLES;
  const maskedWords = all.flatMap(({ maskedWords: words = [] }) => words);
  return {
    values: storing(all.flatMap(({ values }) => entriesUnread(values))),
    facts: storing(all.flatMap(({ facts }) => entriesUnread(facts))),
    included: all.flatMap(({ included }) => included),
    elsewhere: all.flatMap(({ elsewhere }) => elsewhere),
    ...(maskedWords.length > 0 && { maskedWords }),
  };
}

/** Most tasks set no variables. */
function setsVariables({ values, facts, included, elsewhere, maskedWords }: KeptVariables): boolean {
  if (maskedWords !== undefined) return true;
  return Object.keys(values).length + Object.keys(facts).length + included.length + elsewhere.length > 0;
}

/** Sets what a task kept for its own controller; what it gave others is set there. */
export function keepVariables(state: ControllerState, { values, facts, included, maskedWords }: KeptVariables): void {
  if (Object.keys(facts).length > 0) state.addCachedFacts(facts);
  for (const layer of included) state.include(layer);
  if (Object.keys(values).length > 0) state.addVariables(values);
  if (state.maskedWords.isPossible) noteMaskedWords(state, { values, facts, included }, maskedWords);
}

function noteMaskedWords(
  { name, maskedWords: known }: ControllerState,
  { values, facts, included }: Pick<KeptVariables, 'values' | 'facts' | 'included'>,
  maskedWords: readonly string[] | undefined,
): void {
  const set = [values, facts, ...included.map((layer) => layer.values)];
  const names = set.flatMap((one) => Object.keys(one));
  known.set(name, names, maskedWords);
  // It also holds the facts of other tasks.
  if (maskedWords !== undefined && Object.keys(facts).length > 0)
    known.set(name, [FACTS], [...known.words(name, FACTS), ...maskedWords]);
}

/** The form for the journal; undefined if there is nothing to keep. Variables from files are read again. */
export function asStepLeft({ values, facts, elsewhere, maskedWords }: KeptVariables): StepLeft | undefined {
  const left = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(maskedWords !== undefined && { hidden: maskedWords }),
  };
  return Object.keys(left).length === 0 ? undefined : left;
}

/** What a step set for its own controller, and gave to others, as the journal has it. */
export function keptBefore({ values = {}, facts = {}, elsewhere = [], hidden: maskedWords }: StepLeft): KeptVariables {
  return { ...NO_VARIABLES, values, facts, elsewhere, maskedWords };
}
