import { allSteps, tasksIn } from '../core/model/playbook/playbook.js';
import { SCHEMA_VERSION, type Event, type RunFinished } from '../core/model/run/event.js';
import { shardText } from '../core/model/run/shard.js';
import { errorMessage } from '../core/model/source/diagnostic.js';
import type { RunContext } from './context/task_run.js';
import { stamped, stopwatch } from './control/clock.js';
import type { ReadyPlay } from './input/ready_play.js';
import { mostForks, type RunInput } from './input/run_input.js';
import { newRunState } from './play/batch_run.js';
import { runPlay } from './play/play_run.js';
import { selectAgain } from './play/ready_plays.js';
import { judgeEnding, StatsFold } from './recap.js';
import type { FollowedPlan } from './resource/followed_plan.js';

/** Runs playbooks on their controllers and emits events. Resolves with the last event. */
export async function run(input: RunInput, emit: (event: Event) => void): Promise<RunFinished> {
  const seconds = stopwatch();
  const { plays } = input.selection;
  const stats = new StatsFold(controllersIn(plays));
  const stamp = stamped(input.identity.id, emit);
  const context: RunContext = {
    input,
    emit: (event) => {
      if (event.type === 'task-finished') stats.add(event);
      stamp(event);
    },
    count: (task) => stats.add(task),
    ...(await newRunState(input, await followedPlan(input))),
  };
  emitStarted(context);
  const { unfinished, reason, gated = false } = await recordedPlays(context);
  const broken = whyAborted(input.record.journal?.broken);
  const refused = unfinished.length > 0 ? whyAborted(input.stops.credentialsRefused) : undefined;
  // A failure of a task or a batch after an interrupt may be caused by the interrupt, so it is not another reason.
  const { isInterrupted: interrupted } = context.control.stopSignals;
  const why = interrupted && !gated ? broken : (reason ?? broken ?? refused);
  const cutOff = unfinished.filter((name) => context.fleet.hasStarted(name));
  const isCutShort = refused !== undefined || (reason !== undefined && unfinished.length > 0);
  const isIncomplete = broken !== undefined || isCutShort || input.selection.isPartial === true;
  const finished: RunFinished = {
    type: 'run-finished',
    time: new Date().toISOString(),
    run: input.identity.id,
    ...judgeEnding(context.fleet.statuses, { interrupted, gated, isIncomplete }),
    ...(why !== undefined && { reason: why }),
    seconds: seconds(),
    stats: stats.all,
    unstarted: unfinished.filter((name) => !context.fleet.hasStarted(name)),
    ...(cutOff.length > 0 && { cutOff }),
    ...(stats.changed.length > 0 && { changed: stats.changed }),
    ...(broken !== undefined && { unkept: true }),
  };
  emit(finished);
  return finished;
}

async function followedPlan({ record, sources, identity, selection }: RunInput): Promise<FollowedPlan | undefined> {
  const { plan, past } = record;
  if (plan?.type !== 'follow') return undefined;
  const { FollowedPlan } = await import('./resource/followed_plan.js');
  return new FollowedPlan(plan, sources.catalogue, past, identity.id, selection.limit);
}

/** The undone part of a run, and the reason if the run was not interrupted. */
interface PlaysEnd {
  /** Healthy controllers with undone tasks. */
  readonly unfinished: readonly string[];
  readonly reason?: string | undefined;
  /** A gate ended the run. */
  readonly gated?: boolean | undefined;
}

/** Fulfilled when what the plays recorded is on disk: a failure to record must be known before the end of the run is reported. */
async function recordedPlays(context: RunContext): Promise<PlaysEnd> {
  const { selection, record } = context.input;
  const unwarn = warnWhenStopped(context);
  try {
    return await runPlays(context, selection.plays);
  } finally {
    try {
      await record.journal?.untilOnDisk?.();
    } finally {
      unwarn();
    }
  }
}

/** Writes that runs before this one left without an outcome may take effect even now, so their objects are read again. */
async function runPlays(context: RunContext, plays: readonly ReadyPlay[]): Promise<PlaysEnd> {
  learnSecrets(context, plays);
  try {
    const end = await playByPlay(context, plays);
    if (!context.control.stopSignals.isStopping) await context.input.connections.unsettled?.recheck();
    return end;
  } finally {
    await context.sessions.closeAll();
  }
}

