import { sleep } from '../sleep.js';
import { afterFailure } from './gate_failure.js';
import { checkOnce, contextOfChecks, type FailedCheck } from './gate_round.js';
import { GateTally } from './gate_tally.js';
import type { GateEnd, StandingGate } from './standing_gate.js';

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
