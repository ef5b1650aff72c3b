import { JournalError } from '../../journal/disk/journal_error.js';
import type { RunFinished } from '../../model/run/event.js';
import { admit, type Admitted } from './permission.js';
import { askInRun } from '../../cli/terminal/ask_in_run.js';
import { EXIT, type CommandContext } from '../../cli/context.js';
import { execute, type Execution } from './execute.js';
import type { ExecutionOptions } from '../request/options.js';
import type { Performance } from './prepared_run.js';
import { refuse } from '../../cli/terminal/refusal.js';
import { openRunReporter } from '../../cli/terminal/run_reporter.js';
import { askBeforeTasks } from '../../cli/terminal/step.js';

/** Asks for confirmation, runs what was loaded, reports it, and returns the exit code. */
export async function perform(performance: Performance, context: CommandContext): Promise<number> {
  const admission = await admit(performance, context);
  if (admission.status === 'refused') return admission.exitCode;
  try {
    return await carryOut(performance, admission.admitted, context);
  } finally {
    await admission.admitted.permit.release();
  }
}

async function carryOut(performance: Performance, admitted: Admitted, context: CommandContext): Promise<number> {
  const { loaded, options } = performance;
  const { secrets } = loaded.target;
  const reporter = openRunReporter(performance, admitted.id, context);
  const quit = new AbortController();
  const stop = (): void => {
    quit.abort();
  };
  try {
    const finished = await execute({
      ...chosen(performance),
      ...admitted,
      loaded,
      cwd: context.cwd,
      version: context.version,
      secrets,
      env: context.env,
      keeping: {
        command: context.argv[0] ?? '',
        argv: context.argv,
        playbooks: loaded.playbooks.map(({ file }) => file),
        ...performance.keeping,
      },
      emit: (event) => {
        reporter.handle(event);
      },
      atExit: context.atExit,
      confirmTask: options.step === true ? askBeforeTasks(context, stop) : undefined,
      ask: askInRun(context, stop),
      drain: AbortSignal.any([context.drain, quit.signal]),
      abort: context.abort,
    });
    context.workDone?.();
    return exitCode(finished, options);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, options.color);
  } finally {
    // The owner of the streams reports this; the exit code is that of the run.
    await reporter.close().catch(() => undefined);
  }
}

type Chosen = Pick<
  Execution,
  | 'tags'
  | 'skipTags'
  | 'forks'
  | 'maxRegistered'
  | 'strategy'
  | 'check'
  | 'diff'
  | 'verbosity'
  | 'simulate'
  | 'apiVersions'
  | 'forceHandlers'
  | 'startAtTask'
  | 'answers'
>;

/** What the options, else the project, say about how to run. */
function chosen({ loaded, options, answers }: Performance): Chosen {
  const { project } = loaded.target;
  const strategy = options.step === true ? 'linear' : (options.strategy ?? project.strategy);
  return {
    tags: options.tags ?? [],
    skipTags: options.skipTags ?? [],
    forks: options.forks ?? project.forks,
    maxRegistered: options.maxRegistered ?? project.maxRegistered,
    strategy: strategy === 'free' ? 'host_pinned' : strategy,
    check: options.check === true,
    diff: options.diff !== undefined,
    verbosity: options.verbosity,
    simulate: options.simulate === true,
    apiVersions: options.apiVersion,
    forceHandlers: options.forceHandlers,
    startAtTask: options.startAtTask,
    answers,
  };
}

function exitCode({ exitCode: code, stats }: RunFinished, { detailedExitcode }: ExecutionOptions): number {
  const changed = Object.values(stats).some((one) => one.changed > 0);
  return code === EXIT.ok && detailedExitcode === true && changed ? EXIT.changes : code;
}
