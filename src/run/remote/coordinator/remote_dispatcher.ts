import { HANDOVER } from '../../../model/run/event.js';
import type { SentRequest } from '../../../model/run/meter.js';
import type { CoordinatorTransport } from '../../../model/run/worker_transport.js';
import { CONNECTION_VARIABLES } from '../../../model/inventory/connection_variables.js';
import type { PlanProgress, PlanState } from '../../../model/run/plan.js';
import type { Play } from '../../../model/playbook/playbook.js';
import { stepsOf, tasksIn } from '../../../model/playbook/steps.js';
import type { SharedBatch, StepEnd } from '../../batch/batch_state.js';
import type { Barrier } from '../../batch/strategy.js';
import type { ControllerState } from '../../controllers/controller_state.js';
import { type HostContext, Magic } from '../../controllers/magic.js';
import type { RunContext } from '../../context/run_context.js';
import { failedBecause, type FailedResult } from '../../keywords/failed_result.js';
import { Variables } from '../../../template/scope.js';
import { reportBrokenStep } from '../../walk/broken_step.js';
import type { Dispatcher, PlayContext } from '../../walk/play_context.js';
import { walkThrough } from '../../walk/walk_through.js';
import { type BatchFacts, type News, type StopReason, toText } from '../messages.js';
import { isSame, type KnownOfController } from '../known.js';
import { HiddenWrites } from './hidden_writes.js';
import { PlanOfWorkers } from './plan_of_workers.js';
import { RemoteWalk } from './remote_walk.js';
import { sharedVariables } from './shared_variables.js';
import type { BatchAtWork, WalkCoordinator } from './walk_coordinator.js';

/** The workers of this site, or any worker; `here`: this process. */
export type Place = { readonly site?: string | undefined } | 'here';

/** The workers that carry out walks for the run. */
export interface RunWorkers {
  readonly transport: CoordinatorTransport;
  /**
   * Returns the site whose workers reach the controller with these variables. Absent: any worker can take any
   * controller.
   */
  readonly siteOf?: (variables: Variables) => Place;
  /** Called when several controllers in a row refused the same credentials in a worker. */
  readonly refuseCredentials: () => void;
  /** Called for each request of workers, for `--profile`. Absent: requests are not measured. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /**
   * Locks a controller at an address that is known only during the run. Resolves to why that failed; null: it is
   * locked.
   */
  readonly lockController: (url: string) => Promise<string | null>;
}

/** Hands walks to workers. Walks that no worker may take are carried out in this process. */
export class RemoteDispatcher implements Dispatcher, WalkCoordinator {
  readonly transport: CoordinatorTransport;
  /** Controllers whose variables the tasks of other controllers may read. */
  readonly #shared: ReadonlySet<string> | 'all';
  readonly plan: PlanOfWorkers | undefined;
  /** A weak map, so that entries go with their batches: a run may have as many batches as controllers. */
  readonly #batches = new WeakMap<SharedBatch, BatchAtWork>();
  #batchCount = 0;
  /** Running walks, by controller. */
  readonly #walks = new Map<string, RemoteWalk>();
  /** The last play of each controller. */
  readonly #last = new Map<string, number>();
  /** How much of the news each worker process has been sent. */
  readonly #heard = new Map<string, Heard>();
  /** Controllers whose variables changed, in order. */
  readonly #variables: string[] = [];
  readonly hidden: HiddenWrites;
  readonly #planProgress: PlanProgress[] = [];
  /** For each connection of the applied plan, the controller that uses it, or `SEVERAL`. */
  readonly #users = new Map<string, string | typeof SEVERAL>();
  readonly #unlisten: () => void;

