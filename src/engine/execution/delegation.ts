import { SettingValues } from '../../controller/settings/values.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import type { Controller } from '../../core/model/inventory/inventory.js';
import type { Located } from '../../core/model/playbook/step.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { LazyMapping, type Value, type Mapping } from '../../core/model/values/value.js';
import type { VariableLevel } from '../../core/model/values/variables.js';
import { describe, OMIT } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import { declaredTenants, namedTenant, type DeclaredTenant } from '../../module/comparison/desired.js';
import type { TaskContext, TaskRun } from '../context/task_run.js';
import { connectController, type ControllerConnections, lookupIn } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { OwnHostVariables, VariablesOf, variablesWith } from '../controllers/magic.js';
import { readVariableFiles } from '../controllers/play_variables.js';
import { GIVEN } from '../controllers/session_pool.js';
import { TaskSession } from '../controllers/task_session.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { examineName } from '../keywords/names.js';
import { renderFlag, renderLocated } from '../keywords/rendered_keywords.js';
import { untilSettled } from './resource_execution.js';

/**
 * The controller that `delegate_to` names; undefined if it is the controller itself. Throws a `TaskProblem` if there is no such controller.
 */
export function findDelegate({ task, state, context }: TaskRun, scope: Variables): ControllerState | undefined {
  if (task.delegateTo === undefined) return undefined;
  const name = delegateName(task.delegateTo, scope);
  if (name === undefined || name === state.name) return undefined;
  const { fleet } = context.run;
  const delegate = fleet.find(name);
  if (delegate !== undefined) return delegate;
  const message = `delegate_to names "${name}", which is not in the inventory`;
  throw new TaskProblem(message, task.delegateTo.source, fleet.nearest(name) ?? 'add_host can add it');
}

/** Undefined if the template renders to `omit`. */
export function delegateName(delegateTo: Located, scope: Variables): string | undefined {
  const value = renderLocated(delegateTo, scope);
  examineName(value, delegateTo.value, scope, () => delegateTo.source);
  if (value === OMIT) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new TaskProblem(`delegate_to must be the name of a controller, not ${describe(value)}`, delegateTo.source);
}

/** The probable delegate, for events of a task that has not begun. */
export function likelyDelegate(run: TaskRun): string | undefined {
  if (run.task.delegateTo === undefined || run.task.loop !== undefined) return undefined;
  return orElse(undefined, () => findDelegate(run, run.scope())?.name);
}

/**
 * The session of the task. A delegate is reached with its variables and those written at the task or around it; facts of the original
 * controller do not count, as in Ansible.
 */
export async function openTaskSession(
  run: TaskRun,
  delegate: ControllerState | undefined,
  scope: Variables,
): Promise<TaskSession> {
  const { context, state, connections } = run;
  const settled = (to: ConnectionSettings) => untilSettled(run, to);
  const waits = { wait: run.fork.wait, untilSettled: settled, isPatient: context.isPatient ?? true };
  if (delegate === undefined) return new TaskSession(context.run, connections, state.name, scope, false, waits);
  const { controller, layers } = delegate;
  const reached = await reach(context, controller);
  // Written at the task or around it, or the item of its loop.
  const since = scope.layersSince(connections.variables);
  const written = since.filter(({ level, origin }) => WRITTEN.has(level) || origin === 'loop');
  const own = [...layers, ...written];
  const seen = own.length === 0 ? reached.variables : reached.variables.child(own);
  if (own.length > 0) context.run.secrets.learnLayers(own, seen);
  return new TaskSession(context.run, reached, delegate.name, seen, true, waits);
}

const INNER = ['block vars', 'task vars', 'role params', 'include params'] as const;
const WRITTEN: ReadonlySet<VariableLevel> = new Set(['role defaults', 'role vars', ...INNER]);

