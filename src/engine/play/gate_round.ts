import type { Step } from '../../core/model/playbook/step.js';
import { gateArea } from '../../core/model/playbook/step_place.js';
import type { Emit } from '../../core/model/run/event.js';
import type { Past } from '../../core/model/run/past.js';
import { isTrouble } from '../../core/model/run/result.js';
import { nameSome } from '../../core/model/source/amounts.js';
import { BatchState } from '../batch/batch_state.js';
import { Handlers } from '../batch/handlers.js';
import type { Strategy } from '../batch/strategy.js';
import { gateSelection, selectSteps } from '../keywords/selected_steps.js';
import type { PlayContext } from '../walk/play_context.js';
import { walkThrough } from '../walk/walk.js';
import { type BatchNumber, batchText } from './batch_run.js';

export interface FailedGateCheck {
  readonly controller: string;
  readonly check: string;
  /** A write of the checks may have taken effect, so they must not run again. */
  readonly outcomeUnknown: boolean;
}

/** The context of the checks of a batch: they have no handlers. */
export function contextOfChecks(context: PlayContext, checks: readonly Step[], past: Past | undefined): PlayContext {
  const { input } = context.run;
  const selection = { ...input.selection, ...gateSelection(input.selection) };
  return {
    ...context,
    area: gateArea(context.area),
    play: { ...context.play, definition: { ...context.play.definition, handlers: [] } },
    run: {
      ...context.run,
      // A plan contains no checks: they act as in any run, but change no object that is not declared in the plan.
      input: { ...input, selection, record: { ...input.record, past, plan: undefined } },
      control: { ...context.run.control, confirmation: undefined },
    },
    steps: selectSteps(checks, selection),
    handlers: new Handlers([]),
  };
}

/**
 * Runs the checks once. Failures belong to the gate: no controller is removed, and no `rescue` of the play runs.
 *
 * @param context from `contextOfChecks`
 */
export async function checkOnce(
  context: PlayContext,
  round: number,
  strategy: Strategy,
): Promise<readonly FailedGateCheck[]> {
  const { run, play } = context;
  const { batch } = play;
  const titles = new Map<string, string>();
  const emit: Emit = (event) => {
    if (event.type === 'task-finished' && isTrouble(event)) titles.set(event.controller, event.task);
    run.emit(event.type === 'task-finished' ? { ...event, round } : event);
  };
  const unknownOutcomes = new Set<string>();
  const own = { ...context, unknownOutcomes, run: { ...run, emit }, batchState: new BatchState(batch, undefined) };
  const failed = new Set<string>();
  await strategy(batch, async (name, turnstile) => {
    const state = run.fleet.find(name);
    const end = state === undefined ? 'completed' : await walkThrough(own, state, turnstile);
    own.batchState.once.leave(name);
    if (end === 'failed' || end === 'unreachable' || end === 'stale') failed.add(name);
    if (run.sessions.size > run.control.forks.now) await run.sessions.close(name);
  });
  run.fleet.setHasLeftPlay(run.fleet.known(batch), false);
  const inOrder = batch.filter((name) => failed.has(name));
  return inOrder.map((controller) => ({
    controller,
    check: titles.get(controller) ?? 'a check',
    outcomeUnknown: unknownOutcomes.has(controller),
  }));
}

/** How many controllers a reason names. */
export const MOST_NAMES = 3;
const MOST_CHECKS = 2;

/**
 * `the gate of batch 1 of 3 failed: "Portal answers" on lb1, lb2`; without `serial`, `the gate of the play`.
 * @param failed empty if nothing could be checked
 */
export function failedGate(number: BatchNumber, failed: readonly FailedGateCheck[]): string {
  return `the gate of ${batchText(number)} failed: ${failed.length === 0 ? 'no controller of it is left to check' : checksText(failed)}`;
}

function checksText(failed: readonly FailedGateCheck[]): string {
  const checks = [...new Set(failed.map(({ check }) => check))];
  const texts = checks.map((check) => {
    const names = failed.filter((one) => one.check === check).map(({ controller }) => controller);
    return `"${check}" on ${nameSome(names, MOST_NAMES)}`;
  });
  return nameSome(texts, MOST_CHECKS);
}
