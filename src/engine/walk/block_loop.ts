import type { Block, Loop } from '../../core/model/playbook/step.js';
import type { Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import type { StepEnd } from '../batch/batch_state.js';
import { sleep } from '../control/clock.js';
import {
  allHold,
  laterItem,
  loopItems,
  loopLayer,
  loopVariables,
  renderNumberOr,
} from '../keywords/rendered_keywords.js';
import { failAt } from './finish_task.js';
import { BLOCK_PARTS, inside, type WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

type LoopedBlock = Block & { readonly loop: Loop };

/** Walks through a block with a loop: the whole of it for each item, until one fails. Few playbooks have one. */
export async function walkRounds(
  walk: Walker,
  block: LoopedBlock,
  frame: WalkFrame,
  walkRound: (frame: WalkFrame) => Promise<StepEnd>,
): Promise<StepEnd> {
  await arriveAt(walk, frame);
  const rounds = blockRounds(walk, block, frame);
  if (rounds === 'failed') return rounds;
  for (const [index, each] of rounds.frames.entries()) {
    const refused = index === 0 ? undefined : await pauseBefore(walk, each, rounds.pause);
    if (refused !== undefined) return refused;
    const end = await walkRound(each);
    if (end !== 'completed') return end;
    const isOver = await breaksAfter(walk, block, inside(each, BLOCK_PARTS.end));
    if (isOver === 'failed') return isOver;
    if (isOver) break;
  }
  return 'completed';
}

/** What it evaluates may be of others: in lockstep, all must have finished the steps before it. */
async function arriveAt({ journal, context, state, barrier }: Walker, frame: WalkFrame): Promise<void> {
  const reached = journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  context.batchState.once.arrive(state.name, frame.position);
  if (!barrier.lockstep) return;
  await barrier.beginStep(frame.position);
  barrier.endStep();
}

interface Rounds {
  /** One for each item. */
  readonly frames: readonly WalkFrame[];
  /** Seconds between them. */
  readonly pause: number;
}

function blockRounds(walk: Walker, block: LoopedBlock, frame: WalkFrame): Rounds | 'failed' {
  const { loop } = block;
  const roundFrame = (index: number, item: Value, layer: readonly VariableLayer[]): WalkFrame => {
    const keyPrefix = walk.context.run.keys?.within(frame.keyPrefix, item) ?? '';
    const layers = [...frame.layers, ...layer];
    return { ...inside(frame, index), keyPrefix, layers, loopPosition: frame.loopPosition ?? frame.position };
  };
  try {
    const scope = walk.variables.scope([...frame.layers, ...block.layers]);
    const items = loopItems(loop, scope);
    const frames = items.map((item, index) => {
      const values = loopVariables(loop, items, index, scope);
      return roundFrame(index, item, loopLayer(values, 'include params'));
    });
    return { frames, pause: renderNumberOr(0, 'pause', loop.pause, scope) };
  } catch (error) {
    const end = failAt(walk, frame, block, error);
    if (end === 'failed') return end;
    const isLater = end === 'later' && error instanceof KnownAfterApply;
    return { frames: isLater ? [roundFrame(0, null, laterItem(loop, error))] : [], pause: 0 };
  }
}

/** Waits before the next item, unless that has begun before an interrupt. Returns why it may not begin. */
async function pauseBefore(walk: Walker, frame: WalkFrame, seconds: number): Promise<StepEnd | undefined> {
  if (seconds <= 0 || walk.journal.hasPassed(frame)) return undefined;
  const reached = walk.journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  const refused = walk.refusal(inside(frame, BLOCK_PARTS.steps, 0));
  if (refused !== undefined) return refused;
  const { fork, lockstep } = walk.barrier;
  const signal = walk.context.run.control.stopSignals.signal(frame.cleanup === 'always');
  // In lockstep, a controller has no fork between its steps.
  await (lockstep ? sleep(seconds, signal) : fork.sleep(seconds, signal));
  return undefined;
}

/** Whether `break_when` ends the loop of a block after this item. */
async function breaksAfter(walk: Walker, block: LoopedBlock, frame: WalkFrame): Promise<boolean | 'failed'> {
  const { breakWhen } = block.loop;
  if (breakWhen === undefined) return false;
  await arriveAt(walk, frame);
  try {
    return allHold(breakWhen, walk.variables.scope([...frame.layers, ...block.layers]));
  } catch (error) {
    const end = failAt(walk, frame, block, error);
    return end === 'failed' ? end : end === 'ignored';
  }
}
