import { EXIT } from '../core/model/exit_code.js';
import type { RunFinished } from '../core/model/run/event.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import type { KeptRequest } from '../launch/history/kept_request.js';
import { lifeOfProcess, stillRunning } from '../launch/history/run_life.js';
import type { RunHeader } from '../record/journal/disk/run_header.js';

/** The options of a resume that decide whether the run can be resumed. */
interface ResumeChoice {
  readonly force: boolean;
  readonly simulate?: boolean | undefined;
}

/** The reasons in the journal why a run cannot be resumed. */
export function resumeRefusals(
  { kept: { header }, outcome, undoneBy }: KeptRequest,
  options: ResumeChoice,
): readonly Diagnostic[] {
  const { id, check, simulated } = header;
  const { finished } = outcome;
  if (finished === undefined) {
    const running = runningRefusal(header, options);
    if (running !== undefined) return [running];
  } else if (isDone(finished)) {
    return [isFinished(id, finished.status === 'ok')];
  }
  if (check) {
    // An interrupted check does not record which controllers it did not reach.
    const hint =
      finished === undefined ? 'start it again with its original command' : `evenkeel run --rerun ${id} runs it again`;
    return [refusal(`run ${id} was a check: there is nothing to resume`, hint)];
  }
  if (options.simulate === true && !simulated) {
    const why = 'simulated writes would count as done';
    return [refusal(`run ${id} was not simulated and cannot be resumed with --simulate: ${why}`, 'omit --simulate')];
  }
  if (undoneBy !== undefined && !options.force) {
    const why = 'tasks that were rolled back would count as done';
    const hint = 'run the playbook again, or pass --force to do only what the run had not done';
    return [refusal(`run ${id} was rolled back by ${undoneBy}: ${why}`, hint)];
  }
  return [];
}

function runningRefusal(header: RunHeader, { force }: ResumeChoice): Diagnostic | undefined {
  const { id, process } = header;
  const life = lifeOfProcess(process);
  switch (life) {
    case 'alive':
      return stillRunning(header);
    case 'elsewhere':
      return force
        ? undefined
        : refusal(
            `run ${id} was started on ${process.host}: this machine cannot see whether it is still running`,
            'if it has ended, pass --force',
          );
    case 'gone':
      return undefined;
    default:
      return life satisfies never;
  }
}

/** A run can be resumed after an interrupt, a failed gate, or a journal that could not be written. */
function isDone({ status, exitCode, unkept }: RunFinished): boolean {
  return status !== 'interrupted' && exitCode !== EXIT.gated && unkept !== true;
}

function isFinished(id: string, wasFine: boolean): Diagnostic {
  const hint = wasFine ? undefined : `evenkeel run --rerun ${id} runs it again on the controllers that did not succeed`;
  return refusal(`run ${id} is finished: there is nothing to resume`, hint);
}

function refusal(message: string, hint?: string): Diagnostic {
  return { severity: 'error', message, ...(hint !== undefined && { hint }) };
}
