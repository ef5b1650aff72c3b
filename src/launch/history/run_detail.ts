import { EXIT } from '../../core/model/exit_code.js';
import { isPlanSpent, type Event } from '../../core/model/run/event.js';
import type { Stats } from '../../core/model/run/result.js';
import { RunFold } from '../../engine/recap.js';
import { journalFile, runFolder } from '../../record/journal/disk/run_folders.js';
import { withRun, type ShownWrite } from '../../record/journal/read/read_run.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { RouteLog } from '../../reporting/run/routes.js';
import { commandLine } from '../../reporting/text/words.js';
import { listedRun, type ListedRun } from './listed_run.js';
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
  /** The route of each controller, if it has one. */
  readonly routes?: Readonly<Record<string, string>>;
  readonly writes: readonly ShownWrite[];
  readonly warnings: readonly string[];
}

/** What is known of a run besides its header. */
export type EndedRun = Partial<Pick<RunDetail, 'command' | 'stats' | 'unstarted' | 'cutOff'>> & {
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
  const reading = {
    process: ownIdentity(),
    onEvent: (event: Event) => {
      summary.handle(event);
      onEvent?.(event);
    },
    onBroken: (problem: string) => summary.warnings.push(problem),
    withoutTasks: onEvent === undefined,
  };
  return withRun(stateDirectory, id, reading, async ({ header, shownWrites }) => {
    const { finished } = summary;
    // The end of the run is missing, so its tasks are counted.
    if (finished === undefined && onEvent === undefined) return runDetail(stateDirectory, id, () => undefined);
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
      unstarted: finished?.unstarted ?? summary.unstarted,
      cutOff: finished?.cutOff ?? (listed.status === 'cut off' ? summary.cutOff : []),
      ...(summary.routes.all.size > 0 && { routes: Object.fromEntries(summary.routes.all) }),
      writes: shownWrites(),
      warnings: summary.warnings,
    };
  });
}

/** The events of a run, with its warnings and routes. */
class EventSummary extends RunFold {
  readonly routes = new RouteLog();
  readonly warnings: string[] = [];

  override handle(event: Event): void {
    super.handle(event);
    this.routes.handle(event);
    if (event.type === 'warning')
      this.warnings.push(event.controller === undefined ? event.message : `${event.controller}: ${event.message}`);
  }
}

/**
 * The command that the run printed at its end. An interrupted check has none, because its remaining controllers are
 * unknown, and neither has a plan that is stale.
 *
 * @param config from `configOption`
 */
export function nextCommand(
  {
    run,
    status,
    check,
    exitCode,
    undoneBy,
    staleGate = false,
    command,
    stats = {},
    unstarted = [],
    cutOff = [],
  }: Pick<ListedRun, 'run' | 'status' | 'check' | 'exitCode'> & EndedRun,
  config: readonly string[] = [],
): string | undefined {
  const isSpent = command === 'apply' && isPlanSpent({ stats, unstarted, cutOff });
  const rerun = isSpent ? undefined : commandLine(['evenkeel', 'run', '--rerun', run, ...config]);
  // Tasks that were rolled back would count as done.
  const isResumable = undoneBy === undefined && !(staleGate && exitCode === EXIT.gated);
  const resume = isResumable ? commandLine(['evenkeel', 'resume', run, ...config]) : undefined;
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
      return exitCode === EXIT.gated ? resume : rerun;
    case 'stale':
      // The plan stays stale: a new one has to be made.
      return exitCode === EXIT.gated ? resume : undefined;
  }
}
