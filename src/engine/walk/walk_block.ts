import type { Position } from '../../core/model/playbook/step_place.js';
import type { Block, Step } from '../../core/model/playbook/step.js';
import type { StepEnd } from '../batch/batch_state.js';
import { failedBecause } from '../keywords/failed_result.js';
import { loopItems, loopVariables } from '../keywords/loop_items.js';
import { failAt } from './broken_step.js';
import { inside, type Frame } from './frame.js';
import type { Walker } from './walker.js';

/** The part of a block that a position is in. The parts follow each other. */
const SECTION = { steps: 0, rescue: 1, always: 2 } as const;

/** `block`, `rescue` and `always`; with a loop (ours) the whole of it for each item, until one fails. */
export async function walkBlock(walk: Walker, block: Block, frame: Frame): Promise<StepEnd> {
  const reached = block.loop && walk.journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  const frames = framesOf(walk, block, frame);
  if (frames === 'failed') return frames;
  for (const each of frames) {
    const end = await walkOnce(walk, block, each);
    if (end !== 'completed') return end;
  }
  return 'completed';
}

/** One frame for each item. */
function framesOf(walk: Walker, block: Block, frame: Frame): readonly Frame[] | 'failed' {
  const { loop, name, source } = block;
  if (loop === undefined) return [frame];
  try {
    const scope = walk.variables.scope([...frame.layers, ...block.layers]);
    const items = loopItems(loop, scope);
    return items.map((_, index) => {
      const values = loopVariables(loop, items, index, scope);
      const layer = { level: 'include params', origin: 'loop', values, literal: true } as const;
      const within = walk.context.run.keys?.within(frame.within, items[index] ?? null) ?? '';
      return { ...inside(frame, index), within, layers: [...frame.layers, layer] };
    });
  } catch (error) {
    const broken = { title: name?.value ?? 'block', kind: 'block', source };
    return failAt(walk, frame, broken, failedBecause(error, 'block'));
  }
}

async function walkOnce(walk: Walker, block: Block, frame: Frame): Promise<StepEnd> {
  const end = await walkRescued(walk, block, frame);
  if (block.always.length === 0 || end === 'unreachable' || end === 'stale' || end === 'left') return end;
  if (end === 'halted' && isBeforeAll(walk.haltedAt, frame.position)) return end;
  const { batchState } = walk.context;
  const { errorClears } = batchState.ending;
  // A resume continues inside the block, so its `always` must run again then.
  if (isCutOff(walk, end)) walk.journal.cutOff();
  const cleaned = await section(walk, block.always, frame, { at: SECTION.always, shelter: 'always' });
  if (cleaned !== 'completed') return cleaned;
  if (batchState.ending.errorClears === errorClears) return end;
  // After `clear_host_errors`, the controller continues after the block, as in Ansible.
  const isTakenBack = batchState.takeBack(frame.position);
  return end === 'failed' || (end === 'halted' && isTakenBack) ? 'completed' : end;
}

/** Whether nothing in the block has begun, so that there is nothing to clean up. */
function isBeforeAll(step: Position | undefined, block: Position): boolean {
  return step !== undefined && step.every((part, depth) => part === (block[depth] ?? 0)) && step.length > block.length;
}

/** Whether the run was stopped inside the block. */
function isCutOff({ journal, context: { run } }: Walker, end: StepEnd): boolean {
  return journal.isCutOff || end === 'stopped' || (end === 'halted' && run.control.stopSignals.isStopping);
}

async function walkRescued(walk: Walker, block: Block, frame: Frame): Promise<StepEnd> {
  const canRescue = block.rescue.length > 0;
  const own = { ...frame, rescuable: canRescue || frame.rescuable };
  const end = await section(walk, block.steps, own, { at: SECTION.steps, shelter: frame.shelter });
  if (end !== 'failed' || !canRescue) return end;
  const shelter = frame.shelter === 'always' ? 'always' : 'rescue';
  const rescued = await section(walk, block.rescue, frame, { at: SECTION.rescue, shelter });
  if (rescued === 'completed') walk.notified.haveFailed = false;
  return rescued;
}

function section(
  walk: Walker,
  steps: readonly Step[],
  frame: Frame,
  { at, shelter }: { readonly at: number; readonly shelter: Frame['shelter'] },
): Promise<StepEnd> {
  return walk.steps(steps, { ...inside(frame, at), shelter });
}
