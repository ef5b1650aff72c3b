import { DEFAULT_FORKS, type ForkCount } from '../../core/model/run/choices.js';
import { ENGINE_OPTIONS, type OnResult, type RunSettings, type RunSources } from '../../engine/input/run_input.js';
import type { KeptRun } from '../../record/journal/read/read_run.js';
import type { Fingerprint, Invocation } from '../request/invocation.js';
import { picked, type RunRequest } from '../request/run_request.js';
import type { LoadedRun } from './load_run.js';
import type { SelectedPlay } from './selection.js';
import type { LoadedTarget } from './target.js';

/** A run with everything read, checked and selected. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly loaded: LoadedRun;
  readonly selected: readonly SelectedPlay[];
  /** Answers to `vars_prompt`. */
  readonly answers?: RunSources['answers'];
  /** A short description of what is run. */
  readonly label: string;
  readonly journalOptions: PreparedJournal;
  /** Called with the values of each task, or item of a loop. They are not masked, so do not output them. */
  readonly onResult?: OnResult | undefined;
  /** The user has reviewed and confirmed the run. */
  readonly confirmed?: boolean;
}

/** What the journal keeps of a run besides its events. */
export interface PreparedJournal {
  /** Absent: a resume keeps the existing one. */
  readonly invocation?: Invocation | undefined;
  /** Absent: a resume keeps the existing one. */
  readonly fingerprint?: Fingerprint | undefined;
  /** The run that is resumed. Absent: a new run. */
  readonly kept?: KeptRun | undefined;
  /** Rejects with a `JournalError` if the resumed run was rolled back since it was read. */
  readonly requireAsRead?: (() => Promise<void>) | undefined;
  /** In a rollback: the original run, and its playbooks. */
  readonly undoes?: string | undefined;
  readonly playbooks?: readonly string[] | undefined;
  /** False: there is no journal, but simulated controllers still keep their state. */
  readonly isKept?: boolean | undefined;
}

/** The state folder of a run; undefined if it keeps nothing. */
export function stateFolder({ request, loaded }: Pick<PreparedRun, 'request' | 'loaded'>): string | undefined {
  return request.state === false ? undefined : loaded.target.project.stateDirectory;
}

/** The values of the request, otherwise of the project file. */
export function effectiveOptions(
  { forks, check, readOnly, maxRegistered, strategy }: RunRequest,
  { project }: Pick<LoadedTarget, 'project'>,
): { readonly forks: ForkCount; readonly maxRegistered: number; readonly strategy: RunRequest['strategy'] } {
  return {
    // While a run writes, few controllers are in the middle of a write when something goes wrong.
    forks: forks ?? project.forks ?? (check === true || readOnly === true ? 'auto' : DEFAULT_FORKS),
    maxRegistered: maxRegistered ?? project.maxRegistered,
    strategy: strategy ?? project.strategy,
  };
}

/** How tasks run. */
export function runSettings({
  request,
  loaded,
}: Pick<PreparedRun, 'request' | 'loaded'>): RunSettings & { readonly maxRegistered: number } {
  const { strategy: chosen, ...shared } = effectiveOptions(request, loaded.target);
  const strategy = request.step === true ? 'linear' : chosen;
  return {
    ...shared,
    ...picked(request, ENGINE_OPTIONS),
    strategy: strategy === 'free' ? 'host_pinned' : strategy,
    check: request.check === true,
    diff: request.diff !== undefined,
    verbosity: request.verbosity ?? 0,
    results: request.command.type === 'task',
  };
}
