import type { Dialect } from '../../core/model/dialect.js';
import { compareVersions } from '../../core/model/version.js';
import type { KindTable } from '../../kinds/kind_table.js';
import { type AccountCredentials, type Behaviour, RateLimit, type Service } from '../behaviour/behaviour.js';
import { refuseVersion } from '../generic/credentials.js';
import {
  ok,
  refusal,
  refused,
  success,
  type OrRefusal,
  type SimulatedAnswer,
  type SimulatedRequest,
} from '../protocol/exchange.js';
import { isJsonObject, parseJson, type JsonObject } from '../protocol/json.js';
import { SYSTEM_CONFIGURATION, type SimulatedState } from '../state/controller_state.js';
import { Accounts } from './accounts.js';
import { addInitialObjects, addTenant } from './initial_objects.js';
import { CloudStates, ObjectStore, referenceTo, type TenantView } from './object_store.js';
import { answerPath } from './paths.js';
import { Drains } from './servers.js';
import { Sessions } from './sessions.js';
import { Upgrades } from './upgrades.js';

export interface StrictOptions {
  readonly dialect: Dialect;
  readonly kinds: KindTable;
  readonly versionHeader: string;
  /** The versions that the controller accepts; the newest is its own. Empty: a common one. */
  readonly apiVersions: readonly string[];
  /** Tenants that it has besides `admin`. */
  readonly tenants: readonly string[];
}

const USUAL_VERSION = '22.1.3';

/** A controller as strict as those of the product family; its dialect sets names and traits. */
export class StrictService implements Service {
  readonly #store: ObjectStore;
  readonly #accounts: Accounts;
  readonly #sessions: Sessions;
  readonly #clouds = new CloudStates();
  readonly #drains = new Drains();
  readonly #rate = new RateLimit();
  readonly #upgrades: Upgrades;
  #started = false;

  constructor(
    state: SimulatedState,
    private readonly options: StrictOptions,
  ) {
    this.#store = new ObjectStore(state, options.kinds);
    this.#accounts = new Accounts(this.#store);
    this.#sessions = new Sessions(options.dialect.session, this.#accounts);
    this.#upgrades = new Upgrades(state, options.apiVersions.toSorted(compareVersions).at(-1) ?? USUAL_VERSION);
  }

  addAccount(credentials: AccountCredentials): void {
    this.#accounts.add(credentials);
  }

  endSessions(): void {
    this.#sessions.endAll();
  }

  answer(request: SimulatedRequest, behaviour: Behaviour): SimulatedAnswer {
    this.#start(behaviour);
    const path = request.path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
    return this.#answerAnyone(request, path, behaviour) ?? this.#answerUser(request, path, behaviour);
  }

  #start({ basic }: Behaviour): void {
    if (this.#started) return;
    this.#started = true;
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
    if (path === dialect.versionPath) {
      return success({ ...greeting, user_initialized: !this.#accounts.isFresh(behaviour) });
    }
    return this.#sessions.login(request, path, behaviour, greeting);
  }

  #answerUser(request: SimulatedRequest, path: string, behaviour: Behaviour): SimulatedAnswer {
    const { dialect } = this.options;
    const user = this.#sessions.authenticate(request, behaviour, this.#allowsBasic());
    if (user.status === 'refused') return user.answer;
    if (path === dialect.session?.logoutPath) return this.#sessions.logout(request);
    const refusedEarly = this.#refuseVersion(request) ?? this.#rate.refuse(behaviour.rate, Date.now());
    if (refusedEarly !== undefined) return refusedEarly;
    if (path === '/api/useraccount') return this.#answerUserAccount(request, user.value, behaviour);
    if (request.method !== 'GET' && this.#accounts.isFresh(behaviour)) {
      return refusal(403, 'The default password must be changed first: PUT /api/useraccount');
    }
    if (path === '/api/user-token' && request.method === 'POST')
      return { ...success({ username: user.value, token: this.#accounts.issueToken(user.value) }), status: 201 };
    const view = this.#view(request);
    if (view.status === 'refused') return view.answer;
    const lasting = { store: this.#store, clouds: this.#clouds, drains: this.#drains, upgrades: this.#upgrades };
    return answerPath(path, { request, view: view.value, behaviour, dialect, ...lasting });
  }

  /** A controller accepts its own version and all older ones. */
  #refuseVersion(request: SimulatedRequest): SimulatedAnswer | undefined {
    const header = this.options.versionHeader;
    const version = request.headers[header.toLowerCase()];
    if (version === undefined) return undefined;
    const own = this.#upgrades.version;
    const older = typeof version === 'string' && compareVersions(version, own) < 0 ? [version] : [];
    return refuseVersion(request, header, [...older, own]);
  }

  #allowsBasic(): boolean {
    const portal = this.#store.state.singleton(SYSTEM_CONFIGURATION).current['portal_configuration'];
    return isJsonObject(portal) && portal['allow_basic_authentication'] === true;
  }

  /** The tenant that the request names, by name or uuid. */
  #view({ headers }: SimulatedRequest): OrRefusal<TenantView> {
    const { tenants } = this.options.dialect;
    if (tenants === undefined) return ok({ all: true });
    const uuid = headers[`${tenants.header.toLowerCase()}-uuid`];
    const name = headers[tenants.header.toLowerCase()] ?? (uuid === undefined ? tenants.default : undefined);
    if (name === tenants.all || uuid === tenants.all) return ok({ all: true });
    const tenant = this.#store
      .all('tenant')
      .find((one) => (name === undefined ? one['uuid'] === uuid : one['name'] === name));
    if (tenant === undefined) return refused(404, `Tenant '${String(name ?? uuid)}' does not exist!`);
    return ok({ all: false, ref: referenceTo('tenant', tenant) });
  }

  #answerUserAccount(request: SimulatedRequest, username: string, behaviour: Behaviour): SimulatedAnswer {
    if (request.method === 'GET') return success(this.#accounts.account(username));
    if (request.method !== 'PUT') return refusal(405, `Method '${request.method}' not allowed.`, { allow: 'GET, PUT' });
    const { password, old_password: old, ...profile } = parse(request.body);
    if (typeof password !== 'string' || password === '') return refusal(400, 'password is required.');
    if (typeof old !== 'string' || !this.#accounts.isPassword({ username, password: old }, behaviour)) {
      return refusal(400, 'old_password is wrong.');
    }
    this.#accounts.change({ username, password }, profile);
    return success(this.#accounts.account(username));
  }
}

function parse(text: string): JsonObject {
  const parsed = parseJson(text);
  return isJsonObject(parsed) ? parsed : {};
}
