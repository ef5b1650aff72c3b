import type { GateAction } from '../../model/playbook/playbook.js';
import { rollBack } from './batch_rollback.js';
import type { FailedCheck } from './gate_round.js';
import { failedGate } from './gate_words.js';
import type { GateEnd, StandingGate } from './standing_gate.js';

/** What follows from a gate that failed: what `on_fail` says, or the user. */
export async function afterFailure(standing: StandingGate, failed: readonly FailedCheck[]): Promise<GateEnd> {
  const { context, number } = standing;
  const { run, name: play } = context;
  const reason = failedGate(number, failed);
  const action = await decide(standing, reason);
  if (action === 'cut off') return { type: 'cut off' };
  run.emit({ type: 'gate-finished', play, batch: number.batch, status: 'failed', action });
  switch (action) {
    case 'continue':
      return { type: 'passed' };
    case 'stop':
      return { type: 'failed', reason };
    case 'rollback':
      return { type: 'failed', reason: `${reason}; ${await rollBack(standing)}` };
    default:
      return action satisfies never;
  }
}

type Decision = 'continue' | Exclude<GateAction, 'pause'>;

function decide({ context: { run }, settings }: StandingGate, reason: string): Promise<Decision | 'cut off'> {
  // With refused credentials nothing can be put back, and nothing can go on.
  if (run.brake.applied) return Promise.resolve('stop');
  return settings.onFail === 'pause' ? askUser(run, reason) : Promise.resolve(settings.onFail);
}

/** How often somebody may type something else. */
const MOST_TRIES = 5;

async function askUser(
  { input, brake, emit }: StandingGate['context']['run'],
  reason: string,
): Promise<Decision | 'cut off'> {
  const choices: readonly Decision[] =
    input.planRollback === undefined ? ['continue', 'stop'] : ['continue', 'stop', 'rollback'];
  const offered = choices.map((one) => `(${one.slice(0, 1)})${one.slice(1)}`).join('/');
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const question = `${reason}. How to go on? ${offered}:`;
    const answer = await input.ask?.({ question, hidden: false }, brake.signal(false));
    if (brake.applied) return 'cut off';
    if (answer === undefined) break;
    const typed = answer.trim().toLowerCase();
    const choice = choices.find((one) => typed !== '' && one.startsWith(typed));
    if (choice !== undefined) return choice;
  }
  emit({ type: 'warning', message: 'nobody is there to say how to go on: the rollout stops' });
  return 'stop';
}
