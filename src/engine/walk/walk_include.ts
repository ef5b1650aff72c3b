import type { Handler, Include } from '../../core/model/playbook/step.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { entry } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { layersText, type StepEnd } from '../batch/batch_state.js';
import { layerValues } from '../journal/step_keys.js';
import { selectSteps } from '../keywords/selected_steps.js';
import type { IncludedRun } from '../task/task_end.js';
import { inside, type WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** Runs what an include gave, for each item of its loop in turn. */
export async function walkIncluded(
  walk: Walker,
  include: Include,
  runs: readonly IncludedRun[],
  frame: WalkFrame,
): Promise<StepEnd> {
  const places = await includePlaces(walk, runs, frame);
  // All before the first item runs, as in Ansible: of those with one name, the last counts.
  for (const { included, layers } of runs) {
    const around = [...frame.layers, ...layers];
    // A controller that skipped the include may notify them, too. It has no item, so one that needs an item fails.
    const unlooped = around.filter(({ origin }) => origin !== 'loop');
    const forOthers = unlooped.length === around.length ? [] : handlersWithin(included.handlers, unlooped);
    walk.context.handlers.add(handlersWithin(included.handlers, around), forOthers);
  }
  for (const [index, run] of runs.entries()) {
    const { context } = walk;
    const { included, layers } = run;
    await context.modules.load([...included.steps, ...included.handlers]);
    walk.variables.publish(included);
    const place = places[index] ?? index;
    const own = frame.ownPosition ?? (place === index ? undefined : frame.position);
    const around: WalkFrame = {
      ...inside(frame, 1 + place),
      ownPosition: own && [...own, 1 + index],
      keyPrefix: includePrefix(walk, include, run, frame),
      siblings: included.steps,
      itemLayers: include.loop && layers,
      layers: [...frame.layers, ...layers],
      loopPosition: frame.loopPosition ?? (include.loop && frame.position),
    };
    // Tags do not select handlers, nor what they include.
    const { steps } = included;
    const end = await walk.steps(frame.handler ? steps : selectSteps(steps, context.run.input.selection), around);
    if (end !== 'completed') return end;
  }
  return 'completed';
}

const WITHIN = new WeakMap<Handler, Map<string, Handler>>();

/** Handlers that see the variables of the includes and loops around them. Those that see the same are the same. */
function handlersWithin(handlers: readonly Handler[], layers: readonly VariableLayer[]): readonly Handler[] {
  if (handlers.length === 0 || layers.length === 0) return handlers;
  const key = layersText(layers);
  return handlers.map((handler) => {
    const known = getOrAdd(WITHIN, handler, () => new Map<string, Handler>());
    return getOrAdd(known, key, () => ({ ...handler, layers: [...layers, ...handler.layers] }));
  });
}

/** An include that adds only steps behaves as if they were in its place. */
function includePrefix(
  { context }: Walker,
  include: Include,
  { layers }: IncludedRun,
  { keyPrefix }: WalkFrame,
): string {
  const { keys } = context.run;
  if (keys === undefined || layers.length === 0) return keyPrefix;
  // The item without its number, which changes when items are inserted before it.
  const looped = layers.find(({ origin }) => origin === 'loop');
  const item = include.loop && looped && entry(looped.values, include.loop.variable);
  const own = layerValues(layers.filter(({ origin }) => origin !== 'loop'));
  return keys.within(keyPrefix, item === undefined ? own : [...own, item]);
}

/** In lockstep, once everyone has included: what controllers included differs, and runs one file after the other. */
async function includePlaces(walk: Walker, runs: readonly IncludedRun[], frame: WalkFrame): Promise<readonly number[]> {
  const { barrier, state, context } = walk;
  if (!barrier.lockstep) return runs.map((_, index) => index);
  const { includes } = context.batchState;
  includes.register(state.name, frame.position, runs);
  await barrier.beginStep(inside(frame, 0).position);
  barrier.endStep();
  return includes.ordinals(state.name, frame.position);
}
