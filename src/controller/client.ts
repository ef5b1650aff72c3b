import { controllerIdentity } from '../core/model/inventory/route.js';
import { isRead, WAIT_WITHOUT_FORKS, type WaitWithoutFork } from '../core/model/run/session.js';
import { LockedOutError, notSent } from './access/lockouts.js';
import type { AnswerContext } from './answers/answer_text.js';
import { redirected, rejection } from './answers/rejection.js';
import { askVersion, withoutVersion, type ApiVersions } from './api_version.js';
import { ControllerError, type Addressee, type ApiAnswer, type ApiCall } from './exchange/call.js';
import { jittered } from './exchange/policy.js';
import { Sender, type SenderOptions } from './sender.js';
import type { NewestConnection } from './transport/transport.js';

export interface ClientOptions extends SenderOptions {
  readonly versions: ApiVersions;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Sends requests to one controller. Returns answers of any status, except 401 and redirects, which are errors. */
export class Client extends Sender {
  constructor(
    known: Addressee,
    override readonly options: ClientOptions,
    wait: WaitWithoutFork = WAIT_WITHOUT_FORKS,
    isPatient = true,
  ) {
    super(known, options, wait, isPatient);
  }

  /** The same client for a task that gives up its fork while it waits. */
  withWait(wait: WaitWithoutFork, isPatient: boolean): Client {
    return new Client(this.known, this.options, wait, isPatient);
  }

  /** Whether requests must not be repeated any more. */
  get interrupted(): boolean {
    return this.options.drain.aborted;
  }

  /** Whether the pause that the controller requests is short enough to wait. */
  get mayAsk(): boolean {
    return this.options.gate.pauseEndsInTime;
  }

  get connection(): NewestConnection {
    return this.options.transport.connection;
  }

  ask(call: ApiCall): Promise<ApiAnswer> {
    const { apiVersion, dialect } = this.settings;
    if (apiVersion !== undefined || dialect.versionPath === undefined) return this.#ask(call);
    return this.#findVersion(call, dialect.versionPath).then(() => this.#ask(call));
  }

  /** Undefined if it was not asked. */
  get foundVersion(): string | undefined {
    return this.known.versionHeader[1];
  }

  /** The controller's own version; null if the dialect has no path that shows it. */
  async askVersion(): Promise<string | null> {
    const { versionPath } = this.settings.dialect;
    if (versionPath === undefined) await this.noticeDialect();
    return versionPath === undefined ? null : askVersion(versionPath, this, (other) => this.ask(other));
  }

  async #findVersion(call: ApiCall, path: string): Promise<void> {
    const ask = (): Promise<string> => askVersion(path, this, (other) => this.#ask(other));
    try {
      const apiVersion = await this.options.versions.obtain(this.settings, this.patienceMs, this.wait, ask);
      this.known.versionHeader = [this.settings.versionHeader.toLowerCase(), apiVersion];
      this.known.settings = { ...this.settings, apiVersion };
    } catch (error) {
      if (!(error instanceof ControllerError) || error instanceof LockedOutError) throw error;
      throw withoutVersion(call, error);
    }
  }

  async #ask(call: ApiCall): Promise<ApiAnswer> {
    const { lockouts } = this.options;
    const controller = controllerIdentity(this.settings);
    if (lockouts.isLost(controller)) throw notSent(call);
    requireSendable(call, this);
    const answer = await this.#answer(call);
    const { status, uncertain = false } = answer;
    if (this.settings.isDialectAssumed === true && isDoubtful(answer)) await this.noticeDialect(answer);
    if (status === 401) throw lockouts.judge(controller, call, rejection(call, answer, this));
    if (status >= 300 && status < 400) throw lockouts.judge(controller, call, redirected(call, answer, this));
    lockouts.answered(controller, call, status >= 400 && !uncertain);
    if (status === 404) await this.#requireTenant(call);
    return answer;
  }

