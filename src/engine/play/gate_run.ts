import type { Gate, GateAction } from '../../core/model/playbook/playbook.js';
import type { Step } from '../../core/model/playbook/step.js';
import type { Strategy } from '../batch/strategy.js';
import { sleep } from '../control/clock.js';
import { StopSignals } from '../control/start_conditions.js';
import type { GateSettings } from '../input/ready_play.js';
import type { PlayContext } from '../walk/play_context.js';
import type { BatchRollback } from './batch_rollback.js';
import { checkOnce, contextOfChecks, failedGate, type FailedGateCheck } from './gate_round.js';

const STOPPED = AbortSignal.abort();

/** Restores what the checks of a gate that was passed before the interrupt left for later plays. Starts nothing. */
export async function restoreChecks(context: PlayContext, checks: readonly Step[], strategy: Strategy): Promise<void> {
  const { past } = context.run.input.record;
  const own = contextOfChecks(context, checks, past);
  const stopSignals = new StopSignals({ drain: STOPPED, abort: STOPPED, credentialsRefused: STOPPED });
  const control = { ...own.run.control, stopSignals };
  await checkOnce({ ...own, run: { ...own.run, control, count: () => undefined } }, 0, strategy);
}

/** Checks the remaining controllers of a batch, round after round, until the gate passes or fails. */
export async function runGate(gateRun: GateRun): Promise<GateEnd> {
  const { context, settings, number, gate } = gateRun;
  const { run, play } = context;
  const controllers = context.play.batch.filter((one) => run.fleet.isAlive(one));
  const { interval, passes, failures } = settings;
  const { batch } = number;
  run.emit({
    type: 'gate-started',
    play: play.name,
    batch,
    controllers,
    passes,
    failures,
    interval,
    source: gate.source,
  });
  const outcome = await rounds(gateRun, controllers);
  if (outcome.type === 'failed') return afterFailure(gateRun, outcome.failed);
  if (outcome.type === 'passed')
    run.emit({ type: 'gate-finished', play: play.name, batch, status: 'passed', action: 'continue' });
  return outcome;
}

type GateOutcome =
  | Exclude<GateEnd, { type: 'failed' }>
  | { readonly type: 'failed'; readonly failed: readonly FailedGateCheck[] };

async function rounds(gateRun: GateRun, controllers: readonly string[]): Promise<GateOutcome> {
  const { context, settings, number, strategy, gate } = gateRun;
  const { run, play } = context;
  // All controllers are stale. A gate that checks none of them proves nothing, so the next batch must not start.
  if (controllers.length === 0) return { type: 'failed', failed: [] };
  // An interrupted gate starts again.
  const past = run.input.record.past?.ofInterruptedGate();
  const checks = contextOfChecks({ ...context, play: { ...play, batch: controllers } }, gate.checks, past);
  const tally = new GateTally(settings);
  // Each round adds to the consecutive passes or to the failures, and both are limited.
  for (let round = 1; ; round++) {
    const failed = await checkOnce({ ...checks, isPatient: tally.isLastFailure }, round, strategy);
    const { isStopping, isInterrupted } = run.control.stopSignals;
    // After refused credentials no further round may start, so the failures so far decide.
    if (isInterrupted || (isStopping && failed.length === 0)) return { type: 'cut off' };
    const names = failed.map(({ controller }) => controller);
    run.emit({ type: 'gate-checked', play: play.name, batch: number.batch, round, failed: names });
    const verdict = tally.count(failed.length === 0);
    if (verdict === 'failed' || isStopping || failed.some(({ outcomeUnknown }) => outcomeUnknown))
      return { type: 'failed', failed };
    if (verdict === 'passed') return { type: 'passed' };
    await sleep(settings.interval, run.control.stopSignals.signal(false));
    if (run.control.stopSignals.isStopping) return { type: 'cut off' };
  }
}

/** Counts the rounds of a gate. A failed round resets the passes in a row; a passed one does not reset the failures. */
export class GateTally {
  #row = 0;
  #failed = 0;

  constructor(private readonly settings: Pick<GateSettings, 'passes' | 'failures'>) {}

  /** Whether the next failed round decides. */
  get isLastFailure(): boolean {
    return this.#failed + 1 >= this.settings.failures;
  }

  /** Counts a round: `open` if another one is needed. There are never more than `passes` × `failures`. */
  count(passed: boolean): 'open' | 'passed' | 'failed' {
    this.#row = passed ? this.#row + 1 : 0;
    if (!passed) this.#failed++;
    if (this.#failed >= this.settings.failures) return 'failed';
    return this.#row >= this.settings.passes ? 'passed' : 'open';
  }
}

/** Handles a failed gate as `on_fail` says, or as the user answers. */
async function afterFailure(gateRun: GateRun, failed: readonly FailedGateCheck[]): Promise<GateEnd> {
  const { context, number } = gateRun;
  const { run, play } = context;
  const reason = failedGate(number, failed);
  const action = await decide(gateRun, reason);
  if (action === 'cut off') return { type: 'cut off' };
  run.emit({ type: 'gate-finished', play: play.name, batch: number.batch, status: 'failed', action });
  if (action === 'continue') return { type: 'passed' };
  if (action === 'stop') return { type: 'failed', reason };
  // Few gates roll back.
  const { rollBackBatch } = await import('./batch_rollback.js');
  return { type: 'failed', reason: `${reason}; ${await rollBackBatch(gateRun)}` };
}

type GateDecision = 'continue' | Exclude<GateAction, 'pause'>;

function decide({ context: { run }, settings }: GateRun, reason: string): Promise<GateDecision | 'cut off'> {
  if (settings.onFail !== 'pause') return Promise.resolve(settings.onFail);
  return run.control.stopSignals.signal(false).aborted ? Promise.resolve('stop') : askUser(run, reason);
}

/** Maximum number of times that the user is asked. */
const MOST_TRIES = 5;

async function askUser(
  { input, emit, control: { stopSignals } }: GateRun['context']['run'],
  reason: string,
): Promise<GateDecision | 'cut off'> {
  const signal = stopSignals.signal(false);
  const choices: readonly GateDecision[] = [
    // After refused credentials, nothing new starts.
    ...(stopSignals.isStopping ? [] : (['continue'] as const)),
    'stop',
    ...(input.record.planRollback === undefined ? [] : (['rollback'] as const)),
  ];
  const offered = choices.map((one) => `(${one.slice(0, 1)})${one.slice(1)}`).join('/');
  let why = 'no answer was understood';
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const question = `${reason}. How to continue? ${offered}:`;
    const answer = await input.user.ask?.({ question, hidden: false }, signal);
    if (signal.aborted) return 'cut off';
    if (answer === undefined) {
      why = input.user.ask === undefined ? 'a program answers no questions' : 'stdin is not a terminal';
      break;
    }
    const typed = answer.trim().toLowerCase();
    const choice = choices.find((one) => typed !== '' && one.startsWith(typed));
    if (choice !== undefined) return choice;
  }
  emit({ type: 'warning', message: `${why}, so the rollout stops` });
  return 'stop';
}

export interface GateRun extends BatchRollback {
  /** The context of the whole batch. */
  readonly context: PlayContext;
  readonly gate: Gate;
  readonly settings: GateSettings;
  readonly strategy: Strategy;
}

/** The effect of a gate on the run; `cut off`: no result, because nothing new may start. */
export type GateEnd =
  | { readonly type: 'passed' }
  | { readonly type: 'cut off' }
  | { readonly type: 'failed'; readonly reason: string };
