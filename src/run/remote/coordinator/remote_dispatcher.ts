import { HANDOVER } from '../../../model/run/event.js';
import { CONNECTION_VARIABLES } from '../../../model/inventory/connection_variables.js';
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
import { type StopReason, toText } from '../messages.js';
import type { BatchFacts } from '../walk_order.js';
import { isSame } from '../known.js';
import { AppliedPlan } from './applied_plan.js';
import { HiddenWrites } from './hidden_writes.js';
import { PlanOfWorkers } from './plan_of_workers.js';
import { RemoteWalk } from './remote_walk.js';
import type { BatchAtWork, Place, RunWorkers, WalkCoordinator } from './walk_coordinator.js';
import { WorkerNews } from './worker_news.js';

/** Hands walks to workers. Walks that no worker may take are carried out in this process. */
export class RemoteDispatcher implements Dispatcher, WalkCoordinator {
  readonly news: WorkerNews;
  readonly plan: PlanOfWorkers | undefined;
  readonly appliedPlan: AppliedPlan;
  readonly hidden: HiddenWrites;
  /** A weak map, so that entries go with their batches: a run may have as many batches as controllers. */
  readonly #batches = new WeakMap<SharedBatch, BatchAtWork>();
  #batchCount = 0;
  /** Running walks, by controller. */
  readonly #walks = new Map<string, RemoteWalk>();
  /** The last play of each controller. */
  readonly #last = new Map<string, number>();
  readonly #unlisten: () => void;

  constructor(
    readonly run: RunContext,
    readonly workers: RunWorkers,
  ) {
    const { selection, sources, stops, record } = run.input;
    this.news = new WorkerNews(run);
    this.plan = record.plan?.type === 'make' ? new PlanOfWorkers(record.plan, sources) : undefined;
    this.hidden = new HiddenWrites(record.past);
    this.appliedPlan = new AppliedPlan(run.followed?.progress, (progress) => {
      this.news.notePlanProgress(progress);
    });
    run.fleet.watch(({ names, change, by }) => {
      for (const name of names) {
        this.#walks.get(name)?.addChange(change, by);
        this.news.noteVariables(name);
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
      this.appliedPlan.useConnections(state.name);
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
    await this.workers.transport.close();
  }

  isNeededLater(controller: string, play: number): boolean {
    return (this.#last.get(controller) ?? play) > play;
  }

  instanceOf(controller: string | undefined): string | undefined {
    return this.#walks.get(controller ?? '')?.instance;
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
      beginStep: (position) => barrier.beginStep(position),
      endStep: () => {
        if (!isSame(known, state.known)) this.news.noteVariables(state.name);
        ({ known } = state);
        barrier.endStep();
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
      usesOtherControllers: part.made !== undefined || mayUseOthers(play.definition),
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
        this.workers.transport.broadcast(toText({ type: 'stop', why }));
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

/** Whether tasks of the play may use controllers of other walks. */
function mayUseOthers(play: Play): boolean {
  const names = new Set(CONNECTION_VARIABLES.map(({ name }) => name));
  return tasksIn([...stepsOf(play), ...play.handlers]).some(
    (step) =>
      step.type === 'include' ||
      step.delegateTo !== undefined ||
      step.layers.some(({ values }) => Object.keys(values).some((name) => names.has(name))),
  );
}
