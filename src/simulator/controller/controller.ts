import { refusal, type Answer } from '../protocol/answer.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import { answerCollection, answerObject } from '../generic/collection.js';
import { refuseCredentials, refuseVersion, type Credentials } from './credentials.js';
import { honest, misbehave, type Delivery } from '../behaviour/delivery.js';
import { FaultPicker } from '../behaviour/fault_picker.js';
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.js';
import { RateLimit } from '../behaviour/rate_limit.js';
import type { LoggedRequest, RequestLog } from './request_log.js';
import type { SimulatedRequest } from '../protocol/request.js';
import { route } from '../generic/route.js';
import { hideSecrets } from '../generic/sensitive.js';
import { answerSingleton } from '../generic/singleton.js';
import { SYSTEM_CONFIGURATION, type ControllerState } from '../state/controller_state.js';

/** A stage of a request: processing continues when the promise resolves, and never if it rejects. */
export type Watch = (moment: 'received' | 'carried out' | 'answered', request: SimulatedRequest) => Promise<void>;

export interface ControllerOptions {
  readonly credentials: Credentials;
  readonly versionHeader: string;
  /** Empty: any. */
  readonly apiVersions: readonly string[];
  /** Path of the base URL, `/prefix` or empty. */
  readonly prefix: string;
  readonly log: RequestLog;
}

/** One simulated controller: what it holds, how it behaves and what it was asked. Speaks no HTTP itself. */
export class SimulatedController {
  readonly name: string;
  readonly prefix: string;
  /** Observes each request. */
  watch: Watch | undefined;
  readonly #state: ControllerState;
  readonly #options: ControllerOptions;
  #accounts: readonly Credentials[];
  readonly #rate = new RateLimit();
  #behaviour: Behaviour = {};
  #faults = new FaultPicker([]);

  constructor(name: string, state: ControllerState, options: ControllerOptions) {
    this.name = name;
    this.prefix = options.prefix;
    this.#state = state;
    this.#options = options;
    this.#accounts = [options.credentials];
  }

  /** Takes effect with the next request; the counts of `nth`, `first` and `after` start again. */
  get behaviour(): Behaviour {
    return this.#behaviour;
  }

  set behaviour(behaviour: Behaviour) {
    this.#behaviour = behaviour;
    this.#faults = new FaultPicker(behaviour.faults ?? []);
  }

  /** Lets another account sign in as well. */
  addAccount({ username, password }: Credentials): void {
    const others = this.#accounts.filter((account) => account.username !== username || account.password !== password);
    this.#accounts = [...others, { username, password }];
  }

  /** What was asked so far, oldest first (the last 1,000). */
  get requests(): readonly LoggedRequest[] {
    return this.#options.log.entries;
  }

  clearRequests(): void {
    this.#options.log.clear();
  }

  get log(): RequestLog {
    return this.#options.log;
  }

  /** What a collection (`/api/cloud/`) holds. */
  objects(collection: string): readonly JsonObject[] {
    return this.#state.collection(collection).current;
  }

  /** Makes a collection hold these, exactly as given: no defaults, no checks. */
  setObjects(collection: string, objects: readonly JsonObject[]): void {
    this.#state.setObjects(collection, objects);
  }

  /** What is at a path without a uuid (`/api/systemconfiguration`). */
  object(path: string): JsonObject {
    return this.#state.singleton(path).current;
  }

  setObject(path: string, object: JsonObject): void {
    this.#state.setSingleton(path, object);
  }

  /**
   * Takes a request in: how many milliseconds to wait, and what to deliver then. The request takes effect when `decide` is
   * called, if it does.
   */
  take(request: SimulatedRequest): { readonly latency: number; readonly decide: () => Delivery } {
    const faults = this.#faults.pick(request);
    const fault = faults.find((one) => one.type !== 'latency');
    const carryOut = (): Answer => this.#answer(request);
    return {
      latency: faults.reduce(
        (sum, one) => sum + (one.type === 'latency' ? one.milliseconds : 0),
        this.#behaviour.latency ?? 0,
      ),
      decide: () => (fault === undefined ? honest(carryOut()) : misbehave(fault, carryOut)),
    };
  }

  #answer(request: SimulatedRequest): Answer {
    const answer = this.#refuse(request) ?? this.#carryOut(request);
    return this.#behaviour.sensitive === true ? { ...answer, body: hideSecrets(answer.body) } : answer;
  }

  #refuse(request: SimulatedRequest): Answer | undefined {
    const { versionHeader, apiVersions } = this.#options;
    return (
      refuseCredentials(request, this.#accounts, this.#allowsBasic()) ??
      refuseVersion(request, versionHeader, apiVersions) ??
      this.#rate.refuse(this.#behaviour.rate, Date.now())
    );
  }

  #allowsBasic(): boolean {
    const portal: Json | undefined = this.#state.singleton(SYSTEM_CONFIGURATION).current['portal_configuration'];
    return !isJsonObject(portal) || portal['allow_basic_authentication'] !== false;
  }

  #carryOut(request: SimulatedRequest): Answer {
    const target = route(request.path, this.#state);
    switch (target.type) {
      case 'collection':
        return answerCollection(target.path, request, this.#state, this.#behaviour);
      case 'object':
        return answerObject(target.collection, target.uuid, request, this.#state, this.#behaviour);
      case 'singleton':
        return answerSingleton(target.path, request, this.#state, this.#behaviour);
      case 'unknown':
        return refusal(404, 'Not found.');
    }
  }
}
