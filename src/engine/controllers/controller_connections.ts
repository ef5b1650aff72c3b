import { parseSettings, PASSWORD_VARIABLES, USERNAME_VARIABLES } from '../../controller/settings/settings.js';
import { settingIdentity } from '../../controller/settings/url.js';
import type { VariableLookup } from '../../controller/settings/values.js';
import { CONNECTION_VARIABLES, type ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import type { Controller } from '../../core/model/inventory/inventory.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { jsonText, isEqual, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { KNOWN_TO_ROLLBACK, type VariableLayer } from '../../core/model/values/variables.js';
import type { Variables } from '../../language/scope.js';
import type { RunConnections, RunSources, TypedCredentials } from '../input/run_input.js';
import type { StepKeys } from '../journal/step_keys.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { connectionVariable } from '../keywords/names.js';
import { materialized } from '../keywords/plain_data.js';
import { type HostContext, variablesWith } from './magic.js';
import { Connection, GIVEN, KEPT_CONNECTION, type SessionPool } from './session_pool.js';

/** Variables that affect the speed of requests, but not the target of a write. */
const PACE: ReadonlySet<string> = new Set([
  'controller_timeout',
  'controller_write_settles',
  'controller_patience',
  'controller_max_requests',
  'controller_requests_per_second',
]);

/** The parts of a run that a connection needs. */
interface Connecting {
  readonly input: { readonly connections: Pick<RunConnections, 'unlock' | 'credentials' | 'settingSources'> };
  readonly sessions: SessionPool;
  readonly keys: StepKeys | undefined;
}

/** The variables of a controller before any task adds to them, as far as files show them. */
interface DeclaredVariables {
  readonly inventory: () => Variables;
  /** With those of the play. */
  readonly play: () => Variables;
  /** Whether `add_host` or `group_by` has changed the controller, which has no effect beyond the run. */
  readonly isOutdated: () => boolean;
}

/** The connections of a play's tasks to one controller: the same for all, unless their variables override it. */
export class ControllerConnections {
  #usual: Promise<Connection> | undefined;

  /**
   * @param subject whose controller may change during the run (`group_by`)
   * @param variables the controller's variables before any task adds to them
   * @param declared of the inventory: all that a rollback sees, which does not read the playbook
   */
  constructor(
    private readonly run: Connecting,
    private readonly subject: { readonly controller: Controller },
    readonly variables: Variables,
    private readonly declared: DeclaredVariables,
  ) {}

  /**
   * The connection for a task with these variables.
   *
   * @param scope the variables of the controller, or further ones on top of them
   * @throws TaskProblem or TemplateError if they do not define a connection
   */
  async at(scope: Variables): Promise<Connection> {
    const { names } = this.run.sessions;
    const usual = await this.#resolveUsual();
    if (!names.concern(scope.layersSince(this.variables))) {
      if (usual instanceof Connection) return usual;
      throw usual.error;
    }
    const home = usual instanceof Connection ? controllerIdentity(usual.settings) : this.#identity(this.variables);
    const own = this.#connection(scope, home);
    return usual instanceof Connection && isEqual(own.settings, usual.settings) ? usual : own;
  }

  /**
   * Resolves the connection once per play. Retries after a failure, because an encrypted value may be available later.
   */
  async #resolveUsual(): Promise<Connection | { readonly error: unknown }> {
    this.#usual ??= this.#findUsual();
    try {
      return await this.#usual;
    } catch (error) {
      this.#usual = undefined;
      return { error };
    }
  }

  async #findUsual(): Promise<Connection> {
    const { sessions, input } = this.run;
    await input.connections.unlock?.(this.subject.controller.layers);
    return this.#connection(this.variables.traced(sessions.names.add), 'usual');
  }

  /** The controller's identity, even if the rest of its connection depends on the task. */
  #identity(variables: Variables): string | undefined {
    const { routes } = this.run.input.connections.settingSources;
    return orElse(undefined, () => settingIdentity(lookupIn(variables), this.subject.controller.name, routes));
  }

  /** @param home as in `Connection`, or `usual` for the connection of the controller itself */
  #connection(scope: Variables, home: string | undefined): Connection {
    const variables = lookupIn(scope);
    const settings = this.#settings(variables);
    const isUsual = home === 'usual';
    const own = isUsual ? controllerIdentity(settings) : home;
    return new Connection(settings, variables, own, isUsual, isAddressGiven(scope), {
      overrides: () => this.#overrides(scope, variables, settings),
      declaredBy: () => {
        const { inventory, play } = this.declared;
        const leads = (to: () => Variables): boolean => this.#identity(to()) === controllerIdentity(settings);
        return leads(inventory) ? 'inventory' : leads(play) ? 'play' : undefined;
      },
      digest: this.run.keys?.digest ?? jsonText,
    });
  }

  #overrides(scope: Variables, variables: VariableLookup, settings: ConnectionSettings): Mapping | undefined {
    const { sessions } = this.run;
    const added = scope.layersSince().filter(({ level }) => !KNOWN_TO_ROLLBACK.has(level));
    if (!this.declared.isOutdated() && !sessions.names.concern(added)) return undefined;
    const plain = lookupIn(this.declared.inventory());
    if (this.#leadsTo(settings, plain)) return undefined;
    const differing = CONNECTION_VARIABLES.flatMap(({ name }) => {
      const value = found(variables, name);
      const isOwn = value !== undefined && !PACE.has(name) && !isEqual(value, found(plain, name));
      return isOwn ? [[name, value] as const] : [];
    });
    const own = { ...unsetWay(variables, plain), ...Object.fromEntries(differing), controller_url: settings.url };
    return materialized(own);
  }

  #settings(lookup: VariableLookup): ConnectionSettings {
    return connectionSettings(this.subject.controller, lookup, this.run.input.connections);
  }

  #leadsTo(settings: ConnectionSettings, lookup: VariableLookup): boolean {
    const plain = orElse(undefined, () => this.#settings(lookup));
    // Ignores the tenant, which the journal records with each write.
    const { timeout, writeSettles, patience, maxRequests, requestsPerSecond, tenant } = settings;
    const ignored = { timeout, writeSettles, patience, maxRequests, requestsPerSecond, tenant };
    return plain !== undefined && isEqual({ ...plain, ...ignored }, settings);
  }
}

