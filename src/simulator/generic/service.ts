import type { Behaviour } from '../behaviour/behaviour.js';
import { RateLimit } from '../behaviour/rate_limit.js';
import type { Credentials, Service } from '../behaviour/service.js';
import { refusal, type Answer } from '../protocol/answer.js';
import { isJsonObject, type Json } from '../protocol/json.js';
import type { SimulatedRequest } from '../protocol/request.js';
import { SYSTEM_CONFIGURATION, type ControllerState } from '../state/controller_state.js';
import { answerCollection, answerObject } from './collection.js';
import { refuseCredentials, refuseVersion } from './credentials.js';
import { route } from './route.js';
import { hideSecrets } from './sensitive.js';
import { answerSingleton } from './singleton.js';

/** The API document, strictly, and nothing beyond it. */
export class GenericService implements Service {
  readonly #state: ControllerState;
  readonly #versionHeader: string;
  readonly #apiVersions: readonly string[];
  #accounts: readonly Credentials[] = [];
  readonly #rate = new RateLimit();

  /** @param apiVersions empty: any */
  constructor(state: ControllerState, versionHeader: string, apiVersions: readonly string[]) {
    this.#state = state;
    this.#versionHeader = versionHeader;
    this.#apiVersions = apiVersions;
  }

  addAccount({ username, password }: Credentials): void {
    const others = this.#accounts.filter((account) => account.username !== username || account.password !== password);
    this.#accounts = [...others, { username, password }];
  }

  endSessions(): void {
    // There are none: every request signs in.
  }

  answer(request: SimulatedRequest, behaviour: Behaviour): Answer {
    const answer = this.#refuse(request, behaviour) ?? this.#carryOut(request, behaviour);
    if (behaviour.sensitive !== true || answer.body === undefined) return answer;
    return { ...answer, body: hideSecrets(answer.body) };
  }

  #refuse(request: SimulatedRequest, behaviour: Behaviour): Answer | undefined {
    return (
      refuseCredentials(request, this.#accounts, this.#allowsBasic()) ??
      refuseVersion(request, this.#versionHeader, this.#apiVersions) ??
      this.#rate.refuse(behaviour.rate, Date.now())
    );
  }

  #allowsBasic(): boolean {
    const portal: Json | undefined = this.#state.singleton(SYSTEM_CONFIGURATION).current['portal_configuration'];
    return !isJsonObject(portal) || portal['allow_basic_authentication'] !== false;
  }

  #carryOut(request: SimulatedRequest, behaviour: Behaviour): Answer {
    const target = route(request.path, this.#state);
    switch (target.type) {
      case 'collection':
        return answerCollection(target.path, request, this.#state, behaviour);
      case 'object':
        return answerObject(target.collection, target.uuid, request, this.#state, behaviour);
      case 'singleton':
        return answerSingleton(target.path, request, this.#state, behaviour);
      case 'unknown':
        return refusal(404, 'Not found.');
    }
  }
}
