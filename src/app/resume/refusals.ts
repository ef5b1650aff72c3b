import type { RunHeader } from '../../journal/disk/run_header.js';
import type { RunFinished } from '../../model/run/event.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import { EXIT } from '../../cli/context.js';
import type { ResumeOptions } from '../request/options.js';
import { lifeOfProcess } from '../run/run_record.js';
import type { KeptAsked } from '../history/kept_request.js';
import { underWay } from '../history/under_way.js';

/** Why a run cannot be resumed, as far as its own records show. */
export function refusalsOf(
  { kept: { header }, outcome, undoneBy }: KeptAsked,
  options: ResumeOptions,
): readonly Diagnostic[] {
  const { id, check, simulated } = header;
  const { finished } = outcome;
  if (finished === undefined) {
    const running = stillRunning(header, options);
    if (running !== undefined) return [running];
  } else if (isDone(finished)) {
    return [isFinished(id, finished.status === 'ok')];
  }
  if (check) {
    // The journal of an interrupted run does not say which controllers it left out.
    const way =
      finished === undefined ? 'start it again with its original command' : `evenkeel run --rerun ${id} runs it again`;
    return [refusal(`run ${id} was a check: nothing of it is left half done`, way)];
  }
  if (options.simulate === true && !simulated) {
    const why = 'what simulated controllers take would count as done';
    return [refusal(`run ${id} was no rehearsal, and cannot be finished as one: ${why}`, 'leave --simulate out')];
  }
  if (undoneBy !== undefined && options.force !== true) {
    const why = 'what it has put back would count as done';
    const hint = 'run the playbook again, or pass --force to do only what the run had not done';
    return [refusal(`run ${id} was rolled back since, by ${undoneBy}: ${why}`, hint)];
  }
  return [];
}

function stillRunning(header: RunHeader, { force }: ResumeOptions): Diagnostic | undefined {
  const { id, process } = header;
  const life = lifeOfProcess(process);
  switch (life) {
    case 'alive':
      return underWay(header);
    case 'elsewhere':
      return force === true
        ? undefined
        : refusal(
            `run ${id} was begun on ${process.host}: whether it is still running cannot be seen from here`,
            'if it is not, pass --force',
          );
    case 'gone':
      return undefined;
    default:
      return life satisfies never;
  }
}

/** What the run itself offers to resume is not done: after an interrupt, a failed gate, or a journal that could not be written. */
function isDone({ status, exitCode, unkept }: RunFinished): boolean {
  return status !== 'interrupted' && exitCode !== EXIT.gated && unkept !== true;
}

function isFinished(id: string, wasFine: boolean): Diagnostic {
  const again = wasFine
    ? undefined
    : `evenkeel run --rerun ${id} runs it again on the controllers that did not succeed`;
  return refusal(`run ${id} is finished: nothing is left`, again);
}

function refusal(message: string, hint?: string): Diagnostic {
  return { severity: 'error', message, ...(hint !== undefined && { hint }) };
}
