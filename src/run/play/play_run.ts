import { plannedTasks, stepsOf } from '../../model/playbook/steps.js';
import { cutBatches, inOrder, inOrderOf } from './batches.js';
import { hasBegun, runBatch } from './batch_run.js';
import { BatchState } from '../batch/batch_state.js';
import { gateOf, type Batching } from './gate.js';
import { Handlers } from '../batch/handlers.js';
import { HostVariables } from '../controllers/magic.js';
import { LoadedModules } from '../batch/loaded_modules.js';
import { BatchJournal } from '../journal/batch_journal.js';
import { playArea } from '../../model/playbook/step_place.js';
import type { PlayContext } from './play_context.js';
import { playSettings, type PlaySettings } from './play_settings.js';
import { compileSteps, selectSections } from '../keywords/selected_steps.js';
import { PlayVariables } from '../controllers/play_variables.js';
import type { RunContext } from './run_context.js';
import { strategyOf } from '../batch/strategy.js';
import type { Target } from './targets.js';

/**
 * What a play means for the run: `ended` with the reason why neither later batches nor later plays start, and whether something of
 * the play itself was left undone by that.
 */
export type PlayEnd =
  | { readonly type: 'finished' }
  | {
      readonly type: 'ended';
      readonly reason: string;
      readonly cutOff: boolean;
      /** A gate has ended it. */
      readonly gated?: boolean;
    };

const FINISHED: PlayEnd = { type: 'finished' };

/** One play: its batches one after the other. */
export async function runPlay(
  run: RunContext,
  target: Target,
  isNeededLater: (controller: string) => boolean,
): Promise<PlayEnd> {
  const settings = playSettings(run.input, target);
  const context = await contextOf(run, target, settings);
  const alive = target.controllers.filter((name) => run.fleet.isAlive(name));
  const controllers = inOrderOf(run.input.past?.controllers(target.number), alive) ?? inOrder(alive, settings.order);
  run.emit({
    type: 'play-started',
    play: context.name,
    controllers,
    strategy: settings.strategy,
    tasks: plannedTasks(context.steps),
    source: target.play.source,
  });
  const end = await runBatches(context, controllers, { target, settings, isNeededLater });
  run.emit({ type: 'play-finished', play: context.name });
  return end;
}

async function runBatches(context: PlayContext, controllers: readonly string[], batching: Batching): Promise<PlayEnd> {
  const { target, settings, isNeededLater } = batching;
  const { run } = context;
  const begun = (name: string): boolean => hasBegun(context, name);
  const batches = cutBatches(controllers, target.serial);
  const gate = gateOf(context, batching, (within, other) => runPlay(within, other, () => true));
  for (const [index, batch] of batches.entries()) {
    if (run.stopSignals.isStopping && !batch.some(begun)) break;
    const number = { batch: index + 1, batches: batches.length };
    const batchState = new BatchState(batch, settings.maxFailPercentage, batchJournal(context, number.batch));
    const strategy = strategyOf(settings.strategy, settings.forks, begun);
    const own = { ...context, batch, batchState };
    const failed = await runBatch(own, number, strategy, gate === undefined ? isNeededLater : () => true);
    if (batchState.halted !== undefined) return { type: 'ended', reason: batchState.halted, cutOff: true };
    if (failed.length === batch.length) {
      return { type: 'ended', reason: allFailed(number, batch.length), cutOff: number.batch < batches.length };
    }
    const end = await gate?.(own, number);
    // Nobody is through with a batch whose gate was not passed.
    if (end?.type === 'cut off') run.fleet.begin(batch);
    if (end?.type === 'failed') return { type: 'ended', reason: end.reason, cutOff: true, gated: true };
    if (batchState.ended === 'play') break;
  }
  return FINISHED;
}

/** Undefined if nothing is kept, and nothing was before. */
function batchJournal({ run: { input }, number, area }: PlayContext, batch: number): BatchJournal | undefined {
  const { journal, past } = input;
  if (journal === undefined && past === undefined) return undefined;
  return new BatchJournal({ play: number, batch, area }, journal, past);
}

function allFailed({ batch, batches }: { batch: number; batches: number }, size: number): string {
  const whole = batches === 1 ? 'of the play' : `of batch ${batch} of ${batches}`;
  return size === 1 ? `the only controller ${whole} failed` : `all ${size} controllers ${whole} failed`;
}

type Shared = Omit<PlayContext, 'batchState'> & { readonly batchState: BatchState };

async function contextOf(run: RunContext, target: Target, { forceHandlers }: PlaySettings): Promise<Shared> {
  const { playbook, play, name, controllers, number } = target;
  const { input } = run;
  const modules = new LoadedModules(input.catalogue);
  await modules.load([...stepsOf(play), ...play.handlers]);
  const context: Shared = {
    run,
    playbook,
    play,
    name,
    steps: compileSteps(selectSections(run.start.within(play), input), play.source, forceHandlers),
    handlers: new Handlers(play.handlers),
    modules,
    variables: new PlayVariables(play, input.answers?.get(play)),
    hostvars: new HostVariables(() => context),
    targets: controllers,
    batch: controllers,
    batchState: new BatchState([], undefined),
    confirmation: run.confirmation,
    number,
    area: target.area ?? playArea(number),
  };
  return context;
}
