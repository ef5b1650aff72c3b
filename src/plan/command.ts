import path from 'node:path';
import { type CommandContext, refuse } from '../cli/context.js';
import { reportOutcome, runPorts } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { whyFailed } from '../core/files/paths.js';
import { EXIT } from '../core/model/exit_code.js';
import type { RunFinished } from '../core/model/run/event.js';
import { maskText } from '../core/secrets/mask_text.js';
import { typedOptions } from '../launch/history/kept_request.js';
import type { RunPorts } from '../launch/load/ports.js';
import { openPlan, whyNotNow } from '../launch/planned/open_plan.js';
import { appliedBy, keepCopy, planFolder } from '../launch/planned/plan_copies.js';
import { earlierWorkspace, toRunRequest } from '../launch/request/invocation.js';
import { type OrRefused, refusal, type RunOptions, runOptions, runRequest } from '../launch/request/run_request.js';
import { startRun } from '../launch/start/start_run.js';
import { colourWanted } from '../reporting/text/palette.js';
import { plain } from '../reporting/text/plain.js';
import { displayPath } from '../reporting/text/source_files.js';
import { LOG_COLUMNS } from '../reporting/text/width.js';
import { commandLine, count, fileWord, grouped, nameSome } from '../reporting/text/words.js';
import { makePlan, type MadePlan } from './make_plan.js';
import { isEmptyPlan, planJson, planText, type SavedPlanText } from './text.js';

export interface PlanCommandOptions extends ExecutionOptions {
  readonly playbooks: readonly string[];
  readonly out?: string | undefined;
}

/** `evenkeel plan PLAYBOOK…` */
export async function planCommand(options: PlanCommandOptions, context: CommandContext): Promise<number> {
  const { playbooks, out } = options;
  const request = runRequest({ type: 'run', playbooks }, { ...options, diff: options.diff ?? 'auto' });
  const made = await makePlan(request, out, await runPorts(context, options, options.verbosity));
  const code = await reportOutcome(made.outcome, { ...options, detailedExitcode: false }, context);
  if (made.outcome.status !== 'finished') return code;
  const stream = options.output === 'json' ? context.stderr : context.stdout;
  for (const line of closing(made.outcome.finished, made, { out, cwd: context.cwd })) stream.write(`${line}\n`);
  if (code !== EXIT.ok) return code;
  // As for `drift`: whatever its tasks ignore, not all controllers were read.
  if (Object.values(made.unplanned ?? {}).includes('unreachable')) return EXIT.unreachable;
  return made.changing?.size === 0 || options.detailedExitcode !== true ? code : EXIT.changes;
}

const MOST_NAMES = 10;
const UNPLANNED = 'not in the plan, because they failed or did not finish: ';
/** Room for ` and 100,000 more`. */
const MORE = 17;

const NOTHING_PLANNED = 'every controller failed, was unreachable or did not finish';

function closing(
  finished: RunFinished,
  { saved, changing: changed, unplanned = {} }: MadePlan,
  { out, cwd }: { readonly out: string | undefined; readonly cwd: string },
): readonly string[] {
  if (finished.status === 'interrupted') return out === undefined ? [] : ['no plan was saved'];
  const names = Object.keys(unplanned);
  const planned = Object.keys(finished.stats).filter((name) => !Object.hasOwn(unplanned, name));
  if (saved === undefined && planned.length === 0 && names.length > 0)
    return [`${out === undefined ? 'nothing could be planned' : 'no plan was saved'}: ${NOTHING_PLANNED}`];
  const changing = planned.filter((name) => changed?.has(name)).length;
  const summary =
    changing === 0
      ? `nothing would change on ${count(planned.length, 'controller')}`
      : `${grouped(changing)} of ${count(planned.length + names.length, 'controller')} would change`;
  const left =
    names.length === 0
      ? []
      : [UNPLANNED + nameSome(names.map(plain), MOST_NAMES, LOG_COLUMNS - UNPLANNED.length - MORE)];
  if (saved === undefined) return [summary, ...left];
  const { inPlace, config } = saved;
  const file = displayPath(saved.file, cwd);
  const word = fileWord(file);
  const others =
    inPlace === 0
      ? []
      : [
          `${count(inPlace, 'task')} cannot be planned: what ${inPlace === 1 ? 'it does' : 'they do'} is known when the plan is applied (${commandLine(['evenkeel', 'plan', 'show', word, ...config])})`,
        ];
  const next =
    changing === 0
      ? 'there is nothing to carry out'
      : `to carry it out: ${commandLine(['evenkeel', 'apply', word, ...config])}`;
  return [`${summary}; the plan is in ${file}`, ...left, ...others, next];
}

