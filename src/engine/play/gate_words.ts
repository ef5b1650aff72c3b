import type { BatchNumber } from './batch_run.js';
import type { FailedGateCheck } from './gate_round.js';

const MOST_NAMES = 3;
const MOST_CHECKS = 2;

/** `the gate of batch 1 of 3 failed: "Portal answers" on lb1, lb2`; without `serial`, `the gate of the play`. */
export function failedGate(number: BatchNumber, failed: readonly FailedGateCheck[]): string {
  return `the gate of ${batchText(number)} failed${failed.length === 0 ? '' : `: ${checksText(failed)}`}`;
}

function batchText({ batch, batches }: BatchNumber): string {
  return batches === 1 ? 'the play' : `batch ${batch} of ${batches}`;
}

function checksText(failed: readonly FailedGateCheck[]): string {
  const checks = [...new Set(failed.map(({ check }) => check))];
  const texts = checks.map((check) => {
    const names = failed.filter((one) => one.check === check).map(({ controller }) => controller);
    return `"${check}" on ${some(names, MOST_NAMES)}`;
  });
  return some(texts, MOST_CHECKS);
}

/** `a, b and 4 more` */
export function some(texts: readonly string[], most = MOST_NAMES): string {
  if (texts.length <= most) return texts.join(', ');
  return `${texts.slice(0, most).join(', ')} and ${texts.length - most} more`;
}
