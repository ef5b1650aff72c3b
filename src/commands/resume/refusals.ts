import type { Diagnostic } from '../../model/diagnostic.js';
import type { ProcessIdentity } from '../../model/process_identity.js';
import { EXIT } from '../context.js';
import type { ResumeOptions } from '../options.js';
import { lifeOfProcess } from '../run_record.js';
import type { KeptAsked } from './open_kept.js';

/** What speaks against going on with a run, as far as the run itself tells. */
export function refusalsOf(
  { kept: { header }, outcome, undoneBy }: KeptAsked,
  options: ResumeOptions,
): readonly Diagnostic[] {
  const { id, check, simulated, process } = header;
  const { finished } = outcome;
  if (finished === undefined) {
    const running = stillRunning(id, process, options);
    if (running !== undefined) return [running];
  } else if (finished.status !== 'interrupted' && finished.exitCode !== EXIT.gated) {
    return [isFinished(id, finished.status === 'ok')];
  }
  if (check)
    return [
      refusal(`run ${id} was a check: nothing of it is left half done`, `evenkeel run --rerun ${id} starts anew`),
    ];
  if (options.simulate === true && !simulated) {
    const why = 'what simulated controllers take would count as done';
    return [refusal(`run ${id} was no rehearsal, and cannot be finished as one: ${why}`, 'leave --simulate out')];
  }
  if (undoneBy !== undefined && options.force !== true) {
    const why = 'what it has put back would count as done';
    const hint = 'run the playbook anew; or pass --force: only what the run had not done yet is done';
    return [refusal(`run ${id} was rolled back since, by ${undoneBy}: ${why}`, hint)];
  }
  return [];
}

function stillRunning(id: string, process: ProcessIdentity, { force }: ResumeOptions): Diagnostic | undefined {
  const life = lifeOfProcess(process);
  switch (life) {
    case 'alive':
      return refusal(`run ${id} is still running (process ${process.pid})`);
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

function isFinished(id: string, wasFine: boolean): Diagnostic {
  const again = wasFine ? undefined : `evenkeel run --rerun ${id} starts anew on the controllers that did not make it`;
  return refusal(`run ${id} is finished: nothing is left`, again);
}

function refusal(message: string, hint?: string): Diagnostic {
  return { severity: 'error', message, ...(hint !== undefined && { hint }) };
}
