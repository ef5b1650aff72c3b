import path from 'node:path';
import { type CommandContext, show } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { reportOutcome, runPorts } from '../cli/run_ports.js';
import { outputOptions, type ExecutionOptions } from '../cli/run_reporter.js';
import { EXIT } from '../core/model/exit_code.js';
import type { Playbook } from '../core/model/playbook/playbook.js';
import type { Include, Meta, Step, Task } from '../core/model/playbook/step.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { answersTo, type Respond } from '../launch/load/answers.js';
import { selectPlays, type SelectedPlay } from '../launch/load/prepared_run.js';
import { loadRequest, type RequestOrigin } from '../launch/prepare/prepare_run.js';
import { refusedBy, runRequest, type RunRequest } from '../launch/request/run_request.js';
import { startRun } from '../launch/start/start_run.js';
import { plain } from '../reporting/text/plain.js';
import { rerunRequest } from './rerun.js';

export interface RunCommandOptions extends ExecutionOptions {
  readonly playbooks: readonly string[];
  /** `RUN` or `RUN:failed,unstarted`: the run to repeat where it did not succeed. */
  readonly rerun?: string | undefined;
  readonly listHosts?: boolean | undefined;
  readonly listTasks?: boolean | undefined;
  readonly listTags?: boolean | undefined;
  readonly syntaxCheck?: boolean | undefined;
}

/** `evenkeel run PLAYBOOK…`, and `evenkeel run --rerun RUN`. */
export async function runCommand(options: RunCommandOptions, context: CommandContext): Promise<number> {
  const { playbooks, rerun } = options;
  const request = runRequest({ type: 'run', playbooks }, options);
  if (rerun === undefined) return start(request, {}, options, context);
  const again = await rerunRequest({ ...request, rerun, playbooks }, context);
  if (again.status === 'refused') return reportOutcome(again, options, context);
  // The files are those that the user names here, not in the folder of the earlier run.
  const report = options.report?.map(({ kind, file }) => ({ kind, file: path.resolve(context.cwd, file) }));
  const log = options.log === undefined ? undefined : path.resolve(context.cwd, options.log);
  return start(again.request, again, { ...options, report, log }, { ...context, ...again.workspace });
}

async function start(
  request: RunRequest,
  { answers, requireAsRead }: Pick<RequestOrigin, 'answers' | 'requireAsRead'>,
  options: RunCommandOptions,
  context: CommandContext,
): Promise<number> {
  if (options.syntaxCheck === true || Object.values(wantedBy(options)).includes(true))
    return list(request, options, context);
  const { command } = request;
  if (command.type === 'rollback') {
    // A rollback is shown and confirmed, however it is started.
    const { rollbackCommand } = await import('../rollback/command.js');
    const { run, allowLockout } = command;
    return rollbackCommand({ ...request, run, allowLockout, ...outputOptions(options) }, context);
  }
  const outcome = await startRun(request, await runPorts(context, options, request.verbosity), {
    answers,
    requireAsRead,
  });
  return reportOutcome(outcome, options, context);
}

/** Lists what would be run. Asks no questions: `vars_prompt` variables get their defaults, as in Ansible. */
async function list(request: RunRequest, options: RunCommandOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  checkListing(options, diagnostics);
  if (diagnostics.failed()) return reportOutcome(refusedBy(diagnostics), options, context);
  const loaded = await loadRequest(request, loadingPorts(context), diagnostics);
  // Without inventory programs the list of controllers would be wrong; everything else works without them.
  if (options.listHosts === true) diagnostics.requireExecution();
  if (loaded === undefined || diagnostics.failed()) return reportOutcome(refusedBy(diagnostics), options, context);
  const answers = await answersTo(loaded, defaults, new Diagnostics());
  const selected = selectPlays(loaded, { ...request, answers }, diagnostics);
  const { checkTags } = await import('../launch/load/known_tags.js');
  await checkTags(loaded, request, diagnostics);
  if (diagnostics.failed()) return reportOutcome(refusedBy(diagnostics), options, context);
  show(diagnostics.list, context, options.color);
  const shown = options.syntaxCheck === true ? [] : selected;
  context.stdout.write(plain(listing(loaded.playbooks, shown, wantedBy(options))));
  return EXIT.ok;
}

