import { sleep } from '../sleep.js';
import type { BatchNumber } from './batch_run.js';
import type { Undoing } from './batch_rollback.js';
import { afterFailure } from './gate_failure.js';
import { checkOnce, contextOfChecks, type FailedCheck } from './gate_round.js';
import type { GateSettings } from './gate_settings.js';
import { GateTally } from './gate_tally.js';
import type { PlayContext } from './play_context.js';
import type { Strategy } from './strategy.js';
import type { Gate } from '../../model/playbook.js';

/** A gate that a batch stands before. */
export interface StandingGate extends Undoing {
  /** Of the batch: its whole. */
  readonly context: PlayContext;
  readonly gate: Gate;
  readonly settings: GateSettings;
  readonly number: BatchNumber;
  readonly strategy: Strategy;
}

/** What a gate means for the run; `cut off`: it came to nothing, because nothing new may start. */
export type GateEnd =
  { readonly type: 'passed' } | { readonly type: 'cut off' } | { readonly type: 'failed'; readonly reason: string };

/** Checks the living controllers of a batch, round after round, until it is known whether the next batch may start. */
export async function runGate(standing: StandingGate): Promise<GateEnd> {
  const { context, settings, number, gate } = standing;
  const { run, name: play } = context;
  const controllers = context.batch.filter((one) => run.fleet.isAlive(one));
  const { interval, passes, failures } = settings;
  const { batch } = number;
  run.emit({ type: 'gate-started', play, batch, controllers, passes, failures, interval, source: gate.source });
  const outcome = await rounds(standing, controllers);
  if (outcome.type === 'failed') return afterFailure(standing, outcome.failed);
  if (outcome.type === 'passed') run.emit({ type: 'gate-finished', play, batch, status: 'passed', action: 'continue' });
  return outcome;
}

type Outcome =
  Exclude<GateEnd, { type: 'failed' }> | { readonly type: 'failed'; readonly failed: readonly FailedCheck[] };

async function rounds(standing: StandingGate, controllers: readonly string[]): Promise<Outcome> {
  const { context, settings, number, strategy, gate } = standing;
  const { run, name: play } = context;
  const checks = contextOfChecks({ ...context, batch: controllers }, gate.checks);
  const tally = new GateTally(settings);
  // A round either adds to the row of passes or is one of the failures: both have an end.
  for (let round = 1; ; round++) {
    const failed = await checkOnce(checks, round, strategy);
    const { applied, interrupted } = run.brake;
    // With refused credentials nothing more can be asked: what failed by then is the answer.
    if (interrupted || (applied && failed.length === 0)) return { type: 'cut off' };
    const names = failed.map(({ controller }) => controller);
    run.emit({ type: 'gate-checked', play, batch: number.batch, round, failed: names });
    const verdict = tally.count(failed.length === 0);
    if (verdict === 'failed' || applied) return { type: 'failed', failed };
    if (verdict === 'passed') return { type: 'passed' };
    await sleep(settings.interval, run.brake.signal(false));
    if (run.brake.applied) return { type: 'cut off' };
  }
}