  constructor(
    readonly run: RunContext,
    private readonly workers: RunWorkers,
  ) {
    const { selection, sources, stops, record } = run.input;
    this.transport = workers.transport;
    this.#shared = sharedVariables(sources);
    this.plan = record.plan?.type === 'make' ? new PlanOfWorkers(record.plan, sources) : undefined;
    this.hidden = new HiddenWrites(record.past);
    run.followed?.onProgress((_, progress) => {
      this.#share(progress);
    });
    run.fleet.watch(({ names, change, by }) => {
      for (const name of names) {
        this.#walks.get(name)?.happen(change, by);
        this.noteVariables(name);
      }
    });
    for (const { number, controllers } of selection.targets)
      for (const name of controllers) this.#last.set(name, number);
    this.#unlisten = this.#passStops([
      [stops.signal, 'interrupted'],
      ...(stops.abort === undefined ? [] : ([[stops.abort, 'given up']] as const)),
      [stops.credentialsRefused, 'credentials refused'],
      ...(record.journal === undefined ? [] : ([[record.journal.broken, 'journal broken']] as const)),
    ]);
  }

  async walk(context: PlayContext, state: ControllerState, barrier: Barrier): Promise<StepEnd> {
    const where = this.#placeOf(context, state);
    if (typeof where === 'object' && 'failure' in where) {
      const { source } = context.play.definition;
      reportBrokenStep(context, state, { title: 'site', kind: HANDOVER, source, rescuable: false }, where);
      context.batchState.lose(state.name, barrier.round);
      return 'failed';
    }
    const batch = this.#batchOf(context);
    if (where === 'here') {
      this.#useConnections(state.name);
      return walkThrough(this.hidden.contextHere(context), state, this.#noting(state, barrier));
    }
    const walk = new RemoteWalk(this, { context, state, barrier, batch, site: where.site });
    batch.walks.add(walk);
    this.#walks.set(state.name, walk);
    try {
      return await walk.toTheEnd();
    } finally {
      batch.walks.delete(walk);
      this.#walks.delete(state.name);
    }
  }

  siteOf(context: HostContext, state: ControllerState): string | undefined {
    const where = this.#placeOf(context, state);
    return typeof where === 'object' && 'site' in where ? where.site : undefined;
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.transport.close();
  }

  isNeededLater(controller: string, play: number): boolean {
    return (this.#last.get(controller) ?? play) > play;
  }

  noteRequest(request: SentRequest): void {
    this.workers.onRequest?.(request);
  }

  refuseCredentials(): void {
    this.workers.refuseCredentials();
  }

  lockController(url: string): Promise<string | null> {
    return this.workers.lockController(url);
  }

  notePlanProgress(progress: PlanProgress): void {
    this.run.followed?.learn(progress);
    this.#share(progress);
  }

  planStateFor(controller: string): PlanState | undefined {
    this.#useConnections(controller);
    return this.run.followed?.stateFor(controller);
  }

  #useConnections(controller: string): void {
    for (const connection of this.run.followed?.connectionsOf(controller) ?? []) {
      const known = this.#users.get(connection);
      this.#users.set(connection, known === undefined || known === controller ? controller : SEVERAL);
    }
  }

  /** Progress on a connection of only one controller is sent with its next walk. */
  #share(progress: PlanProgress): void {
    if (progress.type !== 'checked' && this.#users.get(progress.connection) === SEVERAL)
      this.#planProgress.push(progress);
  }

  shares(controller: string): boolean {
    return this.#shared === 'all' || this.#shared.has(controller);
  }

  noteVariables(controller: string): void {
    if (this.shares(controller)) this.#variables.push(controller);
  }

  /** The news that the worker has not been sent yet. */
  newsFor(instance: string): News {
    const { fleet } = this.run;
    const { changes } = fleet.inventory;
    const heard = this.#heard.get(instance) ?? NOTHING;
    const statuses = new Set(fleet.statusChanges.slice(heard.statuses));
    const effects = changes.slice(heard.effects);
    const planProgress = this.#planProgress.slice(heard.planProgress);
    const variables = new Set(this.#variables.slice(heard.variables));
    this.#heard.set(instance, {
      statuses: fleet.statusChanges.length,
      effects: changes.length,
      planProgress: this.#planProgress.length,
      variables: this.#variables.length,
    });
    return {
      ...(statuses.size > 0 && {
        statuses: [...statuses].map((name) => [name, fleet.find(name)?.status ?? 'alive'] as const),
      }),
      ...(effects.length > 0 && { effects }),
      ...(planProgress.length > 0 && { planProgress }),
      ...(variables.size > 0 && { variables: [...variables].map((name) => [name, this.knownOf(name)] as const) }),
    };
  }

  instanceOf(controller: string | undefined): string | undefined {
    return this.#walks.get(controller ?? '')?.instance;
  }

  retell(instance: string): void {
    this.#heard.delete(instance);
  }

  knownOf(controller: string): KnownOfController {
    const { fleet } = this.run;
    const known = fleet.find(controller)?.known ?? { values: {}, facts: {}, included: [] };
    return { ...known, masked: fleet.maskedWords.variables(controller) };
  }

  /** Makes the variables that a walk in this process sets visible to other controllers. */
  #noting(state: ControllerState, barrier: Barrier): Barrier {
    let { known } = state;
    return {
      lockstep: barrier.lockstep,
      get round() {
        return barrier.round;
      },
      fork: barrier.fork,
      enter: (position) => barrier.enter(position),
      exit: () => {
        if (!isSame(known, state.known)) this.noteVariables(state.name);
        ({ known } = state);
        barrier.exit();
      },
      startNew: () => barrier.startNew(),
      waitForOthers: () => {
        barrier.waitForOthers();
      },
    };
  }

  /** Uses the current variables of the inventory, and those of the command line. */
  #placeOf(context: HostContext, state: ControllerState): Place | FailedResult {
    if (this.workers.siteOf === undefined) return {};
    const { extraVars, library } = this.run.input.sources;
    const layers = [...context.play.variables.ofInventory(state.controller), ...extraVars];
    try {
      return this.workers.siteOf(new Variables(layers, undefined, new Magic(context, state), library));
    } catch (error) {
      return failedBecause(error, HANDOVER);
    }
  }

  #batchOf({ batchState, play, part }: PlayContext): BatchAtWork {
    const known = this.#batches.get(batchState);
    if (known !== undefined) return known;
    const facts: BatchFacts = {
      controllers: play.batch,
      visits: part.made !== undefined || mayVisit(play.definition),
    };
    const id = `${this.#batchCount++}`;
    const made: BatchAtWork = { id, state: batchState, facts, walks: new Set(), included: new Map() };
    this.#batches.set(batchState, made);
    batchState.watch(() => {
      for (const walk of made.walks) walk.tellBatchEnd();
    });
    return made;
  }

  #passStops(stops: readonly (readonly [AbortSignal, StopReason])[]): () => void {
    const listening = stops.map(([signal, why]) => {
      const listen = (): void => {
        this.transport.broadcast(toText({ type: 'stop', why }));
      };
      if (signal.aborted) listen();
      signal.addEventListener('abort', listen, { once: true });
      return () => {
        signal.removeEventListener('abort', listen);
      };
    });
    return () => {
      for (const stop of listening) stop();
    };
  }
}

interface Heard {
  readonly statuses: number;
  readonly effects: number;
  readonly planProgress: number;
  readonly variables: number;
}

/** Marks a connection that several controllers use. */
const SEVERAL = Symbol('several');

const NOTHING: Heard = { statuses: 0, effects: 0, planProgress: 0, variables: 0 };

/** Whether tasks of the play may use controllers of other walks. */
function mayVisit(play: Play): boolean {
  const names = new Set(CONNECTION_VARIABLES.map(({ name }) => name));
  return tasksIn([...stepsOf(play), ...play.handlers]).some(
    (step) =>
      step.type === 'include' ||
      step.delegateTo !== undefined ||
      step.layers.some(({ values }) => Object.keys(values).some((name) => names.has(name))),
  );
}
