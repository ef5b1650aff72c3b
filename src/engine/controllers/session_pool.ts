import { setTimeout as sleep } from 'node:timers/promises';
import { ControllerError } from '../../controller/exchange/call.js';
import type { VariableLookup } from '../../controller/settings/values.js';
import { CONNECTION_NAMES, type ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { ReachedController } from '../../core/model/run/journal.js';
import type { OpenSession } from '../../core/model/run/session.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { isEqual, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { addSecrets } from '../../core/secrets/values.js';
import type { ForkLimit } from '../control/auto_forks.js';
import type { DeclaredBy, RunConnections, RunSources } from '../input/run_input.js';
import { TaskProblem } from '../keywords/failed_result.js';

/** A session that other tasks may share. */
export interface Borrowed {
  readonly session: Promise<OpenSession>;
  giveBack(): Promise<void>;
}

/**
 * A TLS handshake takes two milliseconds of CPU. If fifty begin at once, their answers arrive together and block the
 * event loop. At this rate it stays responsive, and the run takes no longer.
 */
const OPENED_PER_SECOND = 500;

/**
 * Sessions of one controller that stay open for the next task with the same variables, for example one for each of a few tenants.
 */
const IDLE_SESSIONS = 4;

interface OpenedSession {
  readonly connection: Connection;
  session: Promise<OpenSession>;
  /** Number of tasks that have borrowed it. */
  borrowed: number;
  /** Whether the controller keeps it for the whole play. */
  kept: boolean;
}

/** The sessions of a run, each opened by the first task that contacts its controller with these settings, then shared. */
export class SessionPool {
  readonly names = new ConnectionNames();
  /** By controller; the session used last comes last. */
  readonly #open = new Map<string, OpenedSession[]>();
  /** Controllers in a play: they keep their session until they finish it. */
  readonly #walking = new Set<string>();
  /** When the next session may be opened, in ms of `performance.now()`. */
  #next = 0;
  size = 0;

  constructor(
    private readonly input: {
      readonly connections: Pick<RunConnections, 'connect'>;
      readonly sources: Pick<RunSources, 'secrets'>;
    },
    private readonly forks: Pick<ForkLimit, 'now'>,
  ) {}

  /** Opens the session that the controller keeps. */
  open(connection: Connection): Promise<OpenSession> {
    const { controller } = connection.settings;
    this.#walking.add(controller);
    const opened = this.#opened(connection);
    if (!opened.kept) {
      for (const other of this.#sessions(controller)) other.kept = other === opened;
      void this.#closeSurplus(controller);
    }
    return opened.session;
  }

  /** Lends a session to one task, and keeps it open until the task returns it. */
  borrow(connection: Connection): Borrowed {
    const opened = this.#opened(connection);
    opened.borrowed += 1;
    return { session: opened.session, giveBack: () => this.#takeBack(opened) };
  }

  /** The controller has finished. */
  async close(name: string): Promise<void> {
    this.#walking.delete(name);
    for (const opened of this.#sessions(name)) opened.kept = false;
    const idle = this.#sessions(name).filter(({ borrowed }) => borrowed === 0);
    await Promise.all(idle.map((opened) => this.#close(opened)));
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.values()].flat().map((opened) => this.#close(opened)));
  }

  /** Keeps the session open for other tasks, but never more sessions than controllers may work. */
  async #takeBack(opened: OpenedSession): Promise<void> {
    opened.borrowed -= 1;
    if (opened.borrowed > 0 || opened.kept) return;
    const { controller } = opened.connection.settings;
    if (!this.#walking.has(controller) && this.size > this.forks.now) return this.#close(opened);
    await this.#closeSurplus(controller);
  }

  async #closeSurplus(controller: string): Promise<void> {
    const idle = this.#sessions(controller).filter(({ kept, borrowed }) => !kept && borrowed === 0);
    const [oldest] = idle;
    if (oldest !== undefined && idle.length > IDLE_SESSIONS) await this.#close(oldest);
  }

  #sessions(controller: string): readonly OpenedSession[] {
    return this.#open.get(controller) ?? [];
  }

  #opened(connection: Connection): OpenedSession {
    const { settings } = connection;
    const all = this.#open.get(settings.controller) ?? [];
    const newest = all.at(-1);
    if (newest !== undefined && isEqual(newest.connection.settings, settings)) return newest;
    this.#open.set(settings.controller, all);
    const index = all.findIndex((other) => isEqual(other.connection.settings, settings));
    const [known] = index < 0 ? [] : all.splice(index, 1);
    const opened = known ?? this.#begin(connection);
    all.push(opened);
    return opened;
  }

  #begin(connection: Connection): OpenedSession {
    const opened: OpenedSession = { connection, session: this.#connect(connection), borrowed: 0, kept: false };
    this.size += 1;
    opened.session.catch(() => this.#forget(opened));
    return opened;
  }

  #forget(opened: OpenedSession): boolean {
    const { controller } = opened.connection.settings;
    const all = this.#sessions(controller);
    const others = all.filter((other) => other !== opened);
    if (others.length === all.length) return false;
    if (others.length === 0) this.#open.delete(controller);
    else this.#open.set(controller, others);
    this.size -= 1;
    return true;
  }

  async #close(opened: OpenedSession): Promise<void> {
    if (!this.#forget(opened)) return;
    const session = await opened.session.catch(() => undefined);
    await session?.close();
  }

  async #connect(connection: Connection): Promise<OpenSession> {
    const { settings, variables, home, isGiven, declaredBy } = connection;
    addSecrets(settings, this.input.sources.secrets);
    const now = performance.now();
    const turn = Math.max(now, this.#next);
    this.#next = turn + 1000 / OPENED_PER_SECOND;
    if (turn > now) await sleep(turn - now);
    try {
      return await this.input.connections.connect(settings, { get: variables, home, isGiven, declaredBy });
    } catch (error) {
      throw error instanceof ControllerError ? error : new TaskProblem(errorMessage(error));
    }
  }
}

/** Connection variables that a rollback uses again. They override all but extra variables. */
export const KEPT_CONNECTION = 'evenkeel_connection';

/** The origin of connection variables that arguments of a task set. */
export const GIVEN = 'arguments';

/** The names of all variables that a connection depends on. Most tasks set none of them. */
export class ConnectionNames {
  readonly #names = new Set<string>([...CONNECTION_NAMES, KEPT_CONNECTION]);
  readonly #layers = new WeakMap<VariableLayer, { readonly names: number; readonly concerned: boolean }>();

  /** Adds a variable that a connection variable of the inventory refers to. */
  readonly add = (name: string): unknown => this.#names.add(name);

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

/** What a connection says about itself, if it is asked. */
interface ConnectionOrigin {
  /** The connection variables besides those of the inventory; undefined if there are none. */
  readonly overrides: () => Mapping | undefined;
  /** What leads to the same address by itself. */
  readonly declaredBy: () => DeclaredBy;
  readonly digest: (value: Value) => string;
}

/** How a task connects to a controller. */
export class Connection {
  #written: { readonly overrides: Mapping | undefined } | undefined;
  #declared: { readonly by: DeclaredBy } | undefined;
  #reached: ReachedController | undefined;

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
    private readonly origin: ConnectionOrigin,
  ) {}

  /** Whether a task's variables lead to another controller. */
  get isElsewhere(): boolean {
    return controllerIdentity(this.settings) !== this.home;
  }

  get declaredBy(): DeclaredBy {
    this.#declared ??= { by: this.written === undefined ? 'inventory' : this.origin.declaredBy() };
    return this.#declared.by;
  }

  /** What the journal records with each write. */
  get reached(): ReachedController {
    if (this.#reached !== undefined) return this.#reached;
    const { digest } = this.origin;
    const { username, versionHeader, headers } = this.settings;
    const url = controllerIdentity(this.settings);
    const account = digest([url, username, versionHeader, headers]);
    return (this.#reached = { url, controller: digest([url, headers]), account });
  }

  /** The connection variables besides those of the inventory, as the journal records them with each write; undefined if there are none. */
  get written(): Mapping | undefined {
    this.#written ??= { overrides: this.origin.overrides() };
    return this.#written.overrides;
  }
}
