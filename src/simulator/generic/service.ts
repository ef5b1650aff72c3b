import { decodedUri } from '../../core/model/values/uri.js';
import { type AccountCredentials, type Behaviour, RateLimit, type Service } from '../behaviour/behaviour.js';
import { refusal, success, type SimulatedAnswer, type SimulatedRequest } from '../protocol/exchange.js';
import { isJsonObject, type SimulatedJson } from '../protocol/json.js';
import { SYSTEM_CONFIGURATION, type SimulatedState } from '../state/controller_state.js';
import { SYSTEM_CONFIGURATION_DEFAULTS, withDefaults } from '../state/defaults.js';
import { withoutSecrets } from '../state/secrets.js';
import { answerCollection, answerObject } from './collection.js';
import { refuseCredentials, refuseVersion } from './credentials.js';
import { readBody, refuseStale, SYSTEM_CONFIGURATION_SHAPE } from './field_types.js';

/** The API document, strictly, and nothing beyond it. */
export class GenericService implements Service {
  #accounts: readonly AccountCredentials[] = [];
  readonly #rate = new RateLimit();

  /** @param apiVersions empty: any */
  constructor(
    private readonly state: SimulatedState,
    private readonly versionHeader: string,
    private readonly apiVersions: readonly string[],
  ) {}

  addAccount({ username, password }: AccountCredentials): void {
    const others = this.#accounts.filter((account) => account.username !== username || account.password !== password);
    this.#accounts = [...others, { username, password }];
  }

  endSessions(): void {
    // There are no sessions: every request signs in.
  }

  answer(request: SimulatedRequest, behaviour: Behaviour): SimulatedAnswer {
    const answer = this.#refuse(request, behaviour) ?? this.#carryOut(request, behaviour);
    if (behaviour.sensitive !== true || answer.body === undefined) return answer;
    return { ...answer, body: isJsonObject(answer.body) ? withoutSecrets(answer.body, undefined) : answer.body };
  }

  #refuse(request: SimulatedRequest, behaviour: Behaviour): SimulatedAnswer | undefined {
    return (
      refuseCredentials(request, this.#accounts, this.#allowsBasic()) ??
      refuseVersion(request, this.versionHeader, this.apiVersions) ??
      this.#rate.refuse(behaviour.rate, Date.now())
    );
  }

  #allowsBasic(): boolean {
    const portal: SimulatedJson | undefined =
      this.state.singleton(SYSTEM_CONFIGURATION).current['portal_configuration'];
    return !isJsonObject(portal) || portal['allow_basic_authentication'] !== false;
  }

  #carryOut(request: SimulatedRequest, behaviour: Behaviour): SimulatedAnswer {
    const target = route(request.path, this.state);
    switch (target.type) {
      case 'collection':
        return answerCollection(target.path, request, this.state, behaviour);
      case 'object':
        return answerObject(target.collection, target.uuid, request, this.state, behaviour);
      case 'singleton':
        return answerSingleton(target.path, request, this.state, behaviour);
      case 'unknown':
        return refusal(404, 'Not found.');
    }
  }
}

/** What a path refers to. */
type PathTarget =
  | { readonly type: 'collection'; readonly path: string }
  | { readonly type: 'object'; readonly collection: string; readonly uuid: string }
  | { readonly type: 'singleton'; readonly path: string }
  | { readonly type: 'unknown' };

const COLLECTION = /^\/api\/(?:[^/]+\/)+$/;
const OBJECT = /^(\/api\/(?:[^/]+\/)+)([^/]+)$/;
const SINGLETON = /^\/api\/(?:[^/]+\/)*[^/]+$/;
const UUID = /(^|-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The slash decides: `/api/NAME/` is a collection, `/api/NAME/UUID` an object of it, any other path without a final slash a singleton. The
 * two paths of the API document behave exactly as documented.
 */
function route(path: string, state: SimulatedState): PathTarget {
  if (path === '/api/cloud' || path === `${SYSTEM_CONFIGURATION}/`) return { type: 'unknown' };
  if (COLLECTION.test(path)) return { type: 'collection', path };
  const [, collection, last] = OBJECT.exec(path) ?? [];
  if (collection !== undefined && last !== undefined && (UUID.test(last) || state.hasCollection(collection))) {
    return { type: 'object', collection, uuid: decodedUri(last) };
  }
  return SINGLETON.test(path) ? { type: 'singleton', path } : { type: 'unknown' };
}

/** GET (which the API document does not promise) and PUT of an object without a uuid in its path. */
function answerSingleton(
  path: string,
  request: SimulatedRequest,
  state: SimulatedState,
  behaviour: Behaviour,
): SimulatedAnswer {
  switch (request.method) {
    case 'GET':
      if (behaviour.unreadable !== undefined) return refusal(behaviour.unreadable, `Method "GET" not allowed.`);
      return success(state.singleton(path).read());
    case 'PUT':
      return replace(path, request, state, behaviour);
    default:
      return refusal(405, `Method "${request.method}" not allowed.`, { allow: 'GET, PUT' });
  }
}

function replace(
  path: string,
  request: SimulatedRequest,
  state: SimulatedState,
  behaviour: Behaviour,
): SimulatedAnswer {
  const system = path === SYSTEM_CONFIGURATION;
  const body = readBody(request, system ? SYSTEM_CONFIGURATION_SHAPE : {});
  if (body.status === 'refused') return body.answer;
  const present = state.singleton(path).current;
  const stale = refuseStale(body.value, present, behaviour);
  if (stale !== undefined) return stale;
  const filled = system ? withDefaults(body.value, SYSTEM_CONFIGURATION_DEFAULTS) : body.value;
  const url = `${request.base}${path}`;
  const resulting = { ...filled, uuid: 'default', url, _last_modified: state.stamp() };
  state.setSingleton(path, resulting, behaviour.lag);
  // The API document allows both, so a client sees both: 201 for the first write.
  return success(resulting, present['url'] === undefined ? 201 : 200);
}
