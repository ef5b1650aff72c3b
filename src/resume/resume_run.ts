import type { Diagnostic, Diagnostics } from '../core/model/source/diagnostic.js';
import { openKept, type KeptRequest } from '../launch/history/kept_request.js';
import { fingerprintOf } from '../launch/load/fingerprint.js';
import type { LoadedRun } from '../launch/load/load_run.js';
import type { RunPorts } from '../launch/load/ports.js';
import { readFingerprint, requestOf, type Fingerprint } from '../launch/request/invocation.js';
import { runOptions, type RunOptions } from '../launch/request/run_request.js';
import { typedOptions } from '../launch/request/typed_options.js';
import { workspaceOf } from '../launch/request/workspace.js';
import { startRun, type RunOutcome } from '../launch/start/start_run.js';
import { differences, movedControllers, otherPlays } from './differences.js';
import { resumeRefusals } from './refusals.js';

/** What a resume may change of the run's request. */
export interface ResumeOptions extends RunOptions {
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
export async function resumeRun(options: ResumeOptions, ports: RunPorts): Promise<ResumeResult> {
  const opened = await openKept(options.run, ports, (earlier) => resumeKept(earlier, options, ports));
  return opened.status === 'ok' ? opened.value : { outcome: opened, cwd: ports.cwd };
}

async function resumeKept(earlier: KeptRequest, options: ResumeOptions, ports: RunPorts): Promise<ResumeResult> {
  const { kept, invocation } = earlier;
  const { force = false } = options;
  const refusals = resumeRefusals(earlier, { force, simulate: options.simulate });
  if (refusals.length > 0) return { outcome: { status: 'refused', diagnostics: refusals }, cwd: ports.cwd };
  const examine = (loaded: LoadedRun, diagnostics: Diagnostics): void => {
    const { then, now } = fingerprintsOf(earlier, loaded, ports.version);
    const changes = then === undefined ? [unknownFingerprint(kept.header.id)] : differences(then, now);
    diagnostics.add(changes.map((message) => ({ severity: force ? 'warning' : 'error', message })));
    diagnostics.add(movedControllers(kept, loaded));
    if (then !== undefined) diagnostics.add(otherPlays(then, now, earlier.outcome.begunPlays));
    if (changes.length > 0 && !force) diagnostics.add([cannotResume(kept.header.id)]);
  };
  // With --force the run continues with the project as it is now, and the next resume compares with this state.
  const fingerprint = (loaded: LoadedRun) => (force ? fingerprintsOf(earlier, loaded, ports.version).now : undefined);
  const typed = typedOptions(options, ports.cwd, invocation.cwd);
  const outcome = await startRun(
    { ...requestOf(invocation), ...runOptions(typed) },
    { ...ports, ...workspaceOf(invocation, ports) },
    { answers: invocation.answers, resumed: { kept, examine, fingerprint } },
  );
  return { outcome, cwd: invocation.cwd };
}

interface Fingerprints {
  /** Undefined if the run recorded none. */
  readonly then: Fingerprint | undefined;
  readonly now: Fingerprint;
}

function fingerprintsOf({ kept, invocation }: KeptRequest, loaded: LoadedRun, version: string): Fingerprints {
  const { fingerprint } = kept.header;
  const { cwd, fingerprintKey: key } = invocation;
  return {
    then: fingerprint && readFingerprint(fingerprint),
    now: fingerprintOf(loaded, { version, cwd, key }),
  };
}

function unknownFingerprint(id: string): string {
  return `the inputs of run ${id} are not recorded`;
}

function cannotResume(id: string): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} cannot be resumed, because its inputs have changed`,
    hint: `undo the changes, or pass --force: finished tasks and items stay finished, and new or changed ones run as they are now`,
  };
}
