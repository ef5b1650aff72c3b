import type { Play } from '../model/playbook.js';
import { stepsOf, tasksIn } from '../model/steps.js';
import type { Module } from '../module/contract.js';
import { cutBatches } from './batch.js';
import { runBatch } from './batch_run.js';
import { HandlerIndex } from './handler_index.js';
import { HostVariables } from './host_variables.js';
import type { PlayContext } from './play_context.js';
import { PlayVariables } from './play_variables.js';
import type { RunContext } from './run_context.js';
import { strategyOf } from './strategy.js';
import { isSelected } from './tags.js';
import type { Target } from './targets.js';

/**
 * One play: its batches one after the other. `ended`: every controller of a batch failed, so neither later batches nor
 * later plays start.
 */
export async function runPlay(
  run: RunContext,
  target: Target,
  isNeededLater: (controller: string) => boolean,
): Promise<'finished' | 'ended'> {
  const context = await contextOf(run, target);
  const strategyName = target.play.strategy ?? run.input.strategy ?? 'host_pinned';
  const controllers = target.controllers.filter((name) => run.fleet.isAlive(name));
  run.emit({
    type: 'play-started',
    play: context.name,
    controllers,
    strategy: strategyName,
    tasks: context.steps.length,
    source: target.play.source,
  });
  const batches = cutBatches(controllers, target.serial);
  let end: 'finished' | 'ended' = 'finished';
  for (const [index, batch] of batches.entries()) {
    if (end === 'ended' || run.brake.applied) break;
    const number = { batch: index + 1, batches: batches.length };
    const failed = await runBatch(
      { ...context, batch },
      number,
      strategyOf(strategyName, run.input.forks),
      isNeededLater,
    );
    if (failed.length === batch.length) end = 'ended';
  }
  run.emit({ type: 'play-finished', play: context.name });
  return end;
}

async function contextOf(run: RunContext, { playbook, play, name, controllers }: Target): Promise<PlayContext> {
  const context: PlayContext = {
    run,
    playbook,
    play,
    name,
    steps: tasksIn(stepsOf(play)).filter(({ tags }) => isSelected(tags, run.input)),
    handlers: new HandlerIndex(play.handlers),
    modules: await loadModules(run, play),
    variables: new PlayVariables(play),
    hostvars: new HostVariables(() => context),
    targets: controllers,
    batch: controllers,
  };
  return context;
}

async function loadModules({ input }: RunContext, play: Play): Promise<ReadonlyMap<string, Module>> {
  const modules = new Map<string, Module>();
  for (const { module: name } of [...tasksIn(stepsOf(play)), ...play.handlers]) {
    const module = modules.has(name) ? undefined : await input.catalogue.load(name);
    if (module !== undefined) modules.set(name, module);
  }
  return modules;
}
