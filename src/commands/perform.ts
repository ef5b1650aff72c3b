import { JournalError } from '../journal/journal_error.js';
import { nextRunId } from '../journal/run_folders.js';
import { Diagnostics } from '../model/diagnostic.js';
import type { RunFinished } from '../model/event.js';
import { plain } from '../report/plain.js';
import { createReporter, type Reporter } from '../report/reporter.js';
import type { Credentials, RunInput } from '../run/input.js';
import { askInRun, asksSomething } from './ask_in_run.js';
import { claim, type ClaimAnswer, type Permit } from './claim.js';
import { colourWanted } from './colour.js';
import { consent } from './consent.js';
import { EXIT, type CommandContext } from './context.js';
import { execute, type Execution } from './execute.js';
import type { SelectedPlay } from './listing.js';
import type { LoadedRun } from './load_run.js';
import type { ExecutionOptions, RunOptions } from './options.js';
import { askSecret } from './prompt.js';
import { refuse, show } from './refusal.js';
import { unlock } from './unlock.js';
import { commandToGoOn } from './way_on.js';
import type { Keeping } from './run_record.js';
import { askBeforeTasks } from './step.js';

export interface Performance {
  readonly loaded: LoadedRun;
  readonly selected: readonly SelectedPlay[];
  readonly options: ExecutionOptions &
    Pick<RunOptions, 'tags' | 'skipTags' | 'strategy' | 'startAtTask' | 'step' | 'forceHandlers'>;
  /** To `vars_prompt`. */
  readonly answers?: RunInput['answers'];
  /** What is run, for the question of an environment that wants to be confirmed. */
  readonly label: string;
  /** Absent: nothing is known that would help to make the same run again. */
  readonly keeping?: Pick<Keeping, 'invocation' | 'fingerprint' | 'kept' | 'undoes'> &
    Partial<Pick<Keeping, 'playbooks'>>;
  /** The user has seen what will be done, and has agreed to it. */
  readonly agreed?: boolean;
}

/** Asks what must be asked, runs what was loaded, reports it, and gives the exit code. */
export async function perform(performance: Performance, context: CommandContext): Promise<number> {
  const { loaded, options } = performance;
  const refused = performance.agreed === true ? undefined : await consent(performance, context);
  if (refused !== undefined) {
    context.stderr.write(`evenkeel: ${refused}\n`);
    return EXIT.usage;
  }
  const { secrets } = loaded.target;
  const credentials = await credentialsOf(options, context);
  if (credentials === undefined) {
    context.stderr.write(
      'evenkeel: -k asks for the password on a terminal, and nobody gave one: nothing was contacted\n',
    );
    return EXIT.usage;
  }
  if (credentials.password !== undefined) secrets.add(credentials.password);
  const diagnostics = new Diagnostics();
  await unlock(loaded, performance.selected, diagnostics);
  show(diagnostics.list, context, options.color);
  const id = performance.keeping?.kept?.header.id ?? (await nextRunId(loaded.target.project.stateDirectory));
  const claimed = await claimFor(performance, id, context);
  if (claimed.status === 'interrupted') return EXIT.interrupted;
  if (claimed.status === 'refused') return refuse(claimed.diagnostics, context, options.color);
  try {
    return await carryOut(performance, { id, permit: claimed.permit, credentials }, context);
  } finally {
    await claimed.permit.release();
  }
}

function claimFor(
  { loaded, selected, options, answers, label }: Performance,
  run: string,
  { env, stderr, drain, argv: [command = ''] }: CommandContext,
): Promise<ClaimAnswer> {
  return claim({
    run,
    loaded,
    selected,
    answers,
    check: options.check === true,
    simulate: options.simulate === true,
    wait: options.wait === true,
    command: `evenkeel ${command} ${label}`,
    env,
    signal: drain,
    tell: (message, importance) => {
      if (importance === 'always' || options.verbosity > 0) stderr.write(`evenkeel: ${plain(message)}\n`);
    },
  });
}

interface Admitted {
  readonly id: string;
  readonly permit: Permit;
  readonly credentials: Credentials;
}

async function carryOut(performance: Performance, admitted: Admitted, context: CommandContext): Promise<number> {
  const { loaded, options } = performance;
  const { secrets } = loaded.target;
  const reporter = openReporter(performance, admitted.id, context);
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
    return exitCode(finished, options);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, options.color);
  } finally {
    await reporter.close();
  }
}

type Chosen = Pick<
  Execution,
  | 'tags'
  | 'skipTags'
  | 'forks'
  | 'strategy'
  | 'check'
  | 'diff'
  | 'verbosity'
  | 'simulate'
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
    strategy: strategy === 'free' ? 'host_pinned' : strategy,
    check: options.check === true,
    diff: options.diff !== undefined,
    verbosity: options.verbosity,
    simulate: options.simulate === true,
    forceHandlers: options.forceHandlers,
    startAtTask: options.startAtTask,
    answers,
  };
}

/** What `-u` and `-k` give; undefined if the password was asked for and nobody gave one. */
async function credentialsOf(options: ExecutionOptions, context: CommandContext): Promise<Credentials | undefined> {
  const username = options.user === undefined ? {} : { username: options.user };
  if (options.askPass !== true) return username;
  const password = await askSecret('Controller password: ', context);
  return password === undefined ? undefined : { ...username, password };
}

function openReporter({ loaded, options }: Performance, id: string, context: CommandContext): Reporter {
  const { project, secrets } = loaded.target;
  const { stdout, stderr, env, cwd } = context;
  const interactive = stdout.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const wanted = options.output ?? project.output ?? (interactive ? 'live' : 'lines');
  const github = env['GITHUB_ACTIONS'] === 'true' ? { workspace: env['GITHUB_WORKSPACE'] ?? cwd } : undefined;
  return createReporter({
    // A question and a picture that is painted again and again do not go together.
    output: options.step === true || (wanted === 'live' && asksSomething(loaded.playbooks)) ? 'lines' : wanted,
    stdout,
    stderr,
    colour: colourWanted(stdout, env, options.color),
    verbosity: options.verbosity,
    secrets,
    cwd,
    diff: options.diff === 'fleet' ? 'fleet' : 'host',
    github,
    commandToGoOn: commandToGoOn(project.stateDirectory, id),
  });
}

function exitCode({ exitCode: code, stats }: RunFinished, { detailedExitcode }: ExecutionOptions): number {
  const changed = Object.values(stats).some((one) => one.changed > 0);
  return code === EXIT.ok && detailedExitcode === true && changed ? EXIT.changes : code;
}
