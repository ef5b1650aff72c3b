import type { Play } from '../../core/model/playbook/playbook.js';
import type { Step } from '../../core/model/playbook/step.js';
import { plannedTasks, sectionsOf } from '../../core/model/playbook/steps.js';
import { strategyOf } from '../batch/strategy.js';
import type { RunContext } from '../context/run_context.js';
import type { Target } from '../input/target.js';
import type { PlayContext } from '../walk/play_context.js';
import type { RunPlay } from './batch_rollback.js';
import type { BatchNumber } from './batch_run.js';
import { runGate, type GateEnd } from './gate_run.js';
import type { PlaySettings } from './play_settings.js';

/** The gate of a play, for each of its batches. */
export type BatchGate = (context: PlayContext, number: BatchNumber) => Promise<GateEnd>;

/** How a play runs its batches. */
export interface Batching {
  readonly target: Target;
  readonly settings: PlaySettings;
  readonly isNeededLater: (controller: string) => boolean;
}

const PASSED: GateEnd = { type: 'passed' };

/** Undefined if the play has no gate, or its gate has no checks. */
export function gateOf(
  { run, steps }: { readonly run: RunContext; readonly steps: readonly Step[] },
  batching: Batching,
  runPlay: RunPlay,
): BatchGate | undefined {
  const { target, settings, isNeededLater } = batching;
  const { play, gate: rendered } = target;
  const { gate } = play;
  if (gate === undefined || rendered === undefined || isLeftOut(play, steps)) return undefined;
  if (run.input.settings.check) {
    const message = 'check mode changes nothing that a gate could check, so its checks are not run';
    run.emit({ type: 'warning', message, source: gate.source });
    return undefined;
  }
  return async (own, number) => {
    if (run.input.record.past?.hasPassed(target.number, number.batch) === true) return PASSED;
    if (run.control.stopSignals.isStopping) return { type: 'cut off' };
    const strategy = strategyOf(settings.strategy, settings.forks);
    const end = await runGate({ context: own, gate, settings: rendered, number, strategy, target, runPlay });
    for (const name of own.play.batch) if (!isNeededLater(name)) await run.sessions.close(name);
    return end;
  };
}

/** Whether tags or `--start-at-task` exclude all tasks of the play. A play without tasks exists for its gate. */
function isLeftOut(play: Play, steps: readonly Step[]): boolean {
  return plannedTasks(steps) === 0 && plannedTasks(sectionsOf(play)) > 0;
}
