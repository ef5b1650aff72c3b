import { LATER } from '../../../core/model/values/json.js';
import type { Mapping, Value } from '../../../core/model/values/value.js';
import type { TaskRun } from '../../context/task_run.js';
import { connectionId } from '../../resource/planned_connection.js';
import { withReadableNames } from '../../resource/references.js';
import type { TaskPlan } from '../../resource/resource_task.js';
import type { Execution } from '../action.js';
import { keepDecided, notInPlan } from './planned.js';

/** What a task changes that could not be planned. */
const OPEN: Mapping = { name: LATER };

/** The plan's handling of a resource task; undefined if there is no plan. */
export async function openTaskPlan(
  run: TaskRun,
  { session, masked, planned }: Pick<Execution, 'session' | 'masked' | 'planned'>,
): Promise<TaskPlan | undefined> {
  const { followed, input } = run.context.run;
  const { plan } = input.record;
  if (followed !== undefined && planned === undefined) return unplanned(run);
  if (plan === undefined) return undefined;
  const connection = await session.connection();
  const digest = (value: Value): string => plan.digest(value);
  if (plan.type === 'make') {
    return {
      decided: (task, decision) => {
        const decided = {
          type: 'resource',
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked arguments are values
          args: { ...task.args } as Mapping,
          object: task.module.object(task.args),
          seen: decision.observation.seen(digest),
          change: withReadableNames(decision.plan.change, decision.meaning),
          connection: connectionId(digest, connection),
          tenant: connection?.settings.tenant,
        } as const;
        keepDecided(run, masked, decided, session);
        return Promise.resolve(undefined);
      },
    };
  }
  if (followed === undefined || planned === undefined || planned.decided.type === 'skipped') return undefined;
  const { title: object, decided } = planned;
  const open = {
    type: 'resource',
    args: {},
    object,
    seen: [],
    connection: connectionId(digest, connection),
    change: { kind: 'create', object, before: null, after: OPEN },
  } as const;
  const place = { controller: run.state.name, connection, session };
  return followed.taskPlan(planned, decided.type === 'resource' ? decided : open, place);
}

/** A task that is not in the followed plan writes nothing. */
function unplanned(run: TaskRun): TaskPlan {
  return {
    decided: ({ check }, { plan: { change } }) =>
      Promise.resolve(check || change.kind === 'none' ? undefined : notInPlan(run)),
  };
}