/** Whether the arguments of a task name the address: of this one, or of one whose write it restores, which was checked then. */
function isAddressGiven(scope: Variables): boolean {
  const kept = scope.get(KEPT_CONNECTION);
  const isKept = isMapping(kept) && Object.hasOwn(kept, 'controller_url');
  return isKept || scope.find('controller_url')?.layer.origin === GIVEN;
}

/** A rollback must not combine one of these with the other of the inventory. */
function unsetWay(variables: VariableLookup, plain: VariableLookup): Mapping {
  const isUnset = (name: string) => found(variables, name) === undefined && found(plain, name) !== undefined;
  return Object.fromEntries(['controller_proxy', 'controller_route'].filter(isUnset).map((name) => [name, null]));
}

/** Variables that identify the object: not even an extra variable overrides the recorded ones. */
const IDENTITY: ReadonlySet<string> = new Set(['controller_tenant']);

/** The variables that say how to connect. */
export function lookupIn(scope: Variables): VariableLookup {
  const kept = scope.get(KEPT_CONNECTION);
  if (!isMapping(kept)) return (name) => connectionVariable(name, scope);
  return (name) => {
    const isKept = Object.hasOwn(kept, name) && (IDENTITY.has(name) || scope.find(name)?.layer.level !== 'extra vars');
    return isKept ? kept[name] : connectionVariable(name, scope);
  };
}

/** Undefined also if the variable fails to render: all variables that the connection needs are already rendered. */
function found(variables: VariableLookup, name: string): Value | undefined {
  return orElse(undefined, () => variables(name));
}

/** The play, and the data for a connection. */
interface ConnectingContext extends HostContext {
  readonly run: HostContext['run'] &
    Connecting & { readonly input: { readonly sources: Pick<RunSources, 'inventory'> } };
}

/** How the tasks of a play connect to a controller. @param variables its variables before any task adds to them */
export function connectController(
  context: ConnectingContext,
  subject: { readonly controller: Controller },
  variables: Variables,
): ControllerConnections {
  const { name, implicit } = subject.controller;
  const loaded =
    context.run.input.sources.inventory.controllers.get(name) ??
    (implicit === true ? subject.controller : unknownController(name));
  const declared = (more: readonly VariableLayer[] = []): Variables =>
    variablesWith([...context.play.variables.ofInventory(loaded), ...more], context, { controller: loaded });
  const play = (): Variables => declared(context.play.definition.layers);
  const isOutdated = (): boolean => loaded !== subject.controller;
  return new ControllerConnections(context.run, subject, variables, { inventory: declared, play, isOutdated });
}

/** As a rollback sees a controller that only the run knew. */
export function unknownController(name: string): Controller {
  return { name, groups: [], layers: [] };
}

/** Throws a `TaskProblem` if the variables do not define a connection. */
export function connectionSettings(
  controller: Controller,
  lookup: VariableLookup,
  { credentials, settingSources }: Pick<RunConnections, 'credentials' | 'settingSources'>,
): ConnectionSettings {
  if (controller.implicit === true && lookup('controller_url') === undefined) {
    const hint =
      'only actions such as debug and set_fact run on it; add it to the inventory to manage a controller there';
    throw new TaskProblem(`${controller.name} is this machine, not a controller`, undefined, hint);
  }
  const parsed = parseSettings(withFallback(lookup, credentials), controller.name, settingSources);
  if ('settings' in parsed) return parsed.settings;
  const message = parsed.problems.map(({ message: own, general = own }) => general).join('; ');
  const hints = parsed.problems.flatMap(({ hint, variables: [name = ''] }) =>
    hint === undefined ? [] : [[name, hint] as const],
  );
  const shown = hints.map(([name, hint]) => (hints.length === 1 ? hint : `${name}: ${hint}`));
  throw new TaskProblem(message, undefined, shown.length === 0 ? undefined : shown.join('\n'));
}

/** `-u` and `-k` apply if no variable does, or if it is empty. */
export function withFallback(lookup: VariableLookup, { username, password }: TypedCredentials = {}): VariableLookup {
  if (username === undefined && password === undefined) return lookup;
  const filled: ReadonlySet<string> = new Set([
    ...(username === undefined ? [] : USERNAME_VARIABLES),
    ...(password === undefined ? [] : PASSWORD_VARIABLES),
  ]);
  // The names that are looked up last.
  const last = new Map<string | undefined, string | undefined>([
    [USERNAME_VARIABLES.at(-1), username],
    [PASSWORD_VARIABLES.at(-1), password],
  ]);
  return (name) => {
    const value = lookup(name);
    return value === undefined || (value === '' && filled.has(name)) ? last.get(name) : value;
  };
}
