import type { Handler, Meta, Step } from '../../core/model/playbook/step.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import type { StepEnd } from '../batch/batch_state.js';
import { allHold } from '../keywords/rendered_keywords.js';
import { inside, type WalkFrame } from './play_context.js';
import { walkInclude, walkTask } from './walk_task.js';
import { isRefused, type Walker } from './walker.js';

/**
 * A step that controls the walk itself. In lockstep, the first controller decides what concerns all, as in Ansible; the next one if the
 * condition fails on that one.
 */
export async function walkMeta(walk: Walker, meta: Meta, frame: WalkFrame): Promise<StepEnd> {
  const { batchState } = walk.context;
  const reached = walk.journal.arriveAt(frame);
  if (reached !== undefined) await reached;
  batchState.once.arrive(walk.state.name, frame.position);
  if (walk.barrier.lockstep) {
    await walk.barrier.beginStep(frame.position);
    walk.barrier.endStep();
  }
  // Steps that were passed before the interrupt are passed again.
  const refusal = (): StepEnd | undefined =>
    walk.journal.hasPassed(frame) || isDone(walk, frame) ? undefined : walk.refusal(frame);
  const refused = refusal();
  if (refused !== undefined) return refused;
  if (!CONCERNING_ALL.has(meta.action) || !walk.barrier.lockstep) return runIfConditionsHold(walk, meta, frame);
  const turn = await batchState.once.turn(walk.state.name, placeText(meta.source), frame.position);
  if (turn.type === 'share') return turn.result.type === 'step' ? turn.result.end : 'completed';
  // The failure that passed the step on may have halted the batch.
  const refusedSince = refusal();
  const end = refusedSince ?? (await runIfConditionsHold(walk, meta, frame));
  if (refusedSince !== undefined || end === 'failed') turn.passOn();
  else turn.done({ type: 'step', end });
  return end;
}

/** Whether only the final flushes of a play are left and no handler is pending, so that nothing would begin. */
function isDone({ notified }: Walker, { position: [at = 0, ...inner], siblings }: WalkFrame): boolean {
  const isFlush = (step: Step): boolean =>
    step.type === 'meta' && (step.action === 'flush_handlers' || step.action === 'finish_handlers');
  return notified.pending.size === 0 && inner.length === 0 && siblings.slice(at).every(isFlush);
}

/** What concerns all controllers of the batch. */
const CONCERNING_ALL: ReadonlySet<string> = new Set(['end_batch', 'end_play', 'clear_host_errors', 'clear_facts']);

async function runIfConditionsHold(walk: Walker, meta: Meta, frame: WalkFrame): Promise<StepEnd> {
  try {
    if (!allHold(meta.when, walk.variables.scope([...frame.layers, ...meta.layers]))) return 'completed';
  } catch (error) {
    const { failAt } = await import('./broken_step.js');
    const end = failAt(walk, frame, meta, error);
    return end === 'failed' || end === 'stopped' ? end : 'completed';
  }
  return runMeta(walk, meta, frame);
}

async function runMeta(walk: Walker, { action }: Meta, frame: WalkFrame): Promise<StepEnd> {
  const { context, state } = walk;
  switch (action) {
    case 'flush_handlers':
      return flushHandlers(walk, frame, 'once');
    case 'finish_handlers':
      return flushHandlers(walk, frame, 'until none is left');
    case 'end_host':
      return 'left';
    case 'end_role':
      return 'role ended';
    case 'end_batch':
    case 'end_play':
      context.batchState.end(action === 'end_play' ? 'play' : 'batch');
      return 'left';
    case 'clear_host_errors':
      context.batchState.clearErrors();
      context.run.fleet.forgive(context.play.batch);
      return 'completed';
    case 'clear_facts':
      for (const name of context.play.batch) context.run.fleet.find(name)?.clearFacts();
      return 'completed';
    case 'reset_connection':
      await context.run.sessions.close(state.name);
      return 'completed';
    case 'noop':
      return 'completed';
  }
}

/**
 * Runs the notified handlers in the order of definition, each at most once. A handler notified by a later one waits for the next flush, as
 * in Ansible; the last flush of a play repeats until none is left, where Ansible would drop it. After a failed handler no other runs,
 * forced or not, unless a `rescue` handled the failure.
 */
async function flushHandlers(walk: Walker, frame: WalkFrame, extent: 'once' | 'until none is left'): Promise<StepEnd> {
  if (walk.notified.haveFailed) return 'failed';
  const { handlers } = walk.context;
  const done = new Set<object>();
  for (let round = 0; round === 0 || extent === 'until none is left'; round++) {
    const due = [...walk.notified.pending.keys()].filter((handler) => !done.has(handler));
    if (due.length === 0) break;
    for (const [index, handler] of handlers.list.entries()) {
      if (!walk.notified.pending.has(handler) || done.has(handler)) continue;
      done.add(handler);
      // A handler belongs to the play, so it sees nothing of an include that contains the flush. What it includes sees what it sees.
      const layers = handler.type === 'include' ? handler.layers : [];
      const own: WalkFrame = {
        ...inside(frame, round, index),
        ownPosition: walk.barrier.lockstep
          ? [...(frame.ownPosition ?? frame.position), round, handlers.ownNumber(handler)]
          : undefined,
        keyPrefix: '',
        siblings: [],
        layers,
        loopPosition: frame.loopPosition ?? frame.position,
        handler: true,
      };
      const end = await walkHandler(walk, handler, own);
      if (!isRefused(walk, end, own)) walk.notified.remove(handler);
      walk.notified.haveFailed = end === 'failed';
      if (end !== 'completed') return end;
    }
  }
  return 'completed';
}

function walkHandler(walk: Walker, handler: Handler, frame: WalkFrame): Promise<StepEnd> {
  if (handler.type === 'meta') return walk.steps([handler], frame);
  return handler.type === 'task' ? walkTask(walk, handler, frame) : walkInclude(walk, handler, frame);
}