export interface ApplyCommandOptions extends ExecutionOptions {
  readonly file: string;
  /** In days. Older plans are refused. */
  readonly maxAge?: number | undefined;
}

/** `evenkeel apply FILE` */
export async function applyCommand(options: ApplyCommandOptions, context: CommandContext): Promise<number> {
  const { file, maxAge, verbosity } = options;
  const ports = await runPorts(context, options, verbosity);
  const { outcome, cwd } = await applyPlan({ ...runOptions(options), file, maxAge }, ports);
  return reportOutcome(outcome, options, context, cwd);
}

export interface ShowOptions {
  readonly file: string;
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** What `plan show` prints, without colours. */
export function savedPlanText(file: string, context: CommandContext): Promise<OrRefused<SavedPlanText>> {
  const { secrets } = context;
  return openPlan(file, context, (plan) => {
    for (const secret of plan.inputs.secrets) secrets.add(secret);
    const lines = planText(plan, secrets, false).map((line) => maskText(line, secrets));
    return { lines, isEmpty: isEmptyPlan(plan) };
  });
}

/** `evenkeel plan show FILE` */
export async function showPlanCommand({ file, json, color }: ShowOptions, context: CommandContext): Promise<number> {
  const { stdout, env, secrets } = context;
  const opened = await openPlan(path.resolve(context.cwd, file), context, (plan) => {
    for (const secret of plan.inputs.secrets) secrets.add(secret);
    const lines = json === true ? planJson(plan, secrets) : planText(plan, secrets, colourWanted(stdout, env, color));
    for (const line of lines) stdout.write(`${line}\n`, { json });
  });
  return opened.status === 'refused' ? refuse(opened.diagnostics, context, color) : EXIT.ok;
}

/** Carries out a plan, and nothing else. The options override the plan's request. File names in the outcome are relative to `cwd`. */
async function applyPlan(
  { file, maxAge, ...options }: RunOptions & Pick<ApplyCommandOptions, 'file' | 'maxAge'>,
  ports: RunPorts,
) {
  const absolute = path.resolve(ports.cwd, file);
  const opened = await openPlan(absolute, ports, (plan) => ({
    invocation: plan.invocation,
    controllers: plan.file.summary.controllers,
    header: plan.file.header,
    stateDirectory: plan.stateDirectory,
  }));
  if (opened.status === 'refused') return { outcome: opened, cwd: ports.cwd };
  const { invocation, controllers, header, stateDirectory } = opened.value;
  const refused = whyNotNow(file, invocation.cwd, header.created, maxAge);
  if (refused !== undefined) return { outcome: refused, cwd: ports.cwd };
  let copy: string;
  try {
    for (const earlier of appliedBy(stateDirectory, header.id))
      ports.report.notice(
        `run ${earlier.run} has applied this plan to ${count(earlier.controllers, 'controller')}, stale now because a plan is applied once`,
        'always',
      );
    copy = await keepCopy(absolute, stateDirectory, header.id);
  } catch (error) {
    const message = `cannot copy the plan to ${planFolder(stateDirectory)}, where a resume would need it: ${whyFailed(error)}`;
    return { outcome: refusal({ message }), cwd: ports.cwd };
  }
  const { limit } = invocation;
  const typed = typedOptions(options, ports.cwd, invocation.cwd);
  const request = {
    ...toRunRequest(invocation),
    check: false,
    readOnly: false,
    command: { type: 'apply', file: copy, plan: header.id } as const,
    ...runOptions(typed),
    within: { controllers: [...controllers], ...(limit !== undefined && { pattern: limit }) },
  };
  const workspace = earlierWorkspace(invocation, ports);
  const outcome = await startRun(request, { ...ports, ...workspace }, { answers: invocation.answers });
  return { outcome, cwd: invocation.cwd };
}
