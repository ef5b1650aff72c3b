import { relativeName } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import type { Diagnostic, Diagnostics } from '../core/model/source/diagnostic.js';
import { openKept, type KeptRequest, typedOptions } from '../launch/history/kept_request.js';
import { configOption, listedRun, whatText } from '../launch/history/listed_run.js';
import {
  findRollback,
  lifeOfProcess,
  requireNotUndone,
  stillRunning,
  whyNotEnded,
} from '../launch/history/run_life.js';
import type { LoadedRun } from '../launch/load/load_run.js';
import type { RunPorts } from '../launch/load/ports.js';
import { takeFingerprint } from '../launch/prepare/prepare_run.js';
import { earlierWorkspace, readFingerprint, toRunRequest } from '../launch/request/invocation.js';
import { runOptions, type RunOptions } from '../launch/request/run_request.js';
import { startRun, type RunOutcome } from '../launch/start/start_run.js';
import { listRuns } from '../record/journal/format/run_folders.js';
import { readHeader, type RunEnd } from '../record/journal/format/run_header.js';
import { commandLine } from '../reporting/text/words.js';
import { differencesSince, movedControllers, otherPlays } from './differences.js';

/** What a resume may change of the run's request. */
export interface ResumeRequest extends RunOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Resume although files, variables or the inventory have changed. */
  readonly force?: boolean | undefined;
}

export interface ResumeResult {
  readonly outcome: RunOutcome;
  /** The folder that file names in the outcome are relative to. */
  readonly cwd: string;
}

/** Finishes an interrupted run, under the same id. */
export async function resumeRun(options: ResumeRequest, ports: RunPorts): Promise<ResumeResult> {
  const opened = await openKept(options.run, ports, (earlier) => resumeKept(earlier, options, ports));
  return opened.status === 'ok' ? opened.value : { outcome: opened, cwd: ports.cwd };
}

async function resumeKept(earlier: KeptRequest, options: ResumeRequest, ports: RunPorts): Promise<ResumeResult> {
  const { kept, invocation } = earlier;
  const { force = false } = options;
  const refusals = resumeRefusals(earlier, options);
  const risks = refusals.length === 0 ? forcedRisks(earlier, force) : [];
  const isRefused = refusals.length > 0 || risks.some(({ severity }) => severity === 'error');
  const other = isRefused && options.run === 'last' ? await newestUnfinished(earlier) : [];
  if (refusals.length > 0)
    return { outcome: { status: 'refused', diagnostics: [...refusals, ...other] }, cwd: ports.cwd };
  const examine = (loaded: LoadedRun, diagnostics: Diagnostics): void => {
    const { then, now } = compareFingerprints(earlier, loaded, ports.version);
    const encrypted = new Set(
      force ? [] : [...loaded.reads.encrypted].map((file) => relativeName(file, invocation.cwd)),
    );
    const changes =
      then === undefined
        ? [`the inputs of run ${kept.header.id} are not recorded`]
        : differencesSince(then, now, encrypted);
    // --force accepts all of them at once, so all are listed.
    diagnostics.add(risks);
    diagnostics.add(changes.map((message) => ({ severity: force ? 'warning' : 'error', message })));
    diagnostics.add(movedControllers(kept, loaded));
    if (then !== undefined) diagnostics.add(otherPlays(then, now, earlier.outcome.begunPlays));
    if (changes.length > 0 && !force) diagnostics.add([cannotResume(kept.header.id)]);
    diagnostics.add(other);
  };
  // With --force the run continues with the project as it is now, and the next resume compares with this state.
  const fingerprint = (loaded: LoadedRun) =>
    force ? compareFingerprints(earlier, loaded, ports.version).now : undefined;
  const requireAsRead = () =>
    requireNotUndone(earlier.project.stateDirectory, kept.header, earlier.undoneBy, UNDONE_HINT);
  const typed = typedOptions(options, ports.cwd, invocation.cwd);
  const outcome = await startRun(
    { ...toRunRequest(invocation), ...runOptions(typed) },
    { ...ports, ...earlierWorkspace(invocation, ports) },
    { answers: invocation.answers, requireAsRead, resumed: { kept, examine, fingerprint } },
  );
  return { outcome, cwd: invocation.cwd };
}

