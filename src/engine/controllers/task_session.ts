import { mayStillApply } from '../../controller/exchange/policy.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import {
  type ControllerSession,
  mayBeRepeated,
  type OpenSession,
  type RawAnswer,
  type RawRequest,
  type WaitWithoutFork,
  SessionThrough,
  type Singleton,
} from '../../core/model/run/session.js';
import type { Value } from '../../core/model/values/value.js';
import type { Variables } from '../../language/scope.js';
import type { LoopYielder } from '../control/clock.js';
import type { EngineRecord } from '../input/run_input.js';
import { wasRefused } from '../journal/write_recorder.js';
import type { ControllerConnections } from './controller_connections.js';
import { type Borrowed, type Connection, GIVEN, type SessionPool } from './session_pool.js';

/**
 * The session of one task. The shared session is opened at first use, because a task that contacts no controller needs no connection
 * settings. Yields to the event loop between many simultaneous answers.
 */
export class TaskSession extends SessionThrough {
  #variables: Variables;
  #tenant: string | undefined;
  /** The URL of the controller and its route, unless the inventory says that by itself. */
  address: string | undefined;
  #connection: Promise<Connection> | undefined;
  #borrowed: Borrowed | undefined;
  #asked: OpenSession | undefined;
  /** The opened session, as long as nothing says that another one is needed. */
  #opened: OpenSession | undefined;
  /** The same session, with the patience of this task. */
  #waiting: { readonly session: ControllerSession; readonly isPatient: boolean } | undefined;
  /** Pieces of work for which a failure is no reason to wait. */
  #impatient = 0;
  /** Whether a write may have taken effect, so that the task must not be repeated. */
  outcomeUnknown = false;

  /**
   * @param target the contacted controller
   * @param variables the variables with its connection settings
   * @param isDelegated whether the task was delegated to it
   * @param waits `wait` gives up the fork of the task's own controller; `untilSettled` waits for writes of earlier runs;
   *   `isPatient`: requests are repeated
   */
  constructor(
    private readonly run: {
      readonly sessions: SessionPool;
      readonly control: { readonly loopYielder: LoopYielder };
      readonly input: { readonly record: Pick<EngineRecord, 'past'> };
    },
    private readonly connections: ControllerConnections,
    readonly target: string,
    variables: Variables,
    readonly isDelegated: boolean,
    private readonly waits: {
      readonly wait: WaitWithoutFork;
      readonly untilSettled: (to: ConnectionSettings) => Promise<void> | undefined;
      readonly isPatient: boolean;
    },
  ) {
    super((_, ask) => this.#ask(ask));
    this.#variables = variables;
  }

  /**
   * Sets a connection variable for this task, from an argument of the task, which no variable overrides. Must be called before the
   * session is used.
   */
  set(variable: string, value: Value): void {
    const values = { [variable]: value };
    this.#variables = this.#variables.child([{ level: 'magic', origin: GIVEN, literal: true, values }]);
    this.#connection = undefined;
    this.#opened = undefined;
  }

  /** As `set`, for several. */
  setAll(variables: readonly (readonly [variable: string, value: Value])[]): this {
    for (const [variable, value] of variables) this.set(variable, value);
    return this;
  }

  /** Another session of the task, to look into another tenant. */
  inTenant(tenant: string): TaskSession {
    const { run, connections, target, isDelegated, waits } = this;
    const other = new TaskSession(run, connections, target, this.#variables, isDelegated, waits);
    other.set('controller_tenant', tenant);
    return other;
  }

  /** The tenant in which the task acted; undefined if it contacted nothing, or there are no tenants. */
  get tenant(): string | undefined {
    return this.#asked === undefined ? undefined : this.#tenant;
  }

  /** The variables with the connection settings. */
  get variables(): Variables {
    return this.#variables;
  }

  /** As `ActionContext.account`. */
  async account(): Promise<ConnectionSettings> {
    return (await this.#connect()).settings;
  }

  /** Undefined if the variables do not define a connection: then nothing can be sent, and a task may still work without. */
  connection(): Promise<Connection | undefined> {
    return this.#connect().catch(() => undefined);
  }

  /** Opens the session if the variables define one; sends nothing yet. */
  async prepare(): Promise<void> {
    if ((await this.connection()) !== undefined) await this.#open();
  }

  /** The run may have written values that the controller cannot show, before the interrupt. */
  override async single(path: string): Promise<Singleton> {
    const found = await super.single(path);
    if (found.status !== 'unreadable') return found;
    const { reached, settings } = await this.#connect();
    const written = found.written ?? this.run.input.record.past?.written({ path, tenant: settings.tenant, reached });
    return written === undefined ? found : { ...found, written };
  }

  /** A write that must not be repeated blindly is waited for, and looked for, in every attempt: the next one could not tell. */
  override async request(raw: RawRequest): Promise<RawAnswer> {
    if (mayBeRepeated(raw)) return super.request(raw);
    try {
      const answer = await this.#ask((session) => session.request(raw), true);
      this.outcomeUnknown ||= answer.outcomeUnknown === true || mayStillApply(answer);
      return answer;
    } catch (error) {
      this.outcomeUnknown ||= !wasRefused(error);
      throw error;
    }
  }

  async end(): Promise<void> {
    this.#asked?.forgetAnswers();
    const borrowed = this.#borrowed;
    this.#borrowed = undefined;
    this.#opened = undefined;
    await borrowed?.giveBack();
  }

  /** Does work that will be repeated if it fails, so that its requests need not be. */
  async withoutPatience<T>(work: () => Promise<T>): Promise<T> {
    this.#impatient += 1;
    try {
      return await work();
    } finally {
      this.#impatient -= 1;
    }
  }

  async #ask<Answer>(
    question: (session: ControllerSession) => Promise<Answer>,
    isPatient = this.waits.isPatient && this.#impatient === 0,
  ): Promise<Answer> {
    const opened = this.#opened ?? (await this.#open());
    if (opened !== this.#asked || this.#waiting?.isPatient !== isPatient)
      this.#waiting = { isPatient, session: opened.withWait(this.waits.wait, isPatient) };
    this.#asked = opened;
    const answer = await question(this.#waiting.session);
    const turn = this.run.control.loopYielder.yieldLoop();
    if (turn !== undefined) await turn;
    return answer;
  }

  #connect(): Promise<Connection> {
    return (this.#connection ??= this.connections.at(this.#variables));
  }

  async #open(): Promise<OpenSession> {
    const connection = await this.#connect();
    this.#tenant = connection.settings.tenant;
    this.address = connection.declaredBy === 'inventory' ? undefined : connection.reached.url;
    try {
      const session = await this.#shared(connection);
      // Opening the session found out whether there is anything to wait for. It has contacted nothing yet.
      const settled = this.waits.untilSettled(connection.settings);
      if (settled !== undefined) await settled;
      this.#opened = session;
      return session;
    } catch (error) {
      // Close it, so that the next attempt opens a new session.
      await this.end();
      throw error;
    }
  }

  #shared(connection: Connection): Promise<OpenSession> {
    const { sessions } = this.run;
    if (connection.isUsual && !this.isDelegated) return sessions.open(connection);
    this.#borrowed ??= sessions.borrow(connection);
    return this.#borrowed.session;
  }
}
