import { createHmac, randomBytes } from 'node:crypto';
import { relativeName } from '../../core/files/paths.js';
import { shardText } from '../../core/model/run/shard.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { ProjectSources } from '../../project/document/project_sources.js';
import { adHocPlaybook } from '../../project/playbook/ad_hoc.js';
import type { KeptRun } from '../../record/journal/read/read_run.js';
import { answersTo, RememberedAnswers } from '../load/answers.js';
import { reportWrongTerms } from '../load/limits.js';
import { type LoadedRun, loadRun, type PlaybookSource } from '../load/load_run.js';
import type { RunPorts } from '../load/ports.js';
import { effectiveOptions, selectedControllers, selectPlays } from '../load/prepared_run.js';
import type { PreparedJournal, PreparedRun } from '../load/prepared_run.js';
import type { LoadingWorkspace } from '../load/target.js';
import type { Fingerprint, Invocation, SavedAnswer } from '../request/invocation.js';
import { type Command, keptRequest, type Refused, refusedBy, type RunRequest } from '../request/run_request.js';

/** The earlier run that is continued or repeated. */
export interface RequestOrigin {
  /** Its answers to `vars_prompt`, which are not asked again. */
  readonly answers?: readonly SavedAnswer[] | undefined;
  /** Absent: a new run. */
  readonly resumed?: Resumed | undefined;
  readonly requireAsRead?: PreparedJournal['requireAsRead'];
  /** Keeps what is read, for a plan. */
  readonly sources?: ProjectSources | undefined;
}

interface Resumed {
  readonly kept: KeptRun;
  /** Reports why the run cannot be resumed, once everything is loaded. */
  readonly examine: (loaded: LoadedRun, diagnostics: Diagnostics) => void;
  /** The new fingerprint; undefined: the recorded one stays. */
  readonly fingerprint: (loaded: LoadedRun) => PreparedJournal['fingerprint'];
}

export type Preparation = { readonly status: 'ready'; readonly run: PreparedRun } | Refused;

/** Reads everything and asks the user's questions. Contacts nothing. */
export async function prepareRun(
  request: RunRequest,
  ports: RunPorts,
  origin: RequestOrigin = {},
): Promise<Preparation> {
  const { answers = [], resumed, sources, requireAsRead } = origin;
  const { command } = request;
  const diagnostics = new Diagnostics();
  checkStep(request, ports, diagnostics);
  diagnostics.add((await ports.report.prepare?.()) ?? []);
  const workspace = { ...ports, askSecret: ports.user.askSecret, sources };
  const loaded = await loadRequest(request, workspace, diagnostics);
  diagnostics.requireExecution();
  if (loaded !== undefined && resumed === undefined) checkPattern(request, loaded, diagnostics);
  if (loaded !== undefined) checkGates(request, loaded, diagnostics);
  if (loaded !== undefined && !diagnostics.failed()) resumed?.examine(loaded, diagnostics);
  if (loaded === undefined || diagnostics.failed()) return refusedBy(diagnostics);
  diagnostics.add(ports.user.checkPrompts?.(loaded.playbooks) ?? []);
  const remembered = new RememberedAnswers(answers, ports.user.answer);
  const answered = await answersTo(loaded, remembered.respond, diagnostics);
  if (diagnostics.failed()) return refusedBy(diagnostics);
  const selected = selectPlays(loaded, { ...request, answers: answered }, diagnostics);
  if (loaded.target.shard !== undefined && !diagnostics.failed()) {
    const { checkShard } = await import('./check_shard.js');
    await checkShard({ loaded, selected, answers: answered }, diagnostics);
  }
  if (resumed === undefined && (request.tags ?? request.skipTags) !== undefined) {
    const { checkTags } = await import('../load/known_tags.js');
    await checkTags(loaded, request, diagnostics);
  }
  if (diagnostics.failed()) return refusedBy(diagnostics);
  ports.report.warnings(diagnostics.list, ports.cwd);
  const { shard } = loaded.target;
  if (shard !== undefined && selectedControllers(selected).size === 0)
    ports.report.notice(`shard ${shardText(shard)} has none of these controllers`, 'always');
  const kept =
    resumed === undefined
      ? newJournalOptions(request, loaded, remembered.given, ports)
      : { kept: resumed.kept, fingerprint: resumed.fingerprint(loaded) };
  const journalOptions = { ...kept, requireAsRead };
  const confirmed = resumed !== undefined && command.type === 'rollback';
  const run = { request, loaded, selected, answers: answered, label: commandLabel(command), journalOptions, confirmed };
  return { status: 'ready', run };
}

/** `--step` asks before each task, which only `linear` can do. */
function checkStep({ step, strategy }: RunRequest, { user }: RunPorts, diagnostics: Diagnostics): void {
  if (step !== true) return;
  diagnostics.add(user.stepProblems);
  if (strategy !== undefined && strategy !== 'linear')
    diagnostics.error(`--step runs task by task: it cannot be used with --strategy ${strategy}`);
}