/** Cached for each play and controller, because many controllers may delegate to one. */
function reach(context: TaskContext, controller: Controller): Promise<ControllerConnections> {
  const reached = getOrAdd(context.delegates, controller, async () => {
    const { definition, variables } = context.play;
    const base = variablesWith(variables.ofPlay(controller), context, { controller });
    const scope = base.child(await readVariableFiles(definition, context.run.input.sources, base, 'delegate'));
    context.run.secrets.learnLayers(scope.layersSince(), scope);
    return connectController(context, { controller }, scope);
  });
  // A file that could not be read may be there again when the task is tried again.
  reached.catch(() => context.delegates.delete(controller));
  return reached;
}

/** `ansible_delegated_vars`: the delegate's variables, by its name. In them, `inventory_hostname` is the task's controller, as in Ansible. */
export function withDelegate(
  delegate: ControllerState | undefined,
  { name: own }: ControllerState,
  scope: Variables,
): Variables {
  if (delegate === undefined) return scope;
  const known = scope.get('hostvars');
  const hostvars = known instanceof OwnHostVariables ? known.all : known;
  if (!(hostvars instanceof LazyMapping)) return scope;
  const found = hostvars.get(delegate.name) ?? {};
  const variables: Value = found instanceof VariablesOf ? found.delegatedBy(own) : found;
  const values = { ansible_delegated_vars: { [delegate.name]: variables } };
  return scope.child([{ level: 'magic', origin: 'delegate_to', values, literal: true }]);
}

/** `delegate_facts`: whether the task's facts belong to the delegate, which may be the controller itself. */
export function keepsFactsElsewhere({ task: { delegateTo, delegateFacts } }: TaskRun, scope: Variables): boolean {
  if (delegateFacts === undefined || delegateTo === undefined) return false;
  return renderFlag('delegate_facts', delegateFacts, scope) && delegateName(delegateTo, scope) !== undefined;
}

const VARIABLE = 'controller_tenant';

/**
 * The task acts in the tenant that a `tenant_ref` in its arguments names.
 *
 * @param open another session of the same task, for a tenant that is given by its uuid
 * @throws TaskProblem if the task, or its controller, names another tenant
 */
export async function actInDeclaredTenant(
  { module, task }: Pick<TaskRun, 'module' | 'task'>,
  args: Mapping,
  session: TaskSession,
  open: () => Promise<TaskSession>,
): Promise<void> {
  const declared = declaredTenants(module, args);
  const connection = declared.length === 0 ? undefined : await session.connection();
  const { tenants } = connection?.settings.dialect ?? {};
  if (connection === undefined || tenants === undefined) return;
  for (const one of declared) {
    const name = await findTenantName(one, tenants.collection, open);
    const problem = name === undefined ? undefined : disagreement(one, name, session.variables);
    if (problem !== undefined)
      throw new TaskProblem(problem.message, task.locate([...task.argsPath, ...one.path]), problem.hint);
    if (name !== undefined) session.set(VARIABLE, name);
  }
}

async function findTenantName(
  { path, text }: DeclaredTenant,
  collection: string,
  open: () => Promise<TaskSession>,
): Promise<string | undefined> {
  const named = namedTenant(text, collection);
  if (named === undefined || 'name' in named) return named?.name;
  const session = await open();
  try {
    const lookup = await session.references();
    const found = await lookup?.resolve({ collection, name: named.uuid });
    if (found?.type === 'missing')
      throw new TaskProblem(`${path.join('.')} refers to the tenant "${text}", which the controller does not have`);
    return lookup?.knownName(collection, named.uuid);
  } finally {
    await session.end();
  }
}

/** Why a task cannot act in a declared tenant: it, or its controller, names another one. */
export function disagreement(
  { path }: DeclaredTenant,
  name: string,
  variables: Variables,
): { readonly message: string; readonly hint: string } | undefined {
  const given = new SettingValues(lookupIn(variables), '').text(VARIABLE) ?? name;
  if (given === name) return undefined;
  const isArgument = variables.find(VARIABLE)?.layer.origin === GIVEN;
  const other = isArgument ? 'the task' : VARIABLE;
  const hint = isArgument ? 'name one tenant' : `give the task "tenant: ${name}", or remove ${VARIABLE}`;
  return { message: `${path.join('.')} names the tenant "${name}", but ${other} names "${given}"`, hint };
}