/** `then` is undefined if the run recorded none. */
function compareFingerprints({ kept, invocation }: KeptRequest, loaded: LoadedRun, version: string) {
  const { fingerprint } = kept.inputs();
  const { cwd, fingerprintKey: key } = invocation;
  return { then: fingerprint && readFingerprint(fingerprint), now: takeFingerprint(loaded, { version, cwd, key }) };
}

function cannotResume(id: string): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} cannot be resumed, because its inputs have changed`,
    hint: `undo the changes, or pass --force: finished tasks and items stay finished, and new or changed ones run as they are now`,
  };
}

const UNDONE_HINT = 'run the playbook again, or pass --force to do only what the run had not done';

/** Why a run is resumed only with `--force`, beside changes of the project; with it, what the user should know. */
function forcedRisks({ kept: { header }, outcome, undoneBy }: KeptRequest, force: boolean): readonly Diagnostic[] {
  const running = outcome.finished === undefined ? whyNotEnded(header, force) : undefined;
  const risks = running === undefined ? [] : [running];
  if (undoneBy === undefined) return risks;
  const what = `run ${header.id} was rolled back by ${undoneBy}`;
  if (!force) return [...risks, refusal(`${what}: tasks that were rolled back would count as done`, UNDONE_HINT)];
  const message = `${what}: what it had done before is not done again`;
  return [{ severity: 'warning', message, hint: 'run the playbook again to do all of it' }];
}

/** The reasons in the journal why a run cannot be resumed, even with `--force`. */
function resumeRefusals(
  { project, kept: { header }, outcome }: KeptRequest,
  options: Pick<ResumeRequest, 'simulate'>,
): readonly Diagnostic[] {
  const { id, check, simulated } = header;
  const { finished } = outcome;
  const rerun = commandLine(['evenkeel', 'run', '--rerun', id, ...configOption(project)]);
  if (finished === undefined) {
    if (lifeOfProcess(header.process) === 'alive') return [stillRunning(header)];
  } else if (isDone(finished)) {
    const again = `${rerun} runs it again on the controllers that did not succeed`;
    // A later run that was killed as it began left no journal: the user may mean that one.
    const what = `run ${id}, "${whatText(listedRun(header, 'gone'))}", is finished`;
    return [refusal(`${what}: there is nothing to resume`, finished.status === 'ok' ? undefined : again)];
  }
  if (check) {
    // An interrupted check does not record which controllers it did not reach.
    const hint = finished === undefined ? 'start it again with its original command' : `${rerun} runs it again`;
    return [refusal(`run ${id} was a check: there is nothing to resume`, hint)];
  }
  if (options.simulate === true && !simulated) {
    const why = 'simulated writes would count as done';
    return [refusal(`run ${id} was not simulated and cannot be resumed with --simulate: ${why}`, 'omit --simulate')];
  }
  return [];
}

/** Names the run that the user may mean: after an interrupted run, `drift` or `plan` is the last one. */
async function newestUnfinished({ project, kept }: KeptRequest): Promise<readonly Diagnostic[]> {
  const { stateDirectory } = project;
  for (const id of await listRuns(stateDirectory)) {
    const header = await readHeader(stateDirectory, id).then(
      (file) => file.header,
      () => undefined,
    );
    if (header === undefined) continue;
    const isOpen = header.end === undefined ? lifeOfProcess(header.process) !== 'alive' : !isDone(header.end);
    if (!isOpen || header.check) continue;
    if (id === kept.header.id) break;
    // A resume would refuse it, too.
    if (header.end === undefined && whyNotEnded(header, false) !== undefined) continue;
    if ((await findRollback(stateDirectory, header)) !== undefined) continue;
    const hint = `to resume it: ${commandLine(['evenkeel', 'resume', id, ...configOption(project)])}`;
    return [
      {
        severity: 'warning',
        message: `"last" is not run ${id}, "${whatText(listedRun(header, 'gone'))}", the newest that did not finish`,
        hint,
      },
    ];
  }
  return [];
}

/** A run can be resumed after an interrupt, a failed gate, or a journal that could not be written. */
function isDone({ status, exitCode, unkept }: Pick<RunEnd, 'status' | 'exitCode' | 'unkept'>): boolean {
  return status !== 'interrupted' && exitCode !== EXIT.gated && unkept !== true;
}

function refusal(message: string, hint?: string): Diagnostic {
  return { severity: 'error', message, ...(hint !== undefined && { hint }) };
}
