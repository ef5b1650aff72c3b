import { JournalError } from '../journal/disk/journal_error.js';
import { nextRunId } from '../journal/disk/run_folders.js';
import { Diagnostics, type Diagnostic } from '../model/source/diagnostic.js';
import type { Event, RunFinished, Warning } from '../model/run/event.js';
import type { Secrets } from '../secrets/secrets.js';
import { placeText } from '../model/source/source.js';
import type { Mapping } from '../model/values/value.js';
import type { Module } from '../module/contract.js';
import { maskEvent } from '../secrets/mask_event.js';
import { answersTo } from '../app/load/answers.js';
import { lockControllers, FREE, type Permit } from '../app/lock/lock_controllers.js';
import { needsPlan } from '../app/run/consent.js';
import { execute, type Execution } from '../app/run/execute.js';
import { fingerprintOf } from '../app/load/fingerprint.js';
import { Remembered } from '../app/load/remembered_answers.js';
import type { SavedAnswer } from '../app/request/invocation.js';
import { invocationOf } from '../app/request/invocation_of.js';
import type { SelectedPlay } from '../cli/text/listing.js';
import { loadRun, type LoadedRun } from '../app/load/load_run.js';
import type { RunInput } from '../run/input/run_input.js';
import type { RunSettings } from '../app/request/options.js';
import { preflightErrors, type PreflightRequest } from '../app/run/preflight.js';
import { fromMapping } from '../cli/terminal/respond.js';
import { NO_EXEC } from '../programs/programs.js';
import { VERSION } from '../version.js';
import { checkTags } from '../app/load/known_tags.js';
import { selectPlays } from '../app/load/selection.js';
import { unlock } from '../app/load/decrypt_ahead.js';

export interface RunPlaybookOptions {
  /** Playbook files, relative to `cwd`. */
  readonly playbooks: readonly string[];
  /** Default: the working directory of the process. */
  readonly cwd?: string;
  /** Inventory sources; default: the environment's, or the project file's. */
  readonly inventory?: readonly string[];
  /** An environment of `evenkeel.yml`. Nobody is asked to confirm it: whoever calls this has decided. */
  readonly environment?: string;
  readonly limit?: string;
  readonly extraVars?: Mapping;
  /** To `vars_prompt`, by variable; where there is none, the prompt's default serves. */
  readonly answers?: Mapping;
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  readonly check?: boolean;
  /** Controllers at once; default: the project file's, or 50. */
  readonly forks?: number;
  /** In bytes: the largest value that a task may register; default: the project file's, or 16 MiB. */
  readonly maxRegistered?: number;
  readonly strategy?: 'host_pinned' | 'linear';
  /** The name, or a glob, of the first task to run. */
  readonly startAtTask?: string;
  /** Run notified handlers even on controllers that failed. */
  readonly forceHandlers?: boolean;
  readonly modulePath?: readonly string[];
  /** Modules besides those in files. `evenkeel resume` does not know them. */
  readonly modules?: readonly Module[];
  /** `label@file` or `file`, besides those of the project file. Nobody can be asked: not `label@prompt`. */
  readonly vaultIds?: readonly string[];
  /** Simulated controllers stand in for all of the inventory. */
  readonly simulate?: boolean;
  /** `n.n.n`: the API versions that simulated controllers accept; default: that of the inventory. */
  readonly apiVersions?: readonly string[];
  /** While other runs are at work on these controllers, wait until they are done; default: throw. */
  readonly wait?: boolean;
  /** Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Each event as it happens, secrets masked; warnings about what was loaded follow `run-started`. */
  readonly onEvent?: (event: Event) => void;
  /** From 4 on, events of requests hold their bodies, as with `-vvvv`. Default: 0. */
  readonly verbosity?: number;
  /** Aborted: writes under way finish and nothing new starts. */
  readonly signal?: AbortSignal;
}

/** The input cannot be understood; nothing was contacted. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(describe).join('\n'));
  }
}

function describe({ message, source, hint }: Diagnostic): string {
  const place = source === undefined ? '' : `${placeText(source)}: `;
  return `${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
}

/**
 * Runs playbooks as `evenkeel run` does, without printing anything. Failed controllers are in the result
 * (`exitCode`, `stats`), never an exception.
 *
 * @throws InvalidInputError with every mistake that was found, each with its place.
 */
export async function runPlaybook(options: RunPlaybookOptions): Promise<RunFinished> {
  const { playbooks, cwd = process.cwd(), env = process.env } = options;
  const diagnostics = new Diagnostics();
  const settings = settingsOf(options);
  const loaded = await loadRun(
    { type: 'files', files: playbooks },
    { ...settings, modules: options.modules },
    { cwd, env },
    diagnostics,
  );
  diagnostics.insistOn(NO_EXEC);
  if (loaded === undefined || diagnostics.failed()) throw new InvalidInputError(diagnostics.list);
  const remembered = new Remembered([], fromMapping(options.answers ?? {}));
  const answers = await answersTo(loaded, remembered.respond, diagnostics);
  const selected = diagnostics.failed() ? [] : selectPlays(loaded, { ...options, answers }, diagnostics);
  await checkTags(loaded, options, diagnostics);
  const refusal = await needsPlan(loaded, options);
  if (refusal !== undefined) diagnostics.error(refusal);
  if (diagnostics.failed()) throw new InvalidInputError(diagnostics.list);
  diagnostics.add((await preflightErrors(preflightRequest(loaded, answers, options))).errors);
  if (diagnostics.failed()) throw new InvalidInputError(diagnostics.list);
  await unlock(loaded, selected, diagnostics);
  const id = await nextRunId(loaded.target.project.stateDirectory);
  const permit = await permitFor(id, { loaded, selected, answers }, options);
  try {
    const asked = { settings, answers: remembered.given, cwd };
    const admitted = { id, loaded, answers, permit, keeping: keepingOf(playbooks, asked, loaded) };
    return await carryOut(admitted, warningsOf(diagnostics, id), options);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    throw new InvalidInputError([{ severity: 'error', message: error.message, hint: error.hint }]);
  } finally {
    await permit.release();
  }
}

