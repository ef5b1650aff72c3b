import { adHocPlaybook } from '../../load/playbook/ad_hoc.js';
import type { KeptRun } from '../../journal/read/read_run.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { answersTo } from '../load/answers.js';
import type { CommandContext } from '../../cli/context.js';
import { fingerprintOf } from '../load/fingerprint.js';
import { Remembered } from '../load/remembered_answers.js';
import type { Command, SavedAnswer } from '../request/invocation.js';
import { invocationOf } from '../request/invocation_of.js';
import { loadRun, type LoadedRun, type PlaybookSource } from '../load/load_run.js';
import type { RunSettings } from '../request/options.js';
import { perform } from './perform.js';
import { refuse, show } from '../../cli/terminal/refusal.js';
import { fromTerminal } from '../../cli/terminal/respond.js';
import type { Keeping } from './run_record.js';
import { NO_EXEC } from '../../programs/programs.js';
import { hasTemplate } from '../../template/language/template.js';
import { checkTags } from '../load/known_tags.js';
import { selectPlays } from '../load/selection.js';
import { tellWrongTerms } from '../load/target.js';

/** A requested run: from the command line, or from an earlier run that is rerun or resumed. */
export interface Undertaking {
  readonly command: Command;
  readonly options: RunSettings;
  /** Earlier answers to `vars_prompt`, which are not asked for again. */
  readonly answers?: readonly SavedAnswer[] | undefined;
  /** Absent: a new run. */
  readonly resumed?: Resumed | undefined;
}

interface Resumed {
  readonly kept: KeptRun;
  /** Returns why the run cannot be resumed, now that everything is read. */
  readonly examine: (loaded: LoadedRun, diagnostics: Diagnostics) => void;
  /** The current inputs, if they replace the recorded ones. */
  readonly fingerprint: (loaded: LoadedRun) => Keeping['fingerprint'];
}

/** Reads everything, asks for confirmation, and runs it. Returns the exit code. */
export async function undertake(undertaking: Undertaking, context: CommandContext): Promise<number> {
  const { command, options, answers = [], resumed } = undertaking;
  const diagnostics = new Diagnostics();
  checkStep(options, context, diagnostics);
  const loaded = await loadCommand(command, options, context, diagnostics);
  diagnostics.insistOn(NO_EXEC);
  if (loaded !== undefined && resumed === undefined) checkPattern(command, options, loaded, diagnostics);
  if (loaded !== undefined && !diagnostics.failed()) resumed?.examine(loaded, diagnostics);
  if (loaded === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const remembered = new Remembered(answers, fromTerminal(context));
  const answered = await answersTo(loaded, remembered.respond, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const selected = selectPlays(loaded, { ...options, answers: answered }, diagnostics);
  if (resumed === undefined) await checkTags(loaded, options, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  show(diagnostics.list, context, options.color);
  const keeping =
    resumed === undefined
      ? keepingOf(undertaking, loaded, remembered.given, context)
      : { kept: resumed.kept, fingerprint: resumed.fingerprint(loaded) };
  return perform(
    {
      loaded,
      selected,
      options,
      answers: answered,
      label: labelOf(command),
      keeping,
      agreed: resumed !== undefined && command.type === 'rollback',
    },
    context,
  );
}

/** The pattern of `evenkeel task` fails for the same mistakes as `--limit`. A repeated run has its own controllers. */
function checkPattern(
  command: Command,
  { within }: RunSettings,
  { target: { inventory } }: LoadedRun,
  diagnostics: Diagnostics,
): void {
  if (command.type !== 'task' || within !== undefined) return;
  const { pattern } = command;
  if (!hasTemplate(pattern)) tellWrongTerms(inventory, 'task', [{ pattern, source: undefined }], diagnostics);
}

/** Everything that a command needs, read and checked. */
export async function loadCommand(
  command: Command,
  options: RunSettings,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<LoadedRun | undefined> {
  switch (command.type) {
    case 'run':
      return loadRun({ type: 'files', files: command.playbooks }, options, context, diagnostics);
    case 'task':
      return loadRun(madeOf(command, context.cwd, diagnostics), options, context, diagnostics);
    case 'rollback': {
      const { loadRollbackAgain } = await import('../rollback/load_again.js');
      return loadRollbackAgain(command, options, context, diagnostics);
    }
    default:
      return command satisfies never;
  }
}

function madeOf(
  { pattern, module, args }: Extract<Command, { type: 'task' }>,
  cwd: string,
  diagnostics: Diagnostics,
): PlaybookSource {
  return {
    type: 'made',
    make: ({ library, vault, onRead }, catalogue) =>
      adHocPlaybook({ pattern, module, args, cwd, catalogue, diagnostics, library, vault, onRead }),
  };
}

function keepingOf(
  { command, options }: Undertaking,
  loaded: LoadedRun,
  answers: readonly SavedAnswer[],
  { cwd, version }: CommandContext,
): Pick<Keeping, 'invocation' | 'fingerprint'> {
  const invocation = invocationOf({ command, options, loaded, answers, cwd });
  return { invocation, fingerprint: fingerprintOf(loaded, { version, cwd, key: invocation.fingerprintKey }) };
}

function labelOf(command: Command): string {
  switch (command.type) {
    case 'run':
      return command.playbooks.join(' ');
    case 'task':
      return command.module;
    case 'rollback':
      return command.run;
    default:
      return command satisfies never;
  }
}

/** Task by task is what `linear` does; and somebody must be there to say yes. */
function checkStep({ step, strategy, output }: RunSettings, { stdin }: CommandContext, diagnostics: Diagnostics): void {
  if (step !== true) return;
  if (!stdin.isTTY)
    diagnostics.error('--step asks before each task, but stdin is not a terminal', undefined, 'run it in a terminal');
  if (strategy !== undefined && strategy !== 'linear')
    diagnostics.error(`--step goes task by task: it cannot be used with --strategy ${strategy}`);
  if (output === 'json' || output === 'quiet')
    diagnostics.error(`--step shows what each task did: it cannot be used with --output ${output}`);
}
