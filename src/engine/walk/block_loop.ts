import type { Block, Loop } from '../../core/model/playbook/step.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
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
import { failAt } from './broken_step.js';
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
  const kept = await arriveAt(walk, frame);
  if (kept !== undefined) return kept;
  const rounds = blockRounds(walk, block, frame);
  if (typeof rounds === 'string') return rounds;
  for (const [index, each] of rounds.frames.entries()) {
    const refused = index === 0 ? undefined : await pauseBefore(walk, each, rounds.pause);
    if (refused !== undefined) return refused;
    const end = await walkRound(each);
    if (end !== 'completed') return end;
    const isOver = await breaksAfter(walk, block, inside(each, BLOCK_PARTS.end), index + 1 === rounds.frames.length);
    if (typeof isOver === 'string') return isOver;
    if (isOver) break;
  }
  return 'completed';
}

/**
 * Before it evaluates what may be of others: in lockstep, all must have finished the steps before it. Returns why the controller may not
 * go on, unless it had before the interrupt.
 */
async function arriveAt(walk: Walker, frame: WalkFrame): Promise<StepEnd | undefined> {
  const { journal, context, state, barrier } = walk;
  const reached = journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  context.batchState.once.arrive(state.name, frame.position);
  if (barrier.lockstep) {
    await barrier.beginStep(frame.position);
    barrier.endStep();
  }
  return journal.hasPassed(frame) ? undefined : walk.refusal(frame);
}

interface Rounds {
  /** One for each item. */
  readonly frames: readonly WalkFrame[];
  /** Seconds between them. */
  readonly pause: number;
}

function blockRounds(walk: Walker, block: LoopedBlock, frame: WalkFrame): Rounds | 'failed' | 'stopped' {
  const { loop } = block;
  const roundFrame = (index: number, item: Value, layer: readonly VariableLayer[]): WalkFrame => {
    const keyPrefix = walk.context.run.keys?.within(frame.keyPrefix, item) ?? '';
    const layers = [...frame.layers, ...layer];
    return { ...inside(frame, index), keyPrefix, layers, loopPosition: frame.loopPosition ?? frame.position };
  };
  const scope = walk.variables.scope([...frame.layers, ...block.layers]);
  try {
    const items = loopItems(loop, scope);
    const frames = items.map((item, index) => {
      const values = loopVariables(loop, items, index, scope);
      return roundFrame(index, item, loopLayer(values, 'include params'));
    });
    return { frames, pause: renderNumberOr(0, 'pause', loop.pause, scope) };
  } catch (error) {
    const hidden = laterItem(loop, error);
    // As for a task, the items do not matter if `when` is false without one.
    if (!orElse(true, () => allHold(block.when, scope.child(hidden)))) return { frames: [], pause: 0 };
    const end = failAt(walk, frame, block, error);
    if (end === 'failed' || end === 'stopped') return end;
    return { frames: end === 'later' ? [roundFrame(0, null, hidden)] : [], pause: 0 };
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

/** Whether `break_when` ends the loop of a block after this item, or why the controller may not go on. */
async function breaksAfter(
  walk: Walker,
  block: LoopedBlock,
  frame: WalkFrame,
  isLast: boolean,
): Promise<boolean | StepEnd> {
  const { breakWhen } = block.loop;
  if (breakWhen === undefined) return false;
  const kept = await arriveAt(walk, frame);
  if (kept !== undefined) return isLast || kept;
  try {
    return allHold(breakWhen, walk.variables.scope([...frame.layers, ...block.layers]));
  } catch (error) {
    const end = failAt(walk, frame, block, error);
    return end === 'failed' || end === 'stopped' ? end : end === 'ignored';
  }
}