  /** Warns if a controller without `controller_dialect` seems to have one, by its answer; without an answer, asks it. */
  async noticeDialect(answer?: ApiAnswer): Promise<void> {
    if (this.settings.isDialectAssumed !== true) return;
    const { noticedDialect } = await import('./other_dialect.js');
    // Without credentials: whose they are is not known.
    const send = (call: ApiCall): Promise<ApiAnswer> =>
      this.options.gate.use(WAIT_WITHOUT_FORKS, () => this.exchange({ ...call, outsideApi: true }, []));
    const dialect = await noticedDialect(answer, (path) => askVersion(path, this, send));
    if (dialect === undefined) return;
    const advice = `add "controller_dialect: ${dialect}" to its variables`;
    this.options.onWarning?.(`answers as controllers of the dialect ${dialect} do: ${advice}`);
    this.known.settings = { ...this.settings, isDialectAssumed: false };
  }

  forgetAnswers(): void {
    this.options.transport.forgetAnswers();
  }

  /** Waits as long as before the retry of that number; ends early when the run is interrupted. */
  async pause(attempt: number): Promise<void> {
    await this.sleep(jittered(attempt, this.options.retry, Math.random()));
  }

  /** Waits before another look at what the controller works on; false if there should be none. @param leftMs of the patience */
  async awaitWork(attempt: number, leftMs: number): Promise<boolean> {
    const { retry, onRetry } = this.options;
    if (leftMs <= 0 || attempt >= retry.attempts) return false;
    const pause = Math.min(leftMs, jittered(attempt, retry, Math.random()));
    const { controller } = this.settings;
    const times = { seconds: pause / 1000, left: leftMs / 1000 };
    onRetry?.({ controller, attempt: attempt + 1, ...times, awaited: controller, reason: 'answered 202' });
    return this.sleep(pause);
  }

  /** Asks for something that must be there. */
  async read(call: ApiCall): Promise<ApiAnswer> {
    const answer = await this.ask(call);
    if (answer.status !== 200) throw this.refused(call, answer);
    return answer;
  }

  refused(call: ApiCall, answer: ApiAnswer): ControllerError {
    return rejection(call, answer, this);
  }

  async #answer(call: ApiCall): Promise<ApiAnswer> {
    try {
      return await this.send(call);
    } catch (error) {
      // A request that the run itself aborted does not mean that the controller is lost.
      if (!(error instanceof ControllerError) || error.givenUp) throw error;
      throw this.options.lockouts.judge(controllerIdentity(this.settings), call, error);
    }
  }

  /** A 404 for any path can mean that the tenant does not exist. */
  async #requireTenant(call: ApiCall): Promise<void> {
    if (this.known.hasTenant) return;
    const { unknownTenant } = await import('./unknown_tenant.js');
    const problem = await unknownTenant(call, this, (other) => this.#answer(other));
    if (problem !== undefined) throw problem;
    this.known.hasTenant = true;
  }
}

/** A user at a controller, whose password the run may change. */
export interface Account {
  /** Signs in as this user with the current password. */
  readonly client: Client;
  /** Tries another password of this user; if the controller accepts it, the rest of the run signs in with it. */
  signIn(password: string, changed?: 'changed'): Promise<boolean>;
}

/** Whether controllers of another dialect answer so. */
function isDoubtful({ setCookies, text }: ApiAnswer): boolean {
  return setCookies !== undefined || text.includes('"tenant_ref"');
}

/** Throws if the call could go to another server, or is a write to all tenants: it needs one. */
function requireSendable(call: ApiCall, { settings: { dialect, tenant } }: AnswerContext): void {
  // Without the slash, "@elsewhere" or ".elsewhere" would change the host.
  if (!call.path.startsWith('/')) throw new ControllerError(call, 'the path must begin with "/"');
  if (tenant === undefined || tenant !== dialect.tenants?.all || isRead(call.method)) return;
  const hint = 'set controller_tenant, or tenant of the task, to a name';
  throw new ControllerError(call, `not sent: a write needs one tenant, and "${tenant}" means all of them`, { hint });
}