async function playByPlay(context: RunContext, plays: readonly ReadyPlay[]): Promise<PlaysEnd> {
  const last = lastPlays(plays);
  // The tasks before it may add any controller to it.
  const lastLate = plays.findLastIndex(({ play }) => play.hosts.late === true);
  for (const [index, planned] of plays.entries()) {
    const { ready, unmatched } = startingNow(context, planned);
    if (context.control.stopSignals.isStopping && !hasBegunPlay(context, index))
      return { unfinished: unstartedControllers(context, plays.slice(index)) };
    const reason = failedBefore(context, plays, index);
    if (reason !== undefined) return { unfinished: unstartedControllers(context, plays.slice(index)), reason };
    // A misspelled group would otherwise make the play do nothing, and the run succeed.
    for (const message of unmatched) context.emit({ type: 'warning', message, source: ready.play.hosts.source });
    context.fleet.begin(ready.controllers);
    const end = await runPlay(context, ready, (name) => Math.max(last.get(name) ?? 0, lastLate) > index);
    if (end.type === 'ended' || (context.control.stopSignals.blocks(false) && !hasBegunPlay(context, index + 1))) {
      const undone = unstartedControllers(context, plays.slice(index + 1), ready.controllers);
      const isOver = end.type !== 'ended' || (!end.cutOff && index === plays.length - 1);
      const gated = end.type === 'ended' && end.gated === true;
      return { unfinished: undone, reason: isOver ? undefined : end.reason, gated };
    }
  }
  return { unfinished: [] };
}

/** The play with the controllers that it has now: tasks may have added some. */
function startingNow({ input, fleet }: RunContext, planned: ReadyPlay): ReturnType<typeof selectAgain> {
  const { sources, selection } = input;
  return selectAgain(planned, sources, { inventory: fleet.inventory, limit: selection.limit });
}

/** Work from before the interrupt counts, even if nothing new may start. */
function hasBegunPlay({ input }: RunContext, play: number): boolean {
  return input.record.past?.startedBatches(play, () => true) !== undefined;
}

/** For each controller, the number of its last play. */
function lastPlays(plays: readonly ReadyPlay[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [index, { controllers }] of plays.entries()) for (const name of controllers) last.set(name, index);
  return last;
}

/** A playbook in which controllers failed ends the run: the next one on the command line does not start, as in Ansible. */
function failedBefore({ fleet }: RunContext, plays: readonly ReadyPlay[], index: number): string | undefined {
  const before = plays[index - 1]?.playbook;
  if (before === undefined || before === plays[index]?.playbook) return undefined;
  const lost = fleet.failed;
  if (lost.length === 0) return undefined;
  return `${lost.length === 1 ? (lost[0] ?? '') : `${lost.length} controllers`} ${fleet.howLost(lost)} in ${before.file}`;
}

function emitStarted({ input, emit }: RunContext): void {
  const { shard } = input.selection;
  emit({
    type: 'run-started',
    schemaVersion: SCHEMA_VERSION,
    version: input.identity.version,
    playbooks: input.sources.playbooks.map(({ file }) => file),
    environment: input.identity.environmentName ?? null,
    ...(shard !== undefined && { shard: shardText(shard) }),
    check: input.settings.check,
    forks: mostForks(input.settings),
    simulated: input.identity.simulated,
    ...(input.record.past !== undefined && { resumed: true }),
  });
}

/** Reports why nothing new starts, unless the user interrupted the run. */
function warnWhenStopped({ input, emit }: RunContext): () => void {
  const { stops, record } = input;
  const signals = [stops.credentialsRefused, record.journal?.broken];
  const unwarn = signals.map((signal) => {
    const warn = (): void => emit({ type: 'warning', message: `${whyAborted(signal)}: nothing new starts` });
    signal?.addEventListener('abort', warn, { once: true });
    return () => signal?.removeEventListener('abort', warn);
  });
  return () => unwarn.forEach((remove) => remove());
}

/** Why the signal of what stops a run was aborted; undefined if it was not. */
function whyAborted(signal: AbortSignal | undefined): string | undefined {
  if (signal?.aborted !== true) return undefined;
  const reason: unknown = signal.reason;
  return errorMessage(reason);
}

/** Learns the secrets in files before anything is shown. */
function learnSecrets({ input, secrets, fleet }: RunContext, ready: readonly ReadyPlay[]): void {
  const { inventory, extraVars } = input.sources;
  const plays = ready.map(({ play }) => play);
  secrets.learnFiles({ inventory, extraVars, plays });
  const tasks = plays.flatMap((play) => tasksIn([...allSteps(play), ...play.handlers]));
  fleet.maskedWords.isPossible = tasks.some(({ noLog }) => noLog !== undefined);
}

/** The controllers of all plays, each once, in the order of the plays. */
function controllersIn(plays: readonly ReadyPlay[]): readonly string[] {
  return [...new Set(plays.flatMap(({ controllers }) => controllers))];
}

/** The remaining controllers of plays that never started, and those that did not finish the interrupted play. */
function unstartedControllers(
  context: RunContext,
  later: readonly ReadyPlay[],
  cutOff: readonly string[] = [],
): readonly string[] {
  const { fleet } = context;
  const waiting = controllersIn(later.map((planned) => startingNow(context, planned).ready));
  const undone = [...cutOff.filter((name) => !fleet.hasFinished(name)), ...waiting];
  return [...new Set(undone)].filter((name) => fleet.isAlive(name));
}