/** What is asked for beside a listing would stay empty. */
function checkListing(options: RunCommandOptions, diagnostics: Diagnostics): void {
  const { syntaxCheck, output, report, log } = options;
  const { hosts, tasks } = wantedBy(options);
  const what = syntaxCheck === true ? 'syntax-check' : hosts ? 'list-hosts' : tasks ? 'list-tasks' : 'list-tags';
  const given = { '--output json': output === 'json', '--report': report !== undefined, '--log': log !== undefined };
  for (const [option, isGiven] of Object.entries(given))
    if (isGiven) diagnostics.error(`--${what} runs nothing: it cannot be used with ${option}`);
}

const defaults: Respond = () => Promise.resolve({ type: 'unanswered' });

function wantedBy({ listHosts, listTasks, listTags }: RunCommandOptions): WantedLists {
  return { hosts: listHosts === true, tasks: listTasks === true, tags: listTags === true };
}

interface WantedLists {
  readonly hosts: boolean;
  readonly tasks: boolean;
  readonly tags: boolean;
}

/** What `--list-hosts`, `--list-tasks` and `--list-tags` print, laid out as ansible-playbook does. */
export function listing(playbooks: readonly Playbook[], plays: readonly SelectedPlay[], wanted: WantedLists): string {
  return playbooks
    .map((playbook) => {
      const own = plays.filter((play) => play.playbook === playbook);
      return `\nplaybook: ${playbook.file}\n${own.map((play, index) => `\n${playText(play, index + 1, wanted)}`).join('')}`;
    })
    .join('');
}

function playText(play: SelectedPlay, number: number, wanted: WantedLists): string {
  const { pattern, name } = play;
  const { tags } = play.play;
  const [steps, checks] = [listed(play.steps), listed(play.checks)];
  const tasks = [
    '    tasks:',
    ...steps.map(stepLine),
    ...(checks.length === 0 ? [] : ['    gate:']),
    ...checks.map(stepLine),
  ];
  const lines = [
    `  play #${number} (${pattern.replaceAll('\n', ',')}): ${name}\tTAGS: [${tags.join(',')}]`,
    ...(wanted.hosts ? hostLines(play) : []),
    ...(wanted.tasks ? tasks : []),
    ...(wanted.tags
      ? [`      TASK TAGS: [${sorted([...tags, ...[...steps, ...checks].flatMap((step) => step.tags)])}]`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function stepLine(step: ListedStep): string {
  return `      ${listedTitle(step)}\tTAGS: [${sorted(step.tags)}]`;
}

function hostLines({ pattern, controllers }: SelectedPlay): readonly string[] {
  return [
    `    pattern: ['${pattern.split('\n').join("', '")}']`,
    `    hosts (${controllers.length}):`,
    ...controllers.map((one) => `      ${one}`),
  ];
}

type ListedStep = Task | Include | Meta;

/** For a block, only the steps that run if nothing fails, as in Ansible. */
function listed(steps: readonly Step[]): readonly ListedStep[] {
  return steps.flatMap((step) => {
    switch (step.type) {
      case 'task':
      case 'include':
      case 'meta':
        return [step];
      case 'block':
      case 'role':
        return listed(step.steps);
    }
  });
}

/** The name as it was written, its role before it; of an unnamed one the module alone. */
function listedTitle(step: ListedStep): string {
  if (step.name === undefined) return step.type === 'meta' ? 'meta' : step.module;
  const { value } = step.name;
  return step.role === undefined ? value : `${step.role} : ${value}`;
}

function sorted(tags: readonly string[]): string {
  return [...new Set(tags)].sort().join(', ');
}
