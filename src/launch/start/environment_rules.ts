import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import type { Environment } from '../../project/project/project.js';
import type { Objection, RunPorts } from '../load/ports.js';
import { type PreparedRun, selectedControllers } from '../load/prepared_run.js';
import { shownSource } from '../load/target.js';
import { findDelegates, findWrites, somePlayMayWrite, type PossibleWrites } from '../load/writes.js';
import type { RunLock } from '../lock/lock_controllers.js';
import type { RunRequest } from '../request/run_request.js';

/** Why a run is refused, or what replaces parts of its lock. */
export type EnvironmentAnswer = Objection | Partial<Pick<RunLock, 'beforeWrite'>>;

/**
 * Whether the environment of the run allows its writes. Asks if the environment has `confirm`. A run whose modules declare
 * no writes needs no permission, and has none.
 */
export async function allowWrites(
  run: PreparedRun,
  { user, report, cwd }: Pick<RunPorts, 'user' | 'report' | 'cwd'>,
): Promise<EnvironmentAnswer> {
  const { loaded, selected, request, label, journalOptions } = run;
  const { environment, inventory } = loaded.target;
  const bypassed = bypassedEnvironments(run, cwd);
  const needsPlan = environment?.requirePlan === true && request.command.type !== 'apply';
  const asks = environment?.confirm === true && request.yes !== true;
  if (!needsPlan && !asks && bypassed.length === 0) return {};
  const writes = await findWrites(run);
  if (writes.type === 'none') return {};
  if (!(await somePlayMayWrite(run))) return needsPlan || asks ? { beforeWrite: refuseUndeclared } : {};
  // A resumed run keeps its environment.
  if (journalOptions.kept === undefined) report.warnings(bypassWarning(bypassed, request), cwd);
  if (environment === undefined) return {};
  if (needsPlan) return { status: 'declined', message: planRefusal(environment, writes) };
  if (!asks) return {};
  const controllers = selectedControllers(selected);
  const delegates = await findDelegates(selected, inventory);
  return (await user.confirm({ environment: environment.name, label, controllers, delegates })) ?? {};
}

function refuseUndeclared(): Promise<never> {
  const message = 'its environment allows writes only after a question or from a plan, and this module declares none';
  return Promise.reject(new Error(`${message}: add "writes: true" to the module`));
}

/** The environments whose inventory is read although `--env` names none of them, so that their settings do not apply. */
function bypassedEnvironments({ loaded, request }: PreparedRun, cwd: string): readonly Environment[] {
  const { project, environment, inventorySources } = loaded.target;
  const owners = [...project.environments.values()].filter(
    ({ inventory }) => inventory?.every((one) => inventorySources.includes(shownSource(one, cwd))) === true,
  );
  const isOwn = environment !== undefined && (request.inventory === undefined || owners.includes(environment));
  return isOwn ? [] : owners;
}

/** Warns of a run that uses the inventory of an environment, but not its other settings. */
function bypassWarning(bypassed: readonly Environment[], { command, yes }: RunRequest): readonly Diagnostic[] {
  const isPlan = command.type === 'apply';
  const ignored = new Set<string>();
  const names = bypassed.flatMap(({ name, confirm, requirePlan, limit, extraVars }) => {
    const own = [
      ...(confirm && yes !== true ? ['confirm'] : []),
      ...(requirePlan && !isPlan ? ['require_plan'] : []),
      ...(limit === undefined ? [] : ['limit']),
      ...(extraVars.length === 0 ? [] : ['extra_vars']),
    ];
    for (const setting of own) ignored.add(setting);
    return own.length === 0 ? [] : name;
  });
  if (names.length === 0) return [];
  const and = new Intl.ListFormat('en-GB');
  const options = names.map((name) => `--env ${name}`).join(' or ');
  const message = `this run ignores ${and.format(ignored)} of ${and.format(names)}, whose inventory it uses: ${isPlan ? 'make the plan with' : 'pass'} ${options}`;
  return [{ severity: 'warning', message }];
}

/** `require_plan`: only a plan may write. */
function planRefusal({ name }: Environment, writes: Exclude<PossibleWrites, { readonly type: 'none' }>): string {
  const only = `${name} accepts changes only from a plan (require_plan)`;
  return writes.type === 'unknown'
    ? `${only}, and what is included at ${writes.place} is known only during the run: it might write even in a check`
    : `${only}: make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"`;
}
