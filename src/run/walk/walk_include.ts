import type { Include } from '../../model/playbook.js';
import { inside, type Frame } from './frame.js';
import type { IncludedRun } from '../play/include_order.js';
import { selectSteps } from '../play/play_steps.js';
import type { StepEnd } from './step_end.js';
import type { Walker } from './walker.js';
import { runStep } from './walk_task.js';

/** An include, and then what it brought: for each item of its loop one after the other. */
export async function walkInclude(walk: Walker, include: Include, frame: Frame): Promise<StepEnd> {
  const end = await runStep(walk, include, frame);
  if (typeof end === 'string') return end;
  if (end.status !== 'completed' || end.included.length === 0) return end.status;
  return walkIncluded(walk, end.included, frame);
}

async function walkIncluded(walk: Walker, runs: readonly IncludedRun[], frame: Frame): Promise<StepEnd> {
  const places = await placesOf(walk, runs, frame);
  for (const [index, { included, layers }] of runs.entries()) {
    const { context } = walk;
    context.handlers.add(included.handlers);
    await context.modules.load([...included.steps, ...included.handlers]);
    walk.publish(included.layers);
    const around = { ...inside(frame, 1 + (places[index] ?? 0)), layers: [...frame.layers, ...layers] };
    const end = await walk.steps(selectSteps(included.steps, context.run.input), around);
    if (end !== 'completed') return end;
  }
  return 'completed';
}

/** In lockstep, once everyone has included: what controllers included differs, and runs one file after the other. */
async function placesOf(walk: Walker, runs: readonly IncludedRun[], frame: Frame): Promise<readonly number[]> {
  const { gate, state, context } = walk;
  if (!gate.lockstep) return runs.map((_, index) => index);
  const { includes } = context.batchState;
  includes.register(state.name, frame.position, runs);
  await gate.enter(inside(frame, 0).position);
  gate.exit();
  return includes.ordinals(state.name, frame.position);
}
