import type { Located } from '../../model/playbook.js';
import { LazyMapping, type Value } from '../../model/value.js';
import { OMIT } from '../../template/omit.js';
import { Variables } from '../../template/scope.js';
import { describe } from '../../template/text.js';
import type { ControllerState } from '../fleet/controller_state.js';
import { LazySession } from '../fleet/lazy_session.js';
import { Magic } from '../fleet/magic.js';
import type { PlayContext } from '../play/play_context.js';
import { renderFlag, renderLocated } from './rendered_settings.js';
import { TaskProblem } from './task_problem.js';
import type { TaskRun } from './task_run.js';

/** Whom `delegate_to` names; undefined if nobody but the controller itself. Throws a `TaskProblem` if there is no such controller. */
export function delegateOf({ task, state, context }: TaskRun, scope: Variables): ControllerState | undefined {
  if (task.delegateTo === undefined) return undefined;
  const name = delegateName(task.delegateTo, scope);
  if (name === undefined || name === state.name) return undefined;
  const { fleet } = context.run;
  const delegate = fleet.find(name);
  if (delegate !== undefined) return delegate;
  throw new TaskProblem(
    `delegate_to names "${name}", which is not in the inventory`,
    task.delegateTo.source,
    fleet.nearest(name) ?? 'add_host can add it',
  );
}

/** Undefined if the template comes to `omit`. */
function delegateName(delegateTo: Located, scope: Variables): string | undefined {
  const value = renderLocated(delegateTo, scope);
  if (value === OMIT) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new TaskProblem(`delegate_to must be the name of a controller, not ${describe(value)}`, delegateTo.source);
}

/** For events of a task that has not begun: who will do it, as far as that can be said. */
export function likelyDelegate(run: TaskRun): string | undefined {
  if (run.task.delegateTo === undefined || run.task.loop !== undefined) return undefined;
  try {
    return delegateOf(run, run.scope())?.name;
  } catch {
    return undefined;
  }
}

/** Does the work with the delegate in the place of the controller: its connection, its settings, this one's variables. */
export async function delegated<Result>(
  run: TaskRun,
  delegate: ControllerState | undefined,
  work: (run: TaskRun) => Promise<Result>,
): Promise<Result> {
  if (delegate === undefined) return work(run);
  const { sessions, breather } = run.context.run;
  const variables = variablesOf(run.context, delegate);
  const borrowed = sessions.borrow(delegate.controller, (name) => variables.get(name));
  try {
    return await work({ ...run, delegate, session: new LazySession(() => borrowed.open(), breather) });
  } finally {
    await borrowed.giveBack();
  }
}

/** What the delegate itself would see at this place of the play, tasks left out. */
export function variablesOf(
  { run, variables, ...context }: PlayContext,
  { controller, layers }: ControllerState,
): Variables {
  const all = [...variables.ofPlay(controller), ...layers, ...run.input.extraVars];
  const magic = new Magic({ run, variables, ...context }, { controller });
  const scope = new Variables(all, undefined, magic, run.input.library);
  run.secrets.learnLayers(all, scope);
  return scope;
}

/** `ansible_delegated_vars`: the delegate's variables, by its name. */
export function withDelegate(
  { context: { hostvars } }: TaskRun,
  delegate: ControllerState | undefined,
  scope: Variables,
): Variables {
  if (delegate === undefined || !(hostvars instanceof LazyMapping)) return scope;
  const variables: Value = hostvars.get(delegate.name) ?? {};
  const values = { ansible_delegated_vars: { [delegate.name]: variables } };
  return scope.child([{ level: 'magic', origin: 'delegate_to', values, literal: true }]);
}

/** `delegate_facts`: whether what the task finds out is the delegate's. */
export function keepsFactsElsewhere({ task: { delegateFacts } }: TaskRun, scope: Variables): boolean {
  return delegateFacts !== undefined && renderFlag('delegate_facts', delegateFacts, scope);
}
