import { allSteps, plannedTasks, sectionSteps } from '../../core/model/playbook/playbook.js';
import type { Step } from '../../core/model/playbook/step.js';
import { playArea } from '../../core/model/playbook/step_place.js';
import type { PlayStarted } from '../../core/model/run/event.js';
import { appendTo } from '../../core/model/values/groups.js';
import { sum } from '../../core/model/values/json.js';
import { LoadedModules } from '../../module/catalogue.js';
import { BatchState } from '../batch/batch_state.js';
import { cutBatches, inOrder } from '../batch/batches.js';
import { Handlers } from '../batch/handlers.js';
import { createStrategy } from '../batch/strategy.js';
import type { RunContext } from '../context/task_run.js';
import type { Fleet } from '../controllers/fleet.js';
import { HostVariables } from '../controllers/magic.js';
import { PlayVariables, type PlayView } from '../controllers/play_variables.js';
import type { ReadyPlay } from '../input/ready_play.js';
import { BatchJournal } from '../journal/batch_journal.js';
import { compileSteps, isLeftOut, selectSections } from '../keywords/selected_steps.js';
import type { PlayContext } from '../walk/play_context.js';
import type { RunPlay } from './batch_rollback.js';
import { batchText, hasBegun, runBatch, type BatchNumber } from './batch_run.js';
import type { GateEnd } from './gate_run.js';
import { playSettings, type PlaySettings } from './play_settings.js';
import { routesOfPlay } from './routes_of_play.js';

/**
 * The effect of a play on the run: `ended` with the reason why neither later batches nor later plays start, and whether this left a
 * part of the play itself undone.
 */
export type PlayEnd =
  | { readonly type: 'finished' }
  | {
      readonly type: 'ended';
      readonly reason: string;
      readonly cutOff: boolean;
      /** A gate ended it. */
      readonly gated?: boolean;
    };

const FINISHED: PlayEnd = { type: 'finished' };

/** One play: its batches one after the other. */
export async function runPlay(
  run: RunContext,
  ready: ReadyPlay,
  isNeededLater: (controller: string) => boolean,
): Promise<PlayEnd> {
  const settings = playSettings(run.input, ready);
  const shared = await preparePlay(run, ready, settings);
  // Also those that failed before: they count for the batches and their percentages, as in Ansible.
  const all = inOrder(ready.controllers, settings.order, `${run.input.identity.id} ${ready.number}`);
  const started = run.input.record.past?.startedBatches(ready.number, (name) => run.fleet.isAlive(name));
  const batches = cutBatches(all, ready.serial, undefined, started);
  const controllers = batches.flat().filter((name) => run.fleet.isAlive(name));
  run.emit({
    type: 'play-started',
    play: ready.name,
    controllers,
    ...groupsByController(run, controllers),
    ...routesOfPlay(run, shared.play, controllers, run.input.connections.settingSources.routes),
    strategy: settings.strategy,
    tasks: plannedTasks(shared.steps),
    ...placeInRun(run, ready),
    source: ready.play.source,
  });
  const end = await runBatches(shared, batches, { ready, settings, isNeededLater });
  run.emit({ type: 'play-finished', play: ready.name });
  return end;
}

function groupsByController({ fleet }: RunContext, controllers: readonly string[]): Pick<PlayStarted, 'groups'> {
  const groups = new Map<string, number[]>();
  for (const [place, name] of controllers.entries())
    for (const group of fleet.inventory.controllers.get(name)?.groups ?? []) appendTo(groups, group, place);
  return groups.size === 0 ? {} : { groups: Object.fromEntries(groups) };
}

/** The play's place among the plays of the run; a rollback has none. */
function placeInRun({ input }: RunContext, ready: ReadyPlay): Pick<PlayStarted, 'number' | 'plays' | 'later'> {
  const { number, area } = ready;
  const { selection } = input;
  const plays = selection.plays.length;
  if (plays === 1 || area !== undefined) return {};
  // Tasks, summed over the controllers.
  const later = selection.plays
    .filter((one) => one.number > number)
    .map(({ play, controllers }) => plannedTasks(sectionSteps(selectSections(play, selection))) * controllers.length);
  return { number: number + 1, plays, ...(later.length > 0 && { later: sum(later) }) };
}

