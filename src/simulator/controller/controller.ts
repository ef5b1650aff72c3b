import type { AccountCredentials, Behaviour } from '../behaviour/behaviour.js';
import { type Delivery, honest, misbehave } from '../behaviour/delivery.js';
import { type BrokenAnswer, type Circumstance, type Fault, FaultPicker, isCircumstance } from '../behaviour/fault.js';
import {
  type JsonObject,
  errorAnswer,
  type RestartPhases,
  type SimulatedAnswer,
  type SimulatedRequest,
} from '../protocol/exchange.js';
import type { Service } from '../service/service.js';
import type { SimulatedState } from '../state/controller_state.js';

/** A stage of a request: processing continues when the promise resolves, and never if it rejects. */
export type WatchRequests = (
  moment: 'received' | 'carried out' | 'answered',
  request: SimulatedRequest,
) => Promise<void>;

export interface ControllerOptions {
  readonly service: Service;
  /** Path of the base URL, `/prefix` or empty. */
  readonly prefix: string;
  readonly log: RequestLog;
}

/** One simulated controller: its objects, its behaviour and its requests. Speaks no HTTP itself. */
export class SimulatedController {
  readonly prefix: string;
  /** Observes each request. */
  watch: WatchRequests | undefined;
  /** Refuses connections for so many milliseconds. */
  refuseConnections: (milliseconds: number) => void = () => undefined;
  /** Throws if a program sets an unknown behaviour. */
  checkBehaviour: (behaviour: Behaviour) => void = () => undefined;
  readonly #upgrade = new UpgradeWindow();
  #behaviour: Behaviour = {};
  #faults = new FaultPicker([]);

  constructor(
    readonly name: string,
    private readonly state: SimulatedState,
    private readonly options: ControllerOptions,
  ) {
    this.prefix = options.prefix;
  }

  /** Takes effect with the next request; the counts of `nth`, `first` and `after` start again. */
  get behaviour(): Behaviour {
    return this.#behaviour;
  }

  set behaviour(behaviour: Behaviour) {
    this.checkBehaviour(behaviour);
    this.#behaviour = behaviour;
    this.#faults = new FaultPicker(behaviour.faults ?? []);
  }

  /** Lets another account sign in as well. */
  addAccount(credentials: AccountCredentials): void {
    this.options.service.addAccount(credentials);
  }

  /** The requests so far, oldest first (the last 1,000). */
  get requests(): readonly LoggedRequest[] {
    return this.options.log.entries;
  }

  clearRequests(): void {
    this.options.log.clear();
  }

  get log(): RequestLog {
    return this.options.log;
  }

  /** The objects of a collection (`/api/cloud/`). */
  objects(collection: string): readonly JsonObject[] {
    return this.state.collection(collection).current;
  }

  /** Replaces the objects of a collection, exactly as given: no defaults, no checks. */
  setObjects(collection: string, objects: readonly JsonObject[]): void {
    this.state.setObjects(collection, objects);
  }

  /** The object at a path without a uuid (`/api/systemconfiguration`). */
  object(path: string): JsonObject {
    return this.state.singleton(path).current;
  }

  setObject(path: string, object: JsonObject): void {
    this.state.setSingleton(path, object);
  }

  /**
   * Accepts a request. Returns how many milliseconds to wait before the call of `decide`, which carries out the request and returns
   * what to deliver.
   */
  take(request: SimulatedRequest): { readonly latency: number; readonly decide: () => Delivery } {
    const faults = this.#faults.pick(request);
    const broken = faults.find((fault): fault is BrokenAnswer => !isCircumstance(fault));
    return {
      latency: faults.reduce((sum, fault) => sum + faultLatency(fault), this.#behaviour.latency ?? 0),
      decide: () => this.#decide(request, faults.filter(isCircumstance), broken),
    };
  }

  #decide(
    request: SimulatedRequest,
    circumstances: readonly Circumstance[],
    broken: BrokenAnswer | undefined,
  ): Delivery {
    const isWrite = request.method !== 'GET' && !this.options.service.isSignInOrOut(request);
    const outage = this.#upgrade.deliver(isWrite);
    if (outage !== undefined) return outage;
    for (const circumstance of circumstances) this.#prepare(circumstance, request.path);
    let restarts: RestartPhases | undefined;
    const carryOut = (): SimulatedAnswer => {
      const answer = this.options.service.answer(request, this.#behaviour);
      ({ restarts } = answer);
      return answer;
    };
    const delivery = broken === undefined ? honest(carryOut()) : misbehave(broken, carryOut);
    const fault = circumstances.find((one) => one.type === 'upgrade');
    if (fault !== undefined) this.#upgrade.start(fault, this.refuseConnections);
    else if (restarts !== undefined) {
      this.#upgrade.start(restarts, (milliseconds) => {
        this.options.service.endSessions();
        this.refuseConnections(milliseconds);
      });
    }
    return delivery;
  }

  #prepare({ type }: Circumstance, path: string): void {
    switch (type) {
      case 'expire':
        return this.options.service.endSessions();
      case 'touch':
        return this.state.touch(path);
      case 'latency':
      case 'upgrade':
        return;
    }
  }
}

function faultLatency(fault: Fault): number {
  return fault.type === 'latency' ? fault.milliseconds : 0;
}

type Phase = 'none' | 'disallowed' | 'unavailable' | 'refused';

/** An upgrade of the controller: writes are disallowed, then nothing is answered, then nothing listens, then all is as before. */
class UpgradeWindow {
  #phase: Phase = 'none';

  /** @param refuseConnections for so many milliseconds */
  start(phases: Partial<RestartPhases>, refuseConnections: (milliseconds: number) => void): void {
    if (this.#phase !== 'none') return;
    const { disallowed = 0, unavailable = 0, refused = 0 } = phases;
    this.#phase = 'disallowed';
    if (unavailable + refused === 0) this.#later(disallowed, 'none');
    else
      this.#later(disallowed, 'unavailable', () =>
        this.#later(unavailable, 'refused', () => {
          refuseConnections(refused);
          this.#later(refused, 'none');
        }),
      );
  }

  /** How the upgrade affects a request; undefined if it can be answered. */
  deliver(isWrite: boolean): Delivery | undefined {
    switch (this.#phase) {
      case 'none':
        return undefined;
      case 'disallowed':
        return isWrite ? honest(errorAnswer(403, 'Configuration is disallowed during upgrade')) : undefined;
      case 'unavailable':
        return honest(errorAnswer(503, 'Controller is not ready: upgrade in progress'));
      case 'refused':
        return { type: 'close' };
    }
  }

  #later(milliseconds: number, phase: Phase, then?: () => void): void {
    setTimeout(() => {
      this.#phase = phase;
      then?.();
    }, milliseconds).unref();
  }
}

/** One request that a simulated controller got. */
export interface LoggedRequest extends Pick<SimulatedRequest, 'method' | 'path' | 'headers' | 'body'> {
  readonly query: Readonly<Record<string, string>>;
  /** What was answered, or null if the connection was closed or left without an answer. */
  readonly status: number | null;
}

const LIMIT = 1000;

/** Keeps the last requests, for tests and for the display of requests; only in memory, because headers contain credentials. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  constructor(private readonly enabled: boolean) {}

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  add(request: SimulatedRequest, status: number | null): void {
    if (!this.enabled) return;
    const { method, path, query, headers, body } = request;
    this.#entries.push({ method, path, query: Object.fromEntries(query), headers, body, status });
    if (this.#entries.length > LIMIT) this.#entries.shift();
  }

  clear(): void {
    this.#entries = [];
  }
}
