import type { PlanGuide } from '../../../core/model/run/plan.js';
import { LATER } from '../../../core/model/values/display.js';
import type { Mapping } from '../../../core/model/values/value.js';
import type { TaskRun } from '../../context/task_run.js';
import { connectionId, readable } from '../../resource/followed_plan.js';
import type { TaskPlan } from '../../resource/resource_task.js';
import type { Execution } from '../action.js';
import { keepDecided } from './planned.js';

/** What a task changes that could not be planned. */
const OPEN: Mapping = { name: LATER };

/** The plan's handling of a resource task; undefined if there is no plan. */
export async function openTaskPlan(
  run: TaskRun,
  { session, masked, planned }: Pick<Execution, 'session' | 'masked' | 'planned'>,
): Promise<TaskPlan | undefined> {
  const { followed, input } = run.context.run;
  const { plan } = input.record;
  if (plan === undefined) return undefined;
  const connection = await session.connection();
  if (plan.type === 'make') {
    const digest = (value: Parameters<PlanGuide['digest']>[0]): string => plan.digest(value);
    return {
      decided: (task, decision) => {
        const decided = {
          type: 'resource',
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked arguments are values
          args: { ...task.args } as Mapping,
          object: task.module.object(task.args),
          seen: decision.observation.seen(digest),
          change: readable(decision),
          connection: connectionId(digest, connection),
        } as const;
        keepDecided(run, masked, decided, session);
        return Promise.resolve(undefined);
      },
    };
  }
  if (followed === undefined || planned === undefined) return undefined;
  const place = { controller: run.state.name, target: session.target, connection };
  if (planned.decided.type === 'in place') {
    const object = planned.title;
    const digest = (value: Parameters<PlanGuide['digest']>[0]): string => plan.digest(value);
    const open = {
      type: 'resource',
      args: {},
      object,
      seen: [],
      connection: connectionId(digest, connection),
    } as const;
    return followed.taskPlan(
      planned,
      { ...open, change: { kind: 'create', object, before: null, after: OPEN } },
      place,
    );
  }
  if (planned.decided.type !== 'resource') return undefined;
  return followed.taskPlan(planned, planned.decided, place);
}