async function runBatches(
  shared: SharedByBatches,
  batches: readonly (readonly string[])[],
  batching: Batching,
): Promise<PlayEnd> {
  const { ready, settings, isNeededLater } = batching;
  const { run } = shared;
  const { fleet, input } = run;
  const { record } = input;
  const isKept = record.journal !== undefined || record.past !== undefined;
  const begun = (name: string): boolean => hasBegun(shared, name);
  const gate = batchGate(shared, batching);
  for (const [index, batch] of batches.entries()) {
    if (!fleet.hasAlive(batch)) continue;
    if (run.control.stopSignals.isStopping && !batch.some(begun)) break;
    const number = { batch: index + 1, batches: batches.length };
    const at = { play: ready.number, batch: number.batch, area: shared.area };
    const journal = isKept ? new BatchJournal(at, record.journal, record.past) : undefined;
    const batchState = new BatchState(batch, settings.maxFailPercentage, journal);
    const hostvars = new HostVariables(() => context);
    const membersBefore = record.past?.membersBefore(at.play, at.batch) ?? [];
    const context: PlayContext = { ...shared, play: { ...shared.play, batch, hostvars }, batchState, membersBefore };
    run.control.confirmation?.beginBatch();
    const strategy = createStrategy(settings.strategy, { limit: run.control.forks, most: settings.forks }, begun);
    // `clear_host_errors` revives others of the batch, which did nothing in this play.
    const started = batch.filter((name) => fleet.isAlive(name));
    const failed = await runBatch(context, number, strategy, gate === undefined ? isNeededLater : () => true);
    const { ended, halted } = batchState.ending;
    if (halted !== undefined) return { type: 'ended', reason: halted.reason, cutOff: true };
    // Ansible goes on if others of the batch had failed in an earlier play. What fails everywhere should go no further.
    if (!fleet.hasAlive(started) && failed.some((name) => fleet.hasFailed(name))) {
      const cutOff = batches.slice(number.batch).some((later) => fleet.hasAlive(later));
      return { type: 'ended', reason: allLost(fleet, number, started, batch), cutOff };
    }
    const end = await gate?.({ ...context, play: { ...context.play, batch: started } }, number);
    // If the gate did not pass, its batch has not finished the play.
    if (end?.type === 'cut off') fleet.begin(batch);
    if (end?.type === 'failed') return { type: 'ended', reason: end.reason, cutOff: true, gated: true };
    if (ended === 'play') break;
  }
  return FINISHED;
}

function allLost(fleet: Fleet, number: BatchNumber, started: readonly string[], batch: readonly string[]): string {
  const who = started.length === 1 ? 'the only controller' : `all ${started.length} controllers`;
  const where = started.length === batch.length ? 'of' : 'left in';
  return `${who} ${where} ${batchText(number)} ${fleet.howLost(started)}`;
}

type SharedByBatches = Omit<PlayContext, 'batchState' | 'membersBefore' | 'play'> & {
  readonly play: Omit<PlayView, 'batch' | 'hostvars'>;
};

/** Loads the modules of a play, and selects its steps. */
async function preparePlay(
  run: RunContext,
  ready: ReadyPlay,
  { forceHandlers }: Pick<PlaySettings, 'forceHandlers'>,
): Promise<SharedByBatches> {
  const { start, input } = run;
  const { playbook, play: definition, name, controllers } = ready;
  const modules = new LoadedModules(input.sources.catalogue);
  await modules.load([...allSteps(definition), ...definition.handlers]);
  const selected = selectSections(start.within(definition), input.selection);
  const variables = new PlayVariables(definition, input.sources.answers?.get(definition));
  return {
    run,
    play: { definition, playbook, name, controllers, variables },
    handlers: new Handlers(definition.handlers),
    delegates: new Map(),
    steps: compileSteps(selected, definition.source, forceHandlers),
    modules,
    area: ready.area ?? playArea(ready.number),
  };
}

interface Batching {
  readonly ready: ReadyPlay;
  readonly settings: PlaySettings;
  readonly isNeededLater: (controller: string) => boolean;
}

const PASSED: GateEnd = { type: 'passed' };

/** Undefined if the play has no gate, or its gate has no checks. */
function batchGate(
  { run, steps }: { readonly run: RunContext; readonly steps: readonly Step[] },
  batching: Batching,
): ((context: PlayContext, number: BatchNumber) => Promise<GateEnd>) | undefined {
  const { ready, settings, isNeededLater } = batching;
  const { play, gate: rendered } = ready;
  const { gate } = play;
  if (gate === undefined || rendered === undefined || isLeftOut(play, steps)) return undefined;
  if (run.input.settings.check) {
    const message = 'check mode changes nothing that a gate could check, so its checks are not run';
    run.emit({ type: 'warning', message, source: gate.source });
    return undefined;
  }
  return async (own, number) => {
    const { play: its, batchState } = own;
    const left = its.batch.filter((name) => run.fleet.isAlive(name));
    // The project has changed if there was something new to do.
    const isAsChecked = batchState.journal?.hasBegun !== true;
    const strategy = createStrategy(settings.strategy, { limit: run.control.forks, most: settings.forks });
    if (isAsChecked && left.length > 0 && run.input.record.past?.hasPassed(ready.number, left) === true) {
      const { restoreChecks } = await import('./gate_run.js');
      await restoreChecks({ ...own, play: { ...its, batch: left } }, gate.checks, strategy);
      return PASSED;
    }
    if (run.control.stopSignals.isStopping) return { type: 'cut off' };
    const runWithin: RunPlay = (within, other) => runPlay(within, other, () => true);
    // Few plays have a gate.
    const { runGate } = await import('./gate_run.js');
    const end = await runGate({ context: own, gate, settings: rendered, number, strategy, ready, runPlay: runWithin });
    for (const name of own.play.batch) if (!isNeededLater(name)) await run.sessions.close(name);
    return end;
  };
}
