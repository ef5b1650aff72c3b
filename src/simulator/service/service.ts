import type { Dialect } from '../../core/model/dialect.js';
import { compareVersions } from '../../core/model/version.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { type AccountCredentials, type Behaviour, RateLimit } from '../behaviour/behaviour.js';
import {
  canonicalPath,
  isJsonObject,
  isTraitPath,
  type JsonObject,
  tryReadJson,
  errorAnswer,
  requestRejected,
  RequestRejected,
  type SimulatedAnswer,
  type SimulatedRequest,
  success,
} from '../protocol/exchange.js';
import { SYSTEM_CONFIGURATION, type SimulatedState } from '../state/controller_state.js';
import { Accounts } from './accounts.js';
import { addInitialObjects, addTenant } from './initial_objects.js';
import { CloudStates, Drains, ObjectStore, referenceTo, type TenantView } from './object_store.js';
import { answerPath } from './paths.js';
import { Sessions } from './sessions.js';
import { Upgrades } from './upgrades.js';

export interface ServiceOptions {
  readonly dialect: Dialect;
  /** Undefined: a controller as the API document describes it, and nothing else. */
  readonly kinds: KindTable | undefined;
  readonly versionHeader: string;
  /** The versions that the controller accepts; the newest is its own. Empty: a common one, or by the API document any. */
  readonly apiVersions: readonly string[];
  /** Tenants that it has besides `admin`. */
  readonly tenants: readonly string[];
}

const USUAL_VERSION = '22.1.3';
const VERSION = /^\d+\.\d+\.\d+$/;

/**
 * What one simulated controller answers, before any fault affects it: by the API document, or as strictly as the product family, whose
 * names and traits the dialect sets.
 */
export class Service {
  readonly #store: ObjectStore;
  readonly #accounts: Accounts;
  readonly #sessions: Sessions;
  readonly #clouds = new CloudStates();
  readonly #drains = new Drains();
  readonly #rate = new RateLimit();
  readonly #upgrades: Upgrades;
  /** The restore after which what every controller has was added. */
  #startedAt: number | undefined;

  constructor(
    private readonly state: SimulatedState,
    private readonly options: ServiceOptions,
  ) {
    this.#store = new ObjectStore(state, options.kinds);
    this.#accounts = new Accounts(this.#store);
    this.#sessions = new Sessions(options.dialect.session, this.#accounts);
    this.#upgrades = new Upgrades(state, options.apiVersions.toSorted(compareVersions).at(-1) ?? USUAL_VERSION);
  }

  /** Lets another account sign in. */
  addAccount(credentials: AccountCredentials): void {
    this.#accounts.add(credentials);
  }

  /** Ends all sessions, as a controller does after some time. */
  endSessions(): void {
    this.#sessions.endAll();
  }

  /** Whether a request signs in or out, which changes no configuration. */
  isSignInOrOut({ path }: SimulatedRequest): boolean {
    const { loginPath, logoutPath } = this.options.dialect.session ?? {};
    return [loginPath, logoutPath].some((trait) => isTraitPath(canonicalPath(path), trait));
  }

  answer(request: SimulatedRequest, behaviour: Behaviour): SimulatedAnswer {
    this.#start(behaviour);
    const path = canonicalPath(request.path);
    try {
      return this.#answerAnyone(request, path, behaviour) ?? this.#answerUser(request, path, behaviour);
    } catch (error) {
      if (error instanceof RequestRejected) return error.answer;
      throw error;
    }
  }

