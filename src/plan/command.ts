import path from 'node:path';
import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { refuse } from '../cli/refusal.js';
import { reportOutcome, runPorts } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { EXIT } from '../core/model/exit_code.js';
import type { RunFinished } from '../core/model/run/event.js';
import { maskText } from '../core/secrets/mask_text.js';
import type { Masked } from '../core/secrets/mask_text.js';
import { openPlan } from '../launch/planned/open_plan.js';
import type { OrRefused } from '../launch/request/refusal.js';
import { runOptions, runRequest } from '../launch/request/run_request.js';
import { plain } from '../reporting/text/plain.js';
import { count, grouped, nameSome } from '../reporting/text/words.js';
import { applyPlan } from './apply_plan.js';
import { makePlan, type MadePlan } from './make_plan.js';
import { planJson, planText } from './text.js';

export interface PlanCommandOptions extends ExecutionOptions {
  readonly playbooks: readonly string[];
  readonly out?: string | undefined;
}

/** `evenkeel plan PLAYBOOK…` */
export async function planCommand(options: PlanCommandOptions, context: CommandContext): Promise<number> {
  const { playbooks, out } = options;
  const request = runRequest({ type: 'run', playbooks }, { ...options, diff: options.diff ?? 'auto' });
  const ports = await runPorts(context, options, options.verbosity);
  const made = await makePlan(request, { out }, ports);
  const code = await reportOutcome(made.outcome, options, context);
  if (made.outcome.status !== 'finished') return code;
  const stream = options.output === 'json' ? context.stderr : context.stdout;
  for (const line of closing(made.outcome.finished, made, { out, cwd: context.cwd })) stream.write(`${line}\n`);
  return code;
}

const MOST_NAMES = 10;

const NOTHING_TO_APPLY = 'no plan was saved: every controller failed or was unreachable';

function closing(
  { stats, status }: RunFinished,
  { saved }: MadePlan,
  { out, cwd }: { readonly out: string | undefined; readonly cwd: string },
): readonly string[] {
  if (status === 'interrupted') return out === undefined ? [] : ['no plan was saved'];
  const all = Object.values(stats);
  const changing = all.filter(({ changed }) => changed > 0).length;
  const summary =
    changing === 0
      ? `nothing would change on ${count(all.length, 'controller')}`
      : `${grouped(changing)} of ${count(all.length, 'controller')} would change`;
  if (saved === undefined) return out === undefined ? [summary] : [NOTHING_TO_APPLY];
  const { unplanned } = saved;
  const file = plain(path.relative(cwd, saved.file));
  const left =
    unplanned.length === 0
      ? []
      : [`not in the plan, because they failed or were unreachable: ${nameSome(unplanned.map(plain), MOST_NAMES)}`];
  return [`${summary}; the plan is in ${file}`, ...left, `to carry it out: evenkeel apply ${file}`];
}

export interface ApplyCommandOptions extends ExecutionOptions {
  readonly file: string;
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
export function savedPlanLines(file: string, context: CommandContext): Promise<OrRefused<readonly Masked<string>[]>> {
  const { secrets } = context;
  return openPlan(file, context, (plan) => {
    for (const secret of plan.inputs.secrets) secrets.add(secret);
    return planText(plan, secrets, false).map((line) => maskText(line, secrets));
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
