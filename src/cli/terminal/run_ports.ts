import type { RunPorts } from '../../app/load/ports.js';
import type { NotPermitted } from '../../app/run/permission.js';
import type { RunOutcome } from '../../app/run/start_run.js';
import { Diagnostics, type Diagnostic } from '../../model/source/diagnostic.js';
import type { RunFinished } from '../../model/run/event.js';
import { EXIT } from '../../model/exit_code.js';
import type { Idempotence } from '../../app/run/verify_idempotent.js';
import { someOf } from '../../report/text/words.js';
import { plain } from '../../report/text/plain.js';
import type { CommandContext } from './context.js';
import type { OutputOptions } from './run_reporter.js';
import { shownArgv } from './shown_argv.js';
import { askBeforeTasks, askInRun, confirmEnvironment, fromTerminal } from './questions.js';
import { askSecret } from './prompt.js';
import { refuse, show } from './refusal.js';
import { extraOutputs, openRunReporter } from './run_reporter.js';

/** The ports of a run that was started on the command line. */
export async function runPorts(context: CommandContext, options: OutputOptions, verbosity = 0): Promise<RunPorts> {
  const { argv, stderr } = context;
  const [command = ''] = argv;
  const extra = await extraOutputs(options, context);
  return {
    ...context,
    meter: extra?.profile,
    caller: { name: `evenkeel ${command}`, command, argv: (secrets) => shownArgv(argv, secrets) },
    user: {
      stepProblems: stepProblems(context, options),
      answer: fromTerminal(context),
      askSecret: (question) => askSecret(question, context),
      confirm: (run) => confirmEnvironment(run, context),
      duringRun: (stop) => ({ ask: askInRun(context, stop), confirmTask: askBeforeTasks(context, stop) }),
    },
    report: {
      warnings: (found, cwd) => {
        show(found, { ...context, cwd }, options.color);
      },
      notice: (message, importance) => {
        if (importance === 'always' || verbosity > 0) stderr.write(`evenkeel: ${plain(message)}\n`);
      },
      prepare: () => extra?.prepare() ?? Promise.resolve([]),
      open: (run, id, cwd) => openRunReporter(run, { ...options, id, extra }, { ...context, cwd }),
    },
  };
}

function stepProblems({ stdin }: CommandContext, { output }: OutputOptions): readonly Diagnostic[] {
  const problems = new Diagnostics();
  if (!stdin.isTTY)
    problems.error('--step asks before each task, but stdin is not a terminal', undefined, 'run it in a terminal');
  if (output === 'json' || output === 'quiet')
    problems.error(`--step shows what each task did: it cannot be used with --output ${output}`);
  return problems.list;
}

/** Shows why a run did not start, if it did not; returns the exit code. */
export function reportOutcome(outcome: RunOutcome, options: OutputOptions, context: CommandContext): number {
  if (outcome.status !== 'finished') return reportRefusal(outcome, options, context);
  context.signals.workDone?.();
  const code = exitCodeOf(outcome.finished, options);
  return outcome.idempotence === undefined ? code : reportIdempotence(outcome.idempotence, code, options, context);
}

/** Shows why a run did not start; returns the exit code. */
const MOST_NAMES = 5;

/** Says what a check right after the run has found; returns the exit code. */
function reportIdempotence(
  found: Idempotence,
  code: number,
  { output }: OutputOptions,
  { stdout, stderr, secrets }: CommandContext,
): number {
  const stream = output === 'json' ? stderr : stdout;
  const say = (line: string): boolean => stream.write(`${secrets.mask(plain(line))}\n`);
  switch (found.status) {
    case 'verified':
      say('idempotent: a second run would change nothing');
      return code;
    case 'changes':
      say('not idempotent: a second run would change something again');
      for (const { task, controllers } of found.tasks) say(`  ${task}: ${someOf(controllers, MOST_NAMES)}`);
      return EXIT.failed;
    case 'unknown':
      say('whether a second run would change something is unknown: its check did not complete');
      return found.finished === undefined || found.finished.exitCode === EXIT.ok
        ? EXIT.failed
        : found.finished.exitCode;
    default:
      return found satisfies never;
  }
}

export function reportRefusal(outcome: NotPermitted, { color }: OutputOptions, context: CommandContext): number {
  const say = (message: string): boolean => context.stderr.write(`evenkeel: ${plain(message)}\n`);
  switch (outcome.status) {
    case 'refused':
      return refuse(outcome.diagnostics, context, color);
    case 'preflight-failed':
      refuse(outcome.diagnostics, context, color);
      say('no controller was contacted');
      if (outcome.advice !== undefined) say(outcome.advice);
      return EXIT.usage;
    case 'declined':
    case 'interrupted':
      say(outcome.message);
      return outcome.status === 'declined' ? EXIT.usage : EXIT.interrupted;
    default:
      return outcome satisfies never;
  }
}

function exitCodeOf({ exitCode, stats }: RunFinished, { detailedExitcode }: OutputOptions): number {
  const changed = Object.values(stats).some((one) => one.changed > 0);
  return exitCode === EXIT.ok && detailedExitcode === true && changed ? EXIT.changes : exitCode;
}
