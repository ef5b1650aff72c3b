import { GROUPS_HINT } from '../../core/model/inventory/pattern.js';
import { everyStep, sectionSteps, type Play, type Playbook } from '../../core/model/playbook/playbook.js';
import type { Step } from '../../core/model/playbook/step.js';
import { DEFAULT_FORKS, type ForkCount } from '../../core/model/run/choices.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { ReadyPlay } from '../../engine/input/ready_play.js';
import { ENGINE_OPTIONS, type OnResult, type RunSettings, type RunSources } from '../../engine/input/run_input.js';
import {
  gateSelection,
  selectSections,
  selectSteps,
  startingAt,
  type TagSelection,
} from '../../engine/keywords/selected_steps.js';
import { selectReadyPlays } from '../../engine/play/ready_plays.js';
import type { KeptRun } from '../../record/journal/read/read_run.js';
import type { Fingerprint, Invocation } from '../request/invocation.js';
import { picked, type RunRequest } from '../request/run_request.js';
import type { LoadedRun } from './load_run.js';
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
  /** Rejects with a `JournalError` if the run that is resumed or repeated went on, or was rolled back, since it was read. */
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

/** A play with its controllers and the steps that the tags select. */
export interface SelectedPlay extends ReadyPlay {
  readonly steps: readonly Step[];
  /** The checks of its gate. */
  readonly checks: readonly Step[];
  /** Its controllers with those of the other shards. Absent: this run has the whole fleet. */
  readonly ofAllShards?: readonly string[] | undefined;
}

export interface SelectionOptions {
  readonly tags?: readonly string[] | undefined;
  readonly skipTags?: readonly string[] | undefined;
  readonly startAtTask?: string | undefined;
  /** Answers to `vars_prompt`, which `hosts` can use. */
  readonly answers?: ReadonlyMap<Play, VariableLayer> | undefined;
}

/** What the plays, the limit and the tags select: for listings, for confirmation, and to refuse a run without work. */
export function selectPlays(
  { playbooks, target: { inventory, limit, shard, limitOfAllShards, extraVars, library } }: LoadedRun,
  { tags = [], skipTags = [], startAtTask, answers }: SelectionOptions,
  diagnostics: Diagnostics,
): readonly SelectedPlay[] {
  const before = diagnostics.list.length;
  const plays = selectReadyPlays(
    { playbooks, inventory, limit: shard === undefined ? limit : limitOfAllShards, extraVars, library, answers },
    diagnostics,
  );
  const selected = plays.map((ready) => ({
    ...ready,
    ...(shard !== undefined && {
      controllers: ready.controllers.filter((name) => limit?.has(name) !== false),
      ofAllShards: ready.controllers,
    }),
    steps: sectionSteps(selectSections(ready.play, { tags, skipTags })),
    checks: selectSteps(ready.play.gate?.checks ?? [], gateSelection({ tags, skipTags })),
  }));
  // A plan of a shard without controllers is applied to none.
  const isEmptyShard = shard !== undefined && limitOfAllShards?.size === 0;
  if (!isEmptyShard && plays.every(({ controllers }) => controllers.length === 0)) {
    const patterns = selected.map(({ pattern, play }) => `"${pattern === '' ? play.hosts.value : pattern}"`).join(', ');
    const isKnown = limit !== undefined || diagnostics.list.some(({ hint: one }) => one === GROUPS_HINT);
    const hint = isKnown ? undefined : GROUPS_HINT;
    const within = limit === undefined ? '' : ' within the limit';
    if (selected.length > 0 && diagnostics.list.length === before && inventory.partial !== true)
      diagnostics.error(`no controller matches ${patterns}${within}`, undefined, hint);
  }
  if (startAtTask !== undefined) checkStart(startAtTask, playbooks, { tags, skipTags }, diagnostics);
  return selected;
}

export function selectedControllers(selected: readonly SelectedPlay[]): ReadonlySet<string> {
  return new Set(selected.flatMap(({ controllers }) => controllers));
}

/** Refuses a `--start-at-task` that matches no task: the run would do nothing. */
function checkStart(
  name: string,
  playbooks: readonly Playbook[],
  selection: TagSelection,
  diagnostics: Diagnostics,
): void {
  const plays = playbooks.flatMap((playbook) => playbook.plays.map((play) => selectSections(play, selection)));
  if (plays.some((play) => startingAt(play, name) !== undefined)) return;
  const names = plays.flatMap((play) => [...everyStep(sectionSteps(play))].flatMap(stepNames));
  diagnostics.error(
    `--start-at-task: no task of this run is called "${name}"`,
    undefined,
    didYouMean(name, names) ??
      '--list-tasks shows the names; files that are included during the run cannot be searched',
  );
}

function stepNames(step: Step): readonly string[] {
  return step.type === 'role' || step.type === 'block' || step.name === undefined ? [] : [step.name.value];
}
