import type { VariableLookup } from '../../controller/settings/values.js';
import { CONNECTION_VARIABLES, type ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { WriteConnection } from '../../core/model/run/journal.js';
import type { VariableLayer } from '../../core/model/values/variables.js';

/** Connection variables that a rollback uses again. They override all but extra variables. */
export const KEPT_CONNECTION = 'evenkeel_connection';

/** The origin of connection variables that arguments of a task set. */
export const GIVEN = 'arguments';

/** The names of all variables that a connection depends on. Most tasks set none of them. */
export class ConnectionNames {
  readonly #names = new Set<string>([...CONNECTION_VARIABLES.map(({ name }) => name), KEPT_CONNECTION]);
  readonly #layers = new WeakMap<VariableLayer, { readonly names: number; readonly concerned: boolean }>();

  /** Adds a variable that a connection variable of the inventory refers to. */
  readonly add = (name: string): void => {
    this.#names.add(name);
  };

  concern(layers: readonly VariableLayer[]): boolean {
    // With `hostvars`, facts of another controller may have changed without a trace in these layers.
    return this.#names.has('hostvars') || layers.some((layer) => this.#concernLayer(layer));
  }

  #concernLayer(layer: VariableLayer): boolean {
    const { size } = this.#names;
    const known = this.#layers.get(layer);
    if (known?.names === size) return known.concerned;
    const concerned = Object.keys(layer.values).some((name) => this.#names.has(name));
    this.#layers.set(layer, { names: size, concerned });
    return concerned;
  }
}

/** How a task connects to a controller. */
export class Connection {
  #written: { readonly connection: WriteConnection | undefined } | undefined;

  /**
   * @param home identity of the controller without overrides by a task's variables; undefined if its variables set none
   * @param isUsual whether all tasks without overrides use this connection
   * @param isGiven whether the address is in the arguments of the task
   */
  constructor(
    readonly settings: ConnectionSettings,
    readonly variables: VariableLookup,
    readonly home: string | undefined,
    readonly isUsual: boolean,
    readonly isGiven: boolean,
    private readonly describe: () => WriteConnection | undefined,
  ) {}

  /** Whether a task's variables lead to another controller. */
  get isElsewhere(): boolean {
    return controllerIdentity(this.settings) !== this.home;
  }

  /** The connection as the journal records it with each write; undefined if it is that of the inventory. */
  get written(): WriteConnection | undefined {
    this.#written ??= { connection: this.describe() };
    return this.#written.connection;
  }
}