  get #documented(): boolean {
    return this.options.kinds === undefined;
  }

  #start({ basic }: Behaviour): void {
    if (this.#startedAt === this.state.restores || this.#documented) return;
    this.#startedAt = this.state.restores;
    const { dialect, tenants } = this.options;
    const basicAllowed = basic ?? dialect.session === undefined;
    addInitialObjects(this.#store, dialect.cloudScope?.default ?? 'Default-Cloud', basicAllowed);
    for (const name of [dialect.tenants?.default, ...tenants]) {
      if (name !== undefined && name !== dialect.tenants?.all) addTenant(this.#store, name);
    }
  }

  /** Answers the requests that need no sign-in. */
  #answerAnyone(request: SimulatedRequest, path: string, behaviour: Behaviour): SimulatedAnswer | undefined {
    const { dialect } = this.options;
    const greeting = { version: { Version: this.#upgrades.version } };
    if (isTraitPath(path, dialect.versionPath))
      return success({ ...greeting, user_initialized: !this.#accounts.isFresh(behaviour) });
    return this.#sessions.login(request, path, behaviour, greeting);
  }

  #answerUser(request: SimulatedRequest, path: string, behaviour: Behaviour): SimulatedAnswer {
    const { dialect } = this.options;
    const attempts = this.#documented ? { lock_after: Infinity } : behaviour;
    const username = this.#sessions.authenticate(request, attempts, this.#allowsBasic());
    if (isTraitPath(path, dialect.session?.logoutPath)) return this.#sessions.logout(request);
    const early =
      this.#refuseVersion(request) ??
      this.#rate.refuse(behaviour.rate, Date.now()) ??
      (this.#documented ? undefined : this.#answerAccount(request, path, username, behaviour));
    if (early !== undefined) return early;
    const view = this.#view(request);
    const lasting = { store: this.#store, clouds: this.#clouds, drains: this.#drains, upgrades: this.#upgrades };
    return answerPath(path, { request, view, behaviour, dialect, documented: this.#documented, ...lasting });
  }

  /** The answer if the request is about the own account, or must wait for a new password. */
  #answerAccount(
    request: SimulatedRequest,
    path: string,
    username: string,
    behaviour: Behaviour,
  ): SimulatedAnswer | undefined {
    if (path === '/api/useraccount') return this.#answerUserAccount(request, username, behaviour);
    if (request.method !== 'GET' && this.#accounts.isFresh(behaviour))
      return errorAnswer(403, 'The default password must be changed first: PUT /api/useraccount');
    if (path === '/api/user-token' && request.method === 'POST')
      return success({ username, token: this.#accounts.issueToken(username) }, 201);
    return undefined;
  }

  /**
   * The API document demands a version in the form `n.n.n`, and `apiVersions` may list those that the controller has. The product family accepts
   * requests without one, and its own version and all older ones.
   */
  #refuseVersion(request: SimulatedRequest): SimulatedAnswer | undefined {
    const { versionHeader: header, apiVersions } = this.options;
    const version = request.headers[header.toLowerCase()];
    if (version === undefined) return this.#documented ? errorAnswer(400, `Header ${header} is required.`) : undefined;
    if (typeof version !== 'string' || !VERSION.test(version))
      return errorAnswer(400, `Header ${header} must be <major>.<minor>.<patch>, not "${String(version)}".`);
    const accepted = this.#documented ? apiVersions : [this.#upgrades.version];
    const newest = accepted.toSorted(compareVersions).at(-1) ?? version;
    const isNewer = compareVersions(version, newest) > 0;
    if (!isNewer && (!this.#documented || accepted.length === 0 || accepted.includes(version))) return undefined;
    const supported = isNewer ? `Supported upto ${newest}` : `Supported: ${accepted.join(', ')}`;
    return errorAnswer(400, `Invalid version ${version} in header ${header}. ${supported}.`);
  }

  #allowsBasic(): boolean {
    const portal = this.#store.state.singleton(SYSTEM_CONFIGURATION).current['portal_configuration'];
    const allowed = isJsonObject(portal) ? portal['allow_basic_authentication'] : undefined;
    return this.#documented ? allowed !== false : allowed === true;
  }

  /** The tenant that the request names, by name or uuid. */
  #view({ headers }: SimulatedRequest): TenantView {
    const { tenants } = this.options.dialect;
    if (tenants === undefined) return { all: true };
    const uuid = headers[`${tenants.header.toLowerCase()}-uuid`];
    const name = headers[tenants.header.toLowerCase()] ?? (uuid === undefined ? tenants.default : undefined);
    if (name === tenants.all || uuid === tenants.all) return { all: true };
    const tenant = this.#store
      .all('tenant')
      .find((one) => (name === undefined ? one['uuid'] === uuid : one['name'] === name));
    if (tenant === undefined) throw requestRejected(404, `Tenant '${String(name ?? uuid)}' does not exist!`);
    return { all: false, ref: referenceTo('tenant', tenant) };
  }

  #answerUserAccount(request: SimulatedRequest, username: string, behaviour: Behaviour): SimulatedAnswer {
    if (request.method === 'GET') return success(this.#accounts.account(username));
    if (request.method !== 'PUT')
      return errorAnswer(405, `Method '${request.method}' not allowed.`, { allow: 'GET, PUT' });
    const { password, old_password: old, ...profile } = parse(request.body);
    if (typeof password !== 'string' || password === '') return errorAnswer(400, 'password is required.');
    if (typeof old !== 'string' || !this.#accounts.isPassword({ username, password: old }, behaviour))
      return errorAnswer(400, 'old_password is wrong.');
    this.#accounts.change({ username, password }, profile);
    return success(this.#accounts.account(username));
  }
}

function parse(text: string): JsonObject {
  const parsed = tryReadJson(text);
  return isJsonObject(parsed) ? parsed : {};
}
