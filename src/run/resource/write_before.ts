import type { PastWrite } from '../../model/run/journal.js';
import type { Reader } from '../../module/contract.js';
import { Observation } from './observation.js';
import type { Decision, ResourceTask } from './resource_task.js';

/** What a task had written when the run was cut off. */
interface WriteBefore {
  readonly write: PastWrite;
  /** What was decided then, which is what the task changes. */
  readonly written: Decision;
  /** The same, or the update of the object that a create had met. */
  readonly last: Decision;
}

/** The last write that may have taken effect; undefined if there is none. */
export function recalled({ before, check, keeper, session }: ResourceTask): WriteBefore | undefined {
  if (check) return undefined;
  const [write, previous] = before.filter(({ outcome }) => outcome !== 'refused').toReversed();
  if (write === undefined) return undefined;
  keeper?.goOnWith(write.intent);
  const last = decisionOf(write, session);
  const metAnother = last.plan.change.kind === 'update' && previous !== undefined && isAppliedCreate(previous);
  return { write, last, written: metAnother ? decisionOf(previous, session) : last };
}

/** Whether the controller has said that the write was applied. */
export function isKnown({ write }: WriteBefore): boolean {
  return write.outcome === 'applied';
}

/**
 * Gives a create of which nobody knows whether it took effect the time to appear, as after a lost reply. Of an update the object
 * itself tells at once, and the same update may be sent again.
 */
export async function settledByReading(
  { session }: ResourceTask,
  { write: { intent }, last }: WriteBefore,
): Promise<Decision> {
  if (intent.name !== undefined) await session.appears(intent.path, intent.name);
  return last;
}

function isAppliedCreate({ intent, outcome }: PastWrite): boolean {
  return intent.change.kind === 'create' && outcome === 'applied';
}

/** What was seen then is not kept but in the change. */
function decisionOf({ intent: { change, uncomparable } }: PastWrite, reader: Reader): Decision {
  const observation = new Observation(reader);
  return { observed: undefined, observation, plan: { change, ...(uncomparable === true && { uncomparable }) } };
}
