import { playArea, rollbackArea } from '../../core/model/playbook/step_place.js';
import type { Emit } from '../../core/model/run/event.js';
import { nameSome } from '../../core/model/source/amounts.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import type { RunContext } from '../context/task_run.js';
import { StopSignals } from '../control/start_conditions.js';
import type { ControllerStatus } from '../controllers/controller_state.js';
import type { ReadyPlay } from '../input/ready_play.js';
import type { PlannedRollback } from '../input/run_input.js';
import type { PlayContext } from '../walk/play_context.js';
import type { BatchNumber } from './batch_run.js';
import { MOST_NAMES } from './gate_round.js';

type Lost = Exclude<ControllerStatus, 'alive'>;

/** Runs another play within the run. */
export type RunPlay = (run: RunContext, ready: ReadyPlay) => Promise<unknown>;

export interface BatchRollback {
  /** Of the batch. */
  readonly context: PlayContext;
  readonly number: BatchNumber;
  readonly ready: ReadyPlay;
  readonly runPlay: RunPlay;
}

/**
 * Rolls back the writes of the batch in this play, including those of failed controllers, and returns the result as
 * text: `the batch was rolled back`. Never throws: the rollout stops in any case, and the result is reported.
 */
export async function rollBackBatch(batchRollback: BatchRollback): Promise<string> {
  const { context, ready, number } = batchRollback;
  const { run, play } = context;
  const { planRollback, journal, past } = run.input.record;
  if (journal?.broken.aborted === true) return 'not rolled back, because the journal cannot be written';
  if (planRollback === undefined) return 'not rolled back, because the run has no journal';
  let planned: PlannedRollback;
  try {
    const members = past?.startedBatches(ready.number, () => true)?.get(number.batch)?.controllers ?? [];
    const gone = members.filter((name) => !ready.controllers.includes(name));
    planned = await planRollback({ play: ready.number, controllers: play.batch, gone, adjacent: ready.play });
  } catch (error) {
    return `not rolled back: ${errorMessage(error)}`;
  }
  for (const { controller, object, reason } of planned.final)
    run.emit({ type: 'warning', message: `${object} ${reason}`, controller });
  // First, so that a resume runs the play again for this batch, and does not take one that is rolled back in part for one that is done.
  // What is written now stays known.
  for (const controller of play.batch)
    journal?.record({ type: 'steps-forgotten', controller, place: playArea(ready.number) });
  return summary(planned, await writeBack(batchRollback, planned));
}

/** Runs the rollback play, and returns the controllers on which it did not complete. */
async function writeBack(
  { context: { run }, ready, number, runPlay }: BatchRollback,
  planned: PlannedRollback,
): Promise<readonly string[]> {
  const { playbook, controllers, catalogue } = planned;
  const [play] = playbook?.plays ?? [];
  if (playbook === undefined || play === undefined) return [];
  const failed = new Set<string>();
  const emit: Emit = (event) => {
    if (event.type === 'task-finished' && (event.status === 'failed' || event.status === 'unreachable'))
      failed.add(event.controller);
    run.emit(event.type === 'play-started' ? { ...event, rollback: true } : event);
  };
  const former = revive(run, controllers);
  run.fleet.begin(controllers);
  const own: ReadyPlay = {
    ...ready,
    playbook,
    play,
    name: play.name ?? play.hosts.value,
    pattern: play.hosts.value,
    controllers,
    serial: undefined,
    gate: undefined,
    area: rollbackArea(ready.number, number.batch),
  };
  const { sources, selection, record } = run.input;
  const input = {
    ...run.input,
    sources: { ...sources, catalogue },
    selection: { ...selection, tags: [], skipTags: [] },
    record: { ...record, past: undefined, plan: undefined },
  };
  // A plan does not contain the steps of a rollback, and `--step` asks only about those of the play.
  // Nor do refused credentials end it: they are sent only to controllers that have accepted them.
  const stops = { ...run.input.stops, credentialsRefused: new AbortController().signal };
  const control = {
    ...run.control,
    confirmation: undefined,
    stopSignals: new StopSignals(stops, record.journal?.broken),
  };
  await runPlay({ ...run, emit, input, control, followed: undefined }, own);
  const left = controllers.filter((name) => failed.has(name) || !run.fleet.hasFinished(name));
  for (const [name, status] of former) {
    const state = run.fleet.find(name);
    if (state !== undefined) run.fleet.lose(state, status);
  }
  return left;
}

/** Makes failed controllers available again, because they were written to as well. Returns how each had failed. */
function revive({ fleet }: RunContext, controllers: readonly string[]): ReadonlyMap<string, Lost> {
  const former = new Map<string, Lost>();
  for (const name of controllers) {
    const status = fleet.find(name)?.status ?? 'alive';
    if (status === 'alive') continue;
    former.set(name, status);
    fleet.revive(name);
  }
  return former;
}

function summary({ playbook, final }: PlannedRollback, left: readonly string[]): string {
  if (left.length > 0) return `rollback incomplete on ${nameSome(left, MOST_NAMES)}`;
  if (final.length > 0) {
    const objects = final.length === 1 ? '1 change' : `${final.length} changes`;
    const rest = playbook === undefined ? '' : 'the batch was rolled back, but ';
    return `${rest}${objects} cannot be undone`;
  }
  return playbook === undefined ? 'the batch had changed nothing' : 'the batch was rolled back';
}
