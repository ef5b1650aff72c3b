import { LazyMapping, type Value } from '../../model/values/value.js';
import { Variables } from '../../template/scope.js';
import type { ControllerState } from './controller_state.js';
import { Magic } from './magic.js';
import type { PlayContext } from '../play/play_context.js';

const SELF = 'hostvars';

/** The magic variable `hostvars`: another controller's variables, those of plays and tasks left out, as in Ansible. */
export class HostVariables extends LazyMapping {
  /** The play is asked for when a variable is: it holds this mapping itself. */
  constructor(
    private readonly context: () => PlayContext,
    private readonly onName?: (name: string) => void,
  ) {
    super();
  }

  override traced(onName: (name: string) => void): HostVariables {
    return new HostVariables(this.context, onName);
  }

  override get(name: string): Value | undefined {
    const context = this.context();
    const state = context.run.fleet.find(name);
    return state === undefined ? undefined : new VariablesOf(context, state, this.onName);
  }

  override keys(): Iterable<string> {
    return this.context().run.inventory.controllers.keys();
  }
}

/** It does not hold `hostvars` itself, as in Ansible: whoever shows it all would never come to an end. */
class VariablesOf extends LazyMapping {
  readonly #variables: Variables;

  constructor(context: PlayContext, state: ControllerState, onName?: (name: string) => void) {
    super();
    const { run, variables } = context;
    const layers = [...variables.ofInventory(state.controller), ...state.layers, ...run.input.extraVars];
    const own = new Variables(layers, undefined, new Magic(context, state), run.input.library);
    this.#variables = onName === undefined ? own : own.traced(onName);
  }

  override get(name: string): Value | undefined {
    return name === SELF ? undefined : this.#variables.get(name);
  }

  override keys(): Iterable<string> {
    return [...this.#variables.names()].filter((name) => name !== SELF);
  }
}
