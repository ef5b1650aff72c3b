import { SettingValues } from '../../controller/settings/values.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { Variables } from '../../language/scope.js';
import { declaredTenants, namedTenant, type DeclaredTenant } from '../../module/comparison/declared_tenant.js';
import type { TaskRun } from '../context/task_run.js';
import { GIVEN } from '../controllers/connection.js';
import { lookupIn } from '../controllers/controller_connections.js';
import type { TaskSession } from '../controllers/task_session.js';
import { TaskProblem } from '../keywords/failed_result.js';

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
  open: () => TaskSession,
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
  open: () => TaskSession,
): Promise<string | undefined> {
  const named = namedTenant(text, collection);
  if (named === undefined || 'name' in named) return named?.name;
  const session = open();
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
  return {
    message: `${path.join('.')} names the tenant "${name}", but ${other} names "${given}"`,
    hint: isArgument ? 'name one tenant' : `give the task "tenant: ${name}", or remove ${VARIABLE}`,
  };
}
