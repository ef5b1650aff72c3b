import { EXIT } from '../core/model/exit_code.js';
import { changedControllers, type RunFinished } from '../core/model/run/event.js';
import { Diagnostics, orElse, type Diagnostic } from '../core/model/source/diagnostic.js';
import { parseJson } from '../core/model/values/json.js';
import { jsonText } from '../core/model/values/value.js';
import { maskSourceLine } from '../core/secrets/mask_source.js';
import { maskTitle } from '../core/secrets/mask_text.js';
import { maskBody } from '../core/secrets/mask_value.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { NotPermitted } from '../launch/start/permission.js';
import type { RunOutcome } from '../launch/start/start_run.js';
import type { Idempotence } from '../launch/start/verify_idempotent.js';
import type { Picture } from '../reporting/output/options.js';
import { oneLine, plain } from '../reporting/text/plain.js';
import { nameSome } from '../reporting/text/words.js';
import { type CommandContext, annotate, refuse, show } from './context.js';
import { requiredSecret } from './prompt.js';
import { askBeforeTasks, askInRun, confirmEnvironment, fromTerminal } from './questions.js';
import { extraOutputs, openRunReporter, type OutputOptions } from './run_reporter.js';

/** The ports of a run that was started on the command line. */
export async function runPorts(context: CommandContext, options: OutputOptions, verbosity = 0): Promise<RunPorts> {
  const { argv, stderr } = context;
  const [command = ''] = argv;
  const extra = await extraOutputs(options, context);
  const picture: Picture = {};
  return {
    ...context,
    meter: extra?.profile,
    caller: { name: `evenkeel ${command}`, command, argv: (secrets) => shownArgv(argv, secrets) },
    user: {
      stepProblems: stepProblems(context, options),
      answer: fromTerminal(context),
      askSecret: requiredSecret(context),
      confirm: (run) => confirmEnvironment(run, context),
      duringRun: (stop) => ({ ask: askInRun(context, stop, picture), confirmTask: askBeforeTasks(context, stop) }),
    },
    report: {
      warnings: (found, cwd) => show(found, { ...context, cwd }, options.color),
      notice: (message, importance) => {
        if (importance === 'always' || verbosity > 0) stderr.write(`evenkeel: ${plain(message)}\n`);
      },
      prepare: () => extra?.prepare() ?? Promise.resolve([]),
      open: (run, id, cwd) => {
        const typed = (): readonly string[] => shownArgv(argv, run.loaded.target.secrets);
        return openRunReporter(run, { ...options, id, extra, typed, picture }, { ...context, cwd });
      },
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

/**
 * Shows why a run did not start, if it did not; returns the exit code.
 *
 * @param cwd the folder that file names in the outcome are relative to
 */
export async function reportOutcome(
  outcome: RunOutcome,
  options: OutputOptions,
  context: CommandContext,
  cwd = context.cwd,
): Promise<number> {
  if (outcome.status !== 'finished') return reportRefusal(outcome, options, context, cwd);
  context.signals.workDone?.();
  const code = chooseExitCode(outcome.finished, options);
  return outcome.idempotence === undefined ? code : reportIdempotence(outcome.idempotence, code, options, context);
}

const MOST_NAMES = 5;

/** Says what a check right after the run has found; returns the exit code. */
function reportIdempotence(
  found: Idempotence,
  code: number,
  { output }: OutputOptions,
  { stdout, stderr }: CommandContext,
): number {
  const stream = output === 'json' ? stderr : stdout;
  const say = (line: string): void => stream.write(`${plain(line)}\n`);
  switch (found.status) {
    case 'verified':
      say('idempotent: a second run would change nothing');
      return code;
    case 'changes':
      say('not idempotent: a second run would change something again');
      for (const { task, controllers } of found.tasks) say(`  ${oneLine(task)}: ${nameSome(controllers, MOST_NAMES)}`);
      return EXIT.failed;
    case 'unknown':
      say('whether a second run would change something is unknown: its check did not complete');
      return found.finished === undefined || found.finished.exitCode === EXIT.ok
        ? EXIT.failed
        : found.finished.exitCode;
  }
}

/** Shows why a run did not start, and writes it to the files that were asked for; returns the exit code. */
export async function reportRefusal(
  outcome: NotPermitted,
  options: OutputOptions,
  context: CommandContext,
  cwd = context.cwd,
): Promise<number> {
  const shown = { ...context, cwd };
  const exitCode = showRefusal(outcome, options, shown);
  const diagnostics =
    'diagnostics' in outcome ? outcome.diagnostics : [{ severity: 'error', message: outcome.message } as const];
  return reportNothing(diagnostics, exitCode, options, shown);
}

/** Writes the reports that were asked for, with the reason why nothing ran; returns the exit code. */
export async function reportNothing(
  diagnostics: readonly Diagnostic[],
  exitCode: number,
  options: OutputOptions,
  context: CommandContext,
): Promise<number> {
  const extra = await extraOutputs(options, context);
  const { version, secrets, cwd } = context;
  const { playbooks = [] } = options;
  const time = new Date().toISOString();
  await extra?.refuse({ time, version, playbooks, exitCode, diagnostics }, { secrets, cwd });
  return exitCode;
}

function showRefusal(outcome: NotPermitted, { color }: OutputOptions, context: CommandContext): number {
  const say = (message: string): void => context.stderr.write(`evenkeel: ${plain(message)}\n`);
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
      annotate([{ severity: 'error', message: outcome.message }], context);
      return outcome.status === 'declined' ? EXIT.usage : EXIT.interrupted;
  }
}

function chooseExitCode(finished: RunFinished, { detailedExitcode }: OutputOptions): number {
  const { exitCode } = finished;
  if (exitCode !== EXIT.ok || detailedExitcode !== true) return exitCode;
  return changedControllers(finished).size > 0 ? EXIT.changes : exitCode;
}

/** A short option with a value, which is the rest of the word. */
const FIRST_WITH_VALUE = /(?<=^-[A-Za-z]*)[iEletfouMma]/;
/** Variables and arguments, whose names mark secrets. */
const NAMED = new Set(['e', 'a', 'extra-vars', 'args']);

/** The typed command line without secrets, for the journal. */
export function shownArgv(argv: readonly string[], secrets: Secrets): readonly string[] {
  let namedNext = false;
  return argv.map((word) => {
    const isNamed = namedNext;
    const option = isNamed ? undefined : parseTypedOption(word);
    namedNext = option !== undefined && option.value === undefined && NAMED.has(option.name);
    if (isNamed) return withoutSecretValues(word, secrets);
    if (option?.value !== undefined && NAMED.has(option.name))
      return option.before + withoutSecretValues(option.value, secrets);
    return maskTitle(word, secrets);
  });
}

interface TypedOption {
  readonly name: string;
  /** The part before the value, and the value in the same word, if any. */
  readonly before: string;
  readonly value: string | undefined;
}

/** The option whose value this word contains, if the word shows it. */
function parseTypedOption(word: string): TypedOption | undefined {
  const [, long, sign, after] = /^--([\w-]+)(=)?([^]*)$/.exec(word) ?? [];
  if (long !== undefined) return { name: long, before: `--${long}=`, value: sign === undefined ? undefined : after };
  if (!/^-[A-Za-z]/.test(word)) return undefined;
  const at = word.search(FIRST_WITH_VALUE);
  if (at < 0) return undefined;
  const value = word.slice(at + 1);
  return { name: word.charAt(at), before: word.slice(0, at + 1), value: value === '' ? undefined : value };
}

/** `version=1 db_pw=x1` becomes `version=1 db_pw=********`, and so with JSON and YAML. */
function withoutSecretValues(text: string, secrets: Secrets): string {
  const json = orElse(undefined, () => jsonText(parseJson(text)));
  const shown = maskBody(text, secrets);
  if (json === undefined) return maskSourceLine(shown);
  return shown === json ? text : shown;
}
