import { EXIT } from '../../core/model/exit_code.js';
import { unsuccessful, type Event } from '../../core/model/run/event.js';
import type { Stats } from '../../core/model/run/result.js';
import { RunFold } from '../../engine/recap.js';
import { journalFile, runFolder } from '../../record/journal/format/run_folders.js';
import { withRun } from '../../record/journal/read/read_run.js';
import type { ShownWrite } from '../../record/journal/read/shown_writes.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { addRoutes } from '../../reporting/run/routes.js';
import { commandLine } from '../../reporting/text/words.js';
import { listedRun, outIn, type ListedRun } from './listed_run.js';
import { findRollback, lifeOfProcess } from './run_life.js';

/** A run with the details of its journal. */
export interface RunDetail extends ListedRun {
  readonly cwd: string;
  /** The version of evenkeel that made it. */
  readonly evenkeel: string;
  readonly journal: string;
  /** Why it ended early. */
  readonly reason?: string;
  /** The newest rollback of this run that wrote something. */
  readonly undoneBy?: string;
  /** All controllers of the latest gate are stale, and a stale plan stays stale. */
  readonly staleGate?: true;
  readonly stats: Readonly<Record<string, Stats>>;
  readonly unstarted: readonly string[];
  readonly cutOff: readonly string[];
  /** Controllers that changed something only in failures that were rescued or ignored: `stats` does not count them. */
  readonly changed?: readonly string[];
  /** The route of each controller, if it has one. */
  readonly routes?: Readonly<Record<string, string>>;
  readonly writes: readonly ShownWrite[];
  readonly warnings: readonly string[];
}

/** What is known of a run besides its header. */
export type EndedRun = Partial<Pick<RunDetail, 'command' | 'argv' | 'stats' | 'unstarted' | 'cutOff' | 'writes'>> & {
  readonly undoneBy?: string | undefined;
  readonly staleGate?: boolean | undefined;
};

/**
 * Reads a run completely. Reports unreadable lines as warnings.
 *
 * @param onEvent also gets each event
 * @throws JournalError if there is no such run
 */
export async function runDetail(
  stateDirectory: string,
  id: string,
  onEvent?: (event: Event) => void,
): Promise<RunDetail> {
  const summary = new EventSummary();
  const problems: string[] = [];
  const take = (event: Event): void => {
    summary.handle(event);
    onEvent?.(event);
  };
  const reading = {
    process: ownIdentity(),
    onEvent: take,
    onBroken: (problem: string) => problems.push(problem),
    withoutTasks: onEvent === undefined,
  };
  return withRun(stateDirectory, id, reading, async ({ header, shownWrites }) => {
    const { finished } = summary;
    // The end of the run is missing, so its tasks are counted.
    if (finished === undefined && onEvent === undefined) return runDetail(stateDirectory, id, () => undefined);
    for (const message of problems) take({ type: 'warning', time: header.time, run: id, message });
    const undoneBy = await findRollback(stateDirectory, header);
    const listed = listedRun(header, lifeOfProcess(header.process));
    return {
      ...listed,
      cwd: header.cwd,
      evenkeel: header.evenkeel,
      journal: journalFile(runFolder(stateDirectory, id)),
      ...(finished?.reason !== undefined && { reason: finished.reason }),
      ...(undoneBy !== undefined && { undoneBy }),
      ...(summary.staleGate && { staleGate: true }),
      stats: finished?.stats ?? summary.stats.all,
      ...(finished?.changed !== undefined && { changed: finished.changed }),
      unstarted: finished?.unstarted ?? summary.unstarted,
      cutOff: finished?.cutOff ?? (listed.status === 'cut off' ? summary.cutOff : []),
      ...(summary.routes.size > 0 && { routes: Object.fromEntries(summary.routes) }),
      writes: shownWrites(),
      warnings: summary.warnings,
    };
  });
}

/** The events of a run, with its warnings and routes. */
class EventSummary extends RunFold {
  readonly routes = new Map<string, string>();
  readonly warnings: string[] = [];

  override handle(event: Event): void {
    super.handle(event);
    if (event.type === 'play-started') addRoutes(this.routes, event);
    if (event.type === 'warning')
      this.warnings.push(event.controller === undefined ? event.message : `${event.controller}: ${event.message}`);
  }
}

/** A rerun would save no plan, and a plan is applied once. */
function commandAgain(
  { run, command, argv = [], ...ended }: EndedRun & Pick<ListedRun, 'run'>,
  config: readonly string[],
): string | undefined {
  if (command === 'plan' && outIn(argv) !== undefined) return commandLine(['evenkeel', ...argv]);
  if (command === 'apply' && isPlanSpent(ended)) return undefined;
  return commandLine(['evenkeel', 'run', '--rerun', run, ...config]);
}

/** Whether a write to a controller that did not succeed may have begun, so that what was planned for it is stale. */
function isPlanSpent({ stats = {}, unstarted = [], cutOff = [], writes }: EndedRun): boolean {
  const written = new Set(writes?.map(({ controller }) => controller));
  return unsuccessful({ stats, unstarted, cutOff }).some((name) => {
    const { changed = 0, failed = 0 } = stats[name] ?? {};
    return writes === undefined ? changed + failed > 0 : written.has(name);
  });
}

/**
 * The command that the run printed at its end. An interrupted check has none, because its remaining controllers are
 * unknown, and neither has a plan that is stale.
 *
 * @param config from `configOption`
 */
export function nextCommand(
  ended: Pick<ListedRun, 'run' | 'status' | 'check' | 'exitCode' | 'unkept'> & EndedRun,
  config: readonly string[] = [],
): string | undefined {
  const { run, status, check, exitCode, undoneBy, staleGate = false, stats, unstarted = [], cutOff = [] } = ended;
  const rerun = commandAgain(ended, config);
  // Tasks that were rolled back would count as done.
  const isResumable = undoneBy === undefined && !(staleGate && exitCode === EXIT.gated);
  const resume = isResumable ? commandLine(['evenkeel', 'resume', run, ...config]) : undefined;
  if (ended.unkept === true) return check ? undefined : resume;
  switch (status) {
    case 'running':
    case 'finished':
      return undefined;
    case 'cut off':
      return check ? undefined : resume;
    case 'interrupted':
      return check ? rerun : resume;
    case 'failed':
    case 'unreachable':
      if (exitCode === EXIT.gated) return resume;
      // Such as a rollback that left controllers alone.
      return stats !== undefined && unsuccessful({ stats, unstarted, cutOff }).length === 0 ? undefined : rerun;
    case 'stale':
      // The plan stays stale: a new one has to be made.
      return exitCode === EXIT.gated ? resume : undefined;
  }
}
