import { existsSync } from 'node:fs';
import path from 'node:path';
import { whyFailed } from '../core/files/file_error.js';
import type { RunPorts } from '../launch/load/ports.js';
import { openPlan } from '../launch/planned/open_plan.js';
import { appliedBy, keepCopy } from '../launch/planned/plan_copies.js';
import { toRunRequest } from '../launch/request/invocation.js';
import { refusal, type Refused } from '../launch/request/refusal.js';
import { runOptions, type RunOptions } from '../launch/request/run_request.js';
import { typedOptions } from '../launch/request/typed_options.js';
import { earlierWorkspace } from '../launch/request/workspace.js';
import { startRun, type RunOutcome } from '../launch/start/start_run.js';
import { count } from '../reporting/text/words.js';

/** The options of an apply, which override the plan's request. */
export interface ApplyRequest extends RunOptions {
  readonly file: string;
  /** In days. Older plans are refused. */
  readonly maxAge?: number | undefined;
}

export interface ApplyResult {
  readonly outcome: RunOutcome;
  /** The folder that file names in the outcome are relative to. */
  readonly cwd: string;
}

const MAX_AGE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The clock of the machine that made the plan may be ahead by so much. */
const CLOCKS_DIFFER_MS = 60_000;

/** Carries out a plan, and nothing else. */
export async function applyPlan(
  { file, maxAge = MAX_AGE_DAYS, ...options }: ApplyRequest,
  ports: RunPorts,
): Promise<ApplyResult> {
  const absolute = path.resolve(ports.cwd, file);
  const opened = await openPlan(absolute, ports, (plan) => ({
    invocation: plan.invocation,
    controllers: plan.file.summary.controllers,
    header: plan.file.header,
    stateDirectory: plan.stateDirectory,
  }));
  if (opened.status === 'refused') return { outcome: opened, cwd: ports.cwd };
  const { invocation, controllers, header, stateDirectory } = opened.value;
  if (!existsSync(invocation.cwd)) return { outcome: elsewhere(file, invocation.cwd), cwd: ports.cwd };
  const ageMs = Date.now() - Date.parse(header.created);
  if (ageMs < -CLOCKS_DIFFER_MS) return { outcome: fromTheFuture(file, header.created), cwd: ports.cwd };
  const age = ageMs / DAY_MS;
  if (age > maxAge) return { outcome: tooOld(file, age, maxAge), cwd: ports.cwd };
  for (const earlier of appliedBy(stateDirectory, header.id))
    ports.report.notice(
      `run ${earlier.run} has applied this plan to ${count(earlier.controllers, 'controller')}, which are stale now: a plan is applied once`,
      'always',
    );
  let copy: string;
  try {
    copy = await keepCopy(absolute, stateDirectory, header.id);
  } catch (error) {
    const message = `cannot copy the plan to ${stateDirectory}, where a resume would need it: ${whyFailed(error)}`;
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

/** A clock that was turned back would keep an old plan young. */
function fromTheFuture(file: string, created: string): Refused {
  return refusal({
    message: `${file} was made in the future, at ${created}: the clock of this machine, or of the one that made the plan, is wrong`,
    hint: 'set the clock; then make a new plan if this one is old',
  });
}

function elsewhere(file: string, cwd: string): Refused {
  return refusal({
    message: `${file} was made in ${cwd}, which is not on this machine`,
    hint: 'apply it in a copy of the project at the same place, or make a new plan',
  });
}

function tooOld(file: string, age: number, maxAge: number): Refused {
  return refusal({
    message: `${file} is ${Math.floor(age)} days old, and plans are applied for ${maxAge}`,
    hint: 'make a new plan; or pass --max-age DAYS',
  });
}
