import type { ConnectionSettings } from '../core/model/inventory/connection.js';
import { controllerIdentity } from '../core/model/inventory/route.js';
import { NEVER_REST, type Rest } from '../core/model/run/session.js';
import type { Secrets } from '../core/secrets/secrets.js';
import { LockedOutError, notSent } from './access/lockouts.js';
import { redirected, refusal } from './answers/refusal.js';
import { askVersion, withoutVersion, type ApiVersions } from './api_version.js';
import type { Answer, Call } from './exchange/call.js';
import { ControllerError } from './exchange/controller_error.js';
import { jittered } from './exchange/policy.js';
import { Sender, type Addressee, type SenderOptions } from './sender.js';
import { requireOneTenant, unknownTenant } from './tenant_check.js';

export interface ClientOptions extends SenderOptions {
  readonly versions: ApiVersions;
}

/** Sends requests to one controller. Returns answers of any status, except 401 and redirects, which are errors. */
export class Client {
  readonly #sender: Sender;

  constructor(
    settings: ConnectionSettings,
    readonly options: ClientOptions,
    private readonly rest: Rest = NEVER_REST,
    private readonly known: Known = { settings, versionHeader: [], hasTenant: false },
    isPatient = true,
  ) {
    this.#sender = new Sender(known, options, rest, isPatient);
  }

  /** The same client for a task that gives up its fork while it waits. */
  withRest(rest: Rest, isPatient: boolean): Client {
    return new Client(this.settings, this.options, rest, this.known, isPatient);
  }

  /** Includes the API version as soon as it is known. */
  get settings(): ConnectionSettings {
    return this.known.settings;
  }

  get secrets(): Secrets {
    return this.options.secrets;
  }

  /** Whether requests must not be repeated any more. */
  get interrupted(): boolean {
    return this.options.stopping.aborted;
  }

  /** Whether the pause that the controller requests is short enough to wait. */
  get mayAsk(): boolean {
    return this.options.gate.pauseEndsInTime;
  }

  async ask(call: Call): Promise<Answer> {
    const { versionPath } = this.settings.dialect;
    if (this.settings.apiVersion === undefined && versionPath !== undefined) await this.#findVersion(call, versionPath);
    return this.#ask(call);
  }

  async #findVersion(call: Call, path: string): Promise<void> {
    const ask = (): Promise<string> => askVersion(path, this, (other) => this.#ask(other));
    try {
      const apiVersion = await this.options.versions.obtain(controllerIdentity(this.settings), this.rest, ask);
      this.known.versionHeader = [this.settings.versionHeader.toLowerCase(), apiVersion];
      this.known.settings = { ...this.settings, apiVersion };
    } catch (error) {
      if (!(error instanceof ControllerError) || error instanceof LockedOutError) throw error;
      throw withoutVersion(call, error);
    }
  }

  async #ask(call: Call): Promise<Answer> {
    const { lockouts } = this.options;
    const controller = controllerIdentity(this.settings);
    if (lockouts.isLost(controller)) throw notSent(call);
    requireOneTenant(call, this);
    const answer = await this.#answer(call);
    const { status, uncertain = false } = answer;
    if (status === 401) throw lockouts.judge(controller, call, refusal(call, answer, this));
    if (status >= 300 && status < 400) throw lockouts.judge(controller, call, redirected(call, answer, this));
    lockouts.answered(controller, call, status >= 400 && !uncertain);
    if (status === 404) await this.#requireTenant(call);
    return answer;
  }

  forgetAnswers(): void {
    this.options.wire.forgetAnswers();
  }

  /** Waits as long as before the retry of that number; ends early when the run is interrupted. */
  async pause(attempt: number): Promise<void> {
    await this.#sender.sleep(jittered(attempt, this.options.retry, Math.random()));
  }

  refused(call: Call, answer: Answer): ControllerError {
    return refusal(call, answer, this);
  }

  async #answer(call: Call): Promise<Answer> {
    try {
      return await this.#sender.send(call);
    } catch (error) {
      // A request that the run itself aborted does not mean that the controller is lost.
      if (!(error instanceof ControllerError) || error.givenUp) throw error;
      throw this.options.lockouts.judge(controllerIdentity(this.settings), call, error);
    }
  }

  /** A 404 for any path can mean that the tenant does not exist. */
  async #requireTenant(call: Call): Promise<void> {
    if (this.known.hasTenant) return;
    const problem = await unknownTenant(call, this, (other) => this.#answer(other));
    if (problem !== undefined) throw problem;
    this.known.hasTenant = true;
  }
}

/** What is known about the controller, shared by all tasks that use the client. */
interface Known extends Addressee {
  /** Whether the controller has the tenant of the settings. */
  hasTenant: boolean;
}

/** A user at a controller, whose password the run may change. */
export interface Account {
  /** Signs in as this user with the current password. */
  readonly client: Client;
  /** As `ControllerSession.signIn`. */
  signIn(password: string, changed?: 'changed'): Promise<boolean>;
}