/** Checks the pattern of `evenkeel task` like `--limit`. A rerun has its own controllers. */
function checkPattern(
  { command, within }: RunRequest,
  { target: { inventory } }: LoadedRun,
  diagnostics: Diagnostics,
): void {
  if (command.type !== 'task' || within !== undefined) return;
  const { pattern } = command;
  if (!hasTemplate(pattern)) reportWrongTerms(inventory, 'task', [{ pattern, source: undefined }], diagnostics);
}

/** Without a journal, a failed batch could not be rolled back. */
function checkGates({ state }: RunRequest, { playbooks }: LoadedRun, diagnostics: Diagnostics): void {
  if (state !== false) return;
  for (const { gate } of playbooks.flatMap(({ plays }) => plays)) {
    if (gate?.onFail?.value === 'rollback')
      diagnostics.error('on_fail: rollback needs a journal, but this run keeps none', gate.onFail.source);
  }
}

/** Reads and checks what a request names. */
export async function loadRequest(
  request: RunRequest,
  workspace: LoadingWorkspace & Pick<RunPorts, 'modules'>,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  const { command } = request;
  const options = { ...request, modules: workspace.modules };
  switch (command.type) {
    case 'run':
      return loadRun({ type: 'files', files: command.playbooks }, options, workspace, diagnostics);
    case 'task':
      return loadRun(taskPlaybook(command, workspace.cwd, diagnostics), options, workspace, diagnostics);
    case 'rollback': {
      const { loadRollbackAgain } = await import('../undo/load_rollback.js');
      return loadRollbackAgain(command, request, workspace, diagnostics);
    }
    case 'apply': {
      const { loadPlanned } = await import('../planned/open_plan.js');
      return loadPlanned(command, options, workspace, diagnostics);
    }
  }
}

function taskPlaybook(
  { pattern, module, args }: Extract<Command, { type: 'task' }>,
  cwd: string,
  diagnostics: Diagnostics,
): PlaybookSource {
  return {
    type: 'made',
    make: ({ library, vault, sources }, catalogue) =>
      adHocPlaybook({ pattern, module, args, cwd, catalogue, diagnostics, library, vault, sources }),
  };
}

/** What a resume needs to start the same run again. */
export function newJournalOptions(
  request: RunRequest,
  loaded: LoadedRun,
  answers: readonly SavedAnswer[],
  { cwd, version }: Pick<RunPorts, 'cwd' | 'version'>,
): Required<Pick<PreparedJournal, 'invocation' | 'fingerprint'>> {
  const invocation = describeInvocation(request, loaded, answers, cwd);
  return { invocation, fingerprint: takeFingerprint(loaded, { version, cwd, key: invocation.fingerprintKey }) };
}

/**
 * The request with the settings of environment variables and the project file, so that it means the same in any folder.
 */
export function describeInvocation(
  request: RunRequest,
  { target, rollback }: LoadedRun,
  answers: readonly SavedAnswer[],
  cwd: string,
): Invocation {
  const { project, environment, limitPattern, library } = target;
  const { limit } = rollback ?? target;
  const inventory = request.inventory ?? environment?.inventory ?? project.inventory;
  const { strategy, ...chosen } = effectiveOptions(request, target);
  return {
    ...keptRequest({ ...request, limit: undefined }),
    cwd,
    fingerprintKey: randomBytes(32).toString('base64url'),
    ...(project.named !== undefined && { config: project.named }),
    ...(library.withheld !== undefined && { noExec: true }),
    ...(inventory !== undefined && { inventory }),
    ...(limitPattern !== undefined && { limit: limitPattern }),
    ...(target.shard !== undefined && { shard: shardText(target.shard) }),
    ...(limit !== undefined && { limitedTo: [...limit] }),
    modulePath: request.modulePath ?? project.modulePaths,
    ...chosen,
    ...(strategy !== undefined && { strategy }),
    answers: [...answers],
  };
}

function commandLabel(command: Command): string {
  switch (command.type) {
    case 'run':
      return command.playbooks.join(' ');
    case 'task':
      return command.module;
    case 'rollback':
      return command.run;
    case 'apply':
      return `plan ${command.plan}`;
  }
}

interface FingerprintOptions {
  readonly version: string;
  readonly cwd: string;
  /** Only fingerprints with the same key can be compared. */
  readonly key: string;
}

/**
 * Does not include files whose names depend on a controller's variables (`include_tasks` with a template), because it
 * is computed before the run.
 */
export function takeFingerprint(
  { target, reads, playbooks, rollback }: LoadedRun,
  { version, cwd, key }: FingerprintOptions,
): Fingerprint {
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const keyed = (of: readonly (readonly [string, string])[]): Record<string, string> =>
    Object.fromEntries(of.map(([name, plain]) => [name, digest(plain)]));
  const { inventory } = target;
  return {
    version,
    files: keyed([...reads.files].map(([file, digest]) => [relativeName(file, cwd), digest])),
    programs: keyed([...reads.programs]),
    controllers: [...inventory.controllers.keys()].filter((name) => rollback?.added.includes(name) !== true),
    plays: playbooks.flatMap(({ plays }) =>
      plays.map(({ name, hosts }) => digest(JSON.stringify([name ?? null, hosts.value]))),
    ),
  };
}