function preflightRequest(
  loaded: LoadedRun,
  answers: RunInput['answers'],
  { tags = [], skipTags = [], startAtTask, forks, cwd = process.cwd(), check, simulate, signal }: RunPlaybookOptions,
): PreflightRequest {
  return {
    ...{ loaded, answers, tags, skipTags, startAtTask, forks, cwd },
    version: VERSION,
    check: check === true,
    diff: false,
    verbosity: 0,
    simulate: simulate === true,
    credentials: undefined,
    past: undefined,
    signal: signal ?? new AbortController().signal,
  };
}

/** @throws InvalidInputError if another run is at work on some of the controllers, or nobody can say. */
async function permitFor(
  run: string,
  work: {
    readonly loaded: LoadedRun;
    readonly selected: readonly SelectedPlay[];
    readonly answers: RunInput['answers'];
  },
  { playbooks, check, simulate, wait, env = process.env, signal }: RunPlaybookOptions,
): Promise<Permit> {
  const locked = await lockControllers({
    ...work,
    run,
    check: check === true,
    simulate: simulate === true,
    wait: wait === true,
    command: `runPlaybook ${playbooks.join(' ')}`,
    env,
    signal: signal ?? new AbortController().signal,
    tell: () => undefined,
  });
  if (locked.status === 'refused') throw new InvalidInputError(locked.diagnostics);
  // Interrupted, it begins nothing, and ends as every run that was interrupted.
  return locked.status === 'granted' ? locked.permit : FREE;
}

function settingsOf({ environment, extraVars, vaultIds, ...options }: RunPlaybookOptions): RunSettings {
  const { inventory, limit, modulePath, tags, skipTags, forks, maxRegistered, strategy } = options;
  const { startAtTask, forceHandlers, check, simulate, apiVersions: apiVersion } = options;
  return {
    ...{
      inventory,
      limit,
      modulePath,
      tags,
      skipTags,
      forks,
      maxRegistered,
      strategy,
      startAtTask,
      forceHandlers,
      check,
      simulate,
      apiVersion,
    },
    env: environment,
    extraVars: extraVars === undefined ? [] : [JSON.stringify(extraVars)],
    vaultId: vaultIds,
    verbosity: 0,
  };
}

interface Asked {
  readonly settings: RunSettings;
  readonly answers: readonly SavedAnswer[];
  readonly cwd: string;
}

/** What `evenkeel resume` needs to finish the run, should this process be cut off. */
function keepingOf(playbooks: readonly string[], asked: Asked, loaded: LoadedRun): Execution['keeping'] {
  const { settings: options, answers, cwd } = asked;
  const command = { type: 'run', playbooks } as const;
  const invocation = invocationOf({ command, options, loaded, answers, cwd });
  const fingerprint = fingerprintOf(loaded, { version: VERSION, cwd, key: invocation.fingerprintKey });
  return { command: 'run', argv: [], playbooks, invocation, fingerprint };
}

type Admitted = Pick<Execution, 'id' | 'loaded' | 'answers' | 'permit' | 'keeping'>;

/** What the command prints before a run. */
function warningsOf({ list }: Diagnostics, run: string): readonly Warning[] {
  const time = new Date().toISOString();
  return list
    .filter(({ severity }) => severity === 'warning')
    .map(({ message, source, hint }) => {
      const text = hint === undefined ? message : `${message} (${hint})`;
      return { type: 'warning', time, run, message: text, ...(source !== undefined && { source }) };
    });
}

/** @param warnings are reported once the run has started, which is what a listener learns first */
function telling(
  warnings: readonly Warning[],
  secrets: Secrets,
  onEvent: RunPlaybookOptions['onEvent'],
): (event: Event) => void {
  return (event) => {
    onEvent?.(event);
    if (event.type === 'run-started') for (const warning of warnings) onEvent?.(maskEvent(warning, secrets));
  };
}

/** On exit, only flushes the journal. */
function atExit(act: () => void): () => void {
  process.on('exit', act);
  return () => process.off('exit', act);
}

function carryOut(admitted: Admitted, warnings: readonly Warning[], options: RunPlaybookOptions): Promise<RunFinished> {
  const { cwd = process.cwd(), env = process.env, onEvent } = options;
  const { project, secrets } = admitted.loaded.target;
  const strategy = options.strategy ?? project.strategy;
  return execute({
    ...admitted,
    cwd,
    version: VERSION,
    tags: options.tags ?? [],
    skipTags: options.skipTags ?? [],
    forks: options.forks ?? project.forks,
    maxRegistered: options.maxRegistered ?? project.maxRegistered,
    strategy,
    startAtTask: options.startAtTask,
    forceHandlers: options.forceHandlers,
    check: options.check === true,
    diff: false,
    verbosity: options.verbosity ?? 0,
    simulate: options.simulate === true,
    apiVersions: options.apiVersions,
    credentials: undefined,
    secrets,
    env,
    emit: telling(warnings, secrets, onEvent),
    atExit,
    drain: options.signal ?? new AbortController().signal,
    abort: new AbortController().signal,
  });
}
